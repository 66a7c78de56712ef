#include "serve/batcher.h"

#include "base/clock.h"
#include "base/error.h"

#include <errno.h>
#include <pthread.h>
#include <stdlib.h>
#include <time.h>

struct batcher {
    struct batcher_setup setup;
    pthread_t thread;
    pthread_mutex_t lock;
    pthread_cond_t changed;          /* signaled when a job is added or the worker is to stop */
    struct batch_job *first, **last; /* the queue; *last is where the next job is linked in */
    int waiting;                     /* lines in the queue that no batch has taken */
    int jobs;                        /* jobs in the queue */
    int company;                     /* jobs in the last batch */
    bool ending;
    bool threadless;     /* batcher_add does the work itself */
    struct slice *slice; /* (batch_lines) of the current batch */
};

bool job_is_over(const struct batch_job *job, double now)
{
    return job->deadline < now || (job->abandoned && atomic_load(job->abandoned));
}

static int left(const struct batch_job *job) { return job->lines - job->taken; }

static void append(struct batcher *b, struct batch_job *job)
{
    job->next = NULL;
    *b->last = job;
    b->last = &job->next;
    b->waiting += left(job);
    b->jobs++;
}

/* Unlink *place from the queue. */
static struct batch_job *take_out(struct batcher *b, struct batch_job **place)
{
    struct batch_job *job = *place;
    *place = job->next;
    if (!job->next)
        b->last = place;
    b->waiting -= left(job);
    b->jobs--;
    return job;
}

/* ---- The worker ---- */

/* `moment` is on the clock of clock_seconds, which the condition variable uses too. */
static bool wait_until(struct batcher *b, double moment)
{
    const struct timespec t = {.tv_sec = (time_t)moment,
                               .tv_nsec = (long)((moment - (double)(time_t)moment) * 1e9)};
    return pthread_cond_timedwait(&b->changed, &b->lock, &t) == 0;
}

/* Under load, wait until as many jobs have arrived as the last batch had. */
static void gather(struct batcher *b)
{
    const double until = clock_seconds() + b->setup.gather;
    while (b->company > 1 && b->jobs < b->company && b->waiting < b->setup.batch_lines &&
           !b->ending && wait_until(b, until))
        continue;
}

/* Take as many lines of a job as fit. A job that is over gives none and is finished. */
static struct slice cut(struct batch_job *job, int room)
{
    const int lines = left(job) < room ? left(job) : room;
    const struct slice slice = {job, job->taken, lines};
    if (!job_is_over(job, clock_seconds())) {
        job->taken += lines;
        return slice;
    }
    job->late = true;
    job->taken = job->lines;
    return (struct slice){job, slice.from, 0};
}

/* Fill the batch with slices of the oldest job and of all that may share a batch with it. Returns
 * the number of slices. Jobs that were taken completely leave the queue; one that was not goes to
 * its end. */
static int take(struct batcher *b)
{
    const int most = b->setup.batch_lines;
    const struct batch_job *oldest = b->first;
    struct batch_job *rest = NULL; /* at most one job is taken in part */
    int count = 0, room = most;
    for (struct batch_job **place = &b->first; *place && room > 0 && count < most;) {
        if (*place != oldest && !b->setup.together(oldest, *place)) {
            place = &(*place)->next;
            continue;
        }
        struct batch_job *job = take_out(b, place);
        b->slice[count] = cut(job, room);
        room -= b->slice[count++].count;
        rest = left(job) ? job : NULL;
    }
    if (rest)
        append(b, rest);
    b->company = count;
    return count;
}

/* Drop the remaining lines of a failed job. */
static void drop_failed(struct batcher *b, struct batch_job *job)
{
    for (struct batch_job **place = &b->first; *place; place = &(*place)->next)
        if (*place == job) {
            take_out(b, place);
            job->taken = job->lines;
            return;
        }
}

/* Moves the jobs that are done to the front of the slices. Returns their number. */
static int settle(struct batcher *b, int count)
{
    int done = 0;
    pthread_mutex_lock(&b->lock);
    for (int i = 0; i < count; i++) {
        struct batch_job *job = b->slice[i].job;
        if (job->status)
            drop_failed(b, job);
        if (left(job) == 0)
            b->slice[done++].job = job;
    }
    pthread_mutex_unlock(&b->lock);
    return done;
}

/* Run one batch. The lock is held before and after, but not meanwhile. */
static void run_batch(struct batcher *b)
{
    const int count = b->first ? take(b) : 0;
    pthread_mutex_unlock(&b->lock);
    if (count)
        b->setup.run(b->setup.context, b->slice, count);
    const int done = settle(b, count);
    for (int i = 0; i < done; i++)
        b->slice[i].job->finished(b->slice[i].job);
    pthread_mutex_lock(&b->lock);
}

static void *work(void *context)
{
    struct batcher *b = context;
    pthread_mutex_lock(&b->lock);
    for (;;) {
        while (!b->first && !b->ending)
            pthread_cond_wait(&b->changed, &b->lock);
        if (!b->first)
            break;
        gather(b);
        run_batch(b);
    }
    pthread_mutex_unlock(&b->lock);
    return NULL;
}

/* ---- Public functions ---- */

static void init_condition(pthread_cond_t *condition)
{
    pthread_condattr_t attributes;
    pthread_condattr_init(&attributes);
    pthread_condattr_setclock(&attributes, CLOCK_MONOTONIC);
    pthread_cond_init(condition, &attributes);
    pthread_condattr_destroy(&attributes);
}

enum attend_status batcher_new(struct batcher **out, const struct batcher_setup *setup,
                               struct attend_error *err)
{
    struct batcher *b = calloc(1, sizeof *b);
    if (b)
        b->slice = calloc((size_t)setup->batch_lines, sizeof *b->slice);
    if (!b || !b->slice) {
        free(b);
        return error_set(err, ATTEND_NO_MEMORY, "out of memory for a queue");
    }
    b->setup = *setup;
    b->last = &b->first;
    pthread_mutex_init(&b->lock, NULL);
    init_condition(&b->changed);
    const int failure = pthread_create(&b->thread, NULL, work, b);
    b->threadless = failure == ENOSYS; /* as in WebAssembly */
    if (!failure || b->threadless) {
        *out = b;
        return ATTEND_OK;
    }
    pthread_cond_destroy(&b->changed);
    pthread_mutex_destroy(&b->lock);
    free(b->slice);
    free(b);
    return error_set(err, ATTEND_NO_MEMORY, "a thread cannot be started");
}

static void start(struct batcher *b, struct batch_job *job)
{
    job->taken = 0;
    append(b, job);
    pthread_cond_signal(&b->changed);
    while (b->threadless && b->first)
        run_batch(b);
}

bool batcher_add(struct batcher *b, struct batch_job *job)
{
    pthread_mutex_lock(&b->lock);
    const bool room = !b->first || b->waiting + job->lines <= b->setup.queue_lines;
    if (room)
        start(b, job);
    pthread_mutex_unlock(&b->lock);
    return room;
}

void batcher_push(struct batcher *b, struct batch_job *job)
{
    pthread_mutex_lock(&b->lock);
    start(b, job);
    pthread_mutex_unlock(&b->lock);
}

void batcher_expire(struct batcher *b, double now)
{
    struct batch_job *late = NULL;
    pthread_mutex_lock(&b->lock);
    for (struct batch_job **place = &b->first; *place;) {
        if ((*place)->taken > 0 || !job_is_over(*place, now)) {
            place = &(*place)->next;
            continue;
        }
        struct batch_job *job = take_out(b, place);
        job->next = late;
        late = job;
    }
    pthread_mutex_unlock(&b->lock);
    while (late) {
        struct batch_job *job = late;
        late = job->next;
        job->late = true;
        job->finished(job);
    }
}

int batcher_waiting(struct batcher *b)
{
    pthread_mutex_lock(&b->lock);
    const int waiting = b->waiting;
    pthread_mutex_unlock(&b->lock);
    return waiting;
}

void batcher_free(struct batcher *b)
{
    if (!b)
        return;
    pthread_mutex_lock(&b->lock);
    b->ending = true;
    pthread_cond_signal(&b->changed);
    pthread_mutex_unlock(&b->lock);
    pthread_join(b->thread, NULL);
    pthread_cond_destroy(&b->changed);
    pthread_mutex_destroy(&b->lock);
    free(b->slice);
    free(b);
}
