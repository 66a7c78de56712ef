#include "test.h"

#include "base/clock.h"
#include "serve/batcher.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* Records what the worker did; a gate holds it up. */
struct record {
    pthread_mutex_t lock;
    pthread_cond_t changed;
    bool open;              /* the gate */
    bool inside;            /* the worker waits at the gate */
    int batches, lines[64]; /* of each batch */
    int jobs[64];
    int finished;
    const void *last_finished;
    const struct batch_job *failing; /* whose slices fail */
};

/* A job with a kind. Only jobs of one kind may share a batch. */
struct kind_job {
    struct batch_job job;
    int kind;
    int done; /* lines */
};

static bool together(const struct batch_job *a, const struct batch_job *b)
{
    return ((const struct kind_job *)a)->kind == ((const struct kind_job *)b)->kind;
}

static void run(void *context, const struct slice *slice, int count)
{
    struct record *r = context;
    pthread_mutex_lock(&r->lock);
    r->inside = true;
    pthread_cond_broadcast(&r->changed);
    while (!r->open)
        pthread_cond_wait(&r->changed, &r->lock);
    r->inside = false;
    r->jobs[r->batches] = count;
    for (int i = 0; i < count; i++) {
        struct kind_job *job = (struct kind_job *)slice[i].job;
        assert_true(slice[i].count == 0 || slice[i].from == job->done);
        job->done += slice[i].count;
        r->lines[r->batches] += slice[i].count;
        if (slice[i].job == r->failing)
            slice[i].job->status = ATTEND_DATA;
    }
    r->batches++;
    pthread_mutex_unlock(&r->lock);
}

static void finished(struct batch_job *job)
{
    struct record *r = job->owner;
    pthread_mutex_lock(&r->lock);
    r->finished++;
    r->last_finished = job;
    pthread_cond_broadcast(&r->changed);
    pthread_mutex_unlock(&r->lock);
}

static void wait_finished(struct record *r, int count)
{
    pthread_mutex_lock(&r->lock);
    while (r->finished < count)
        pthread_cond_wait(&r->changed, &r->lock);
    pthread_mutex_unlock(&r->lock);
}

static void set_open(struct record *r, bool open)
{
    pthread_mutex_lock(&r->lock);
    r->open = open;
    pthread_cond_broadcast(&r->changed);
    pthread_mutex_unlock(&r->lock);
}

static void wait_inside(struct record *r)
{
    pthread_mutex_lock(&r->lock);
    while (!r->inside)
        pthread_cond_wait(&r->changed, &r->lock);
    pthread_mutex_unlock(&r->lock);
}

static struct batcher *start(struct record *r, int batch_lines, int queue_lines)
{
    struct batcher *b;
    memset(r, 0, sizeof *r);
    pthread_mutex_init(&r->lock, NULL);
    pthread_cond_init(&r->changed, NULL);
    assert_int_equal(batcher_new(&b,
                                 &(struct batcher_setup){.batch_lines = batch_lines,
                                                         .queue_lines = queue_lines,
                                                         .gather = 0.001,
                                                         .context = r,
                                                         .together = together,
                                                         .run = run},
                                 NULL),
                     ATTEND_OK);
    return b;
}

static struct kind_job job_of(struct record *r, int lines, int kind)
{
    return (struct kind_job){
        .job = {.lines = lines, .deadline = 1e18, .finished = finished, .owner = r}, .kind = kind};
}

/* A job that keeps the worker busy until the gate opens. */
static void occupy(struct batcher *b, struct record *r, struct kind_job *first)
{
    *first = job_of(r, 1, 99);
    assert_true(batcher_add(b, &first->job));
    wait_inside(r);
}

TEST(batcher_what_waits_is_done_together)
{
    struct record r;
    struct batcher *b = start(&r, 64, 1000);
    struct kind_job first, job[10];
    occupy(b, &r, &first);
    for (int i = 0; i < 10; i++) {
        job[i] = job_of(&r, 2, 0);
        assert_true(batcher_add(b, &job[i].job));
    }
    assert_int_equal(batcher_waiting(b), 20);
    set_open(&r, true);
    wait_finished(&r, 11);
    batcher_free(b);
    assert_int_equal(r.batches, 2);
    assert_int_equal(r.jobs[1], 10);
    assert_int_equal(r.lines[1], 20);
}

TEST(batcher_other_kinds_wait_their_turn)
{
    struct record r;
    struct batcher *b = start(&r, 64, 1000);
    struct kind_job first, job[6];
    occupy(b, &r, &first);
    for (int i = 0; i < 6; i++) {
        job[i] = job_of(&r, 1, i % 2);
        assert_true(batcher_add(b, &job[i].job));
    }
    set_open(&r, true);
    wait_finished(&r, 7);
    batcher_free(b);
    assert_int_equal(r.batches, 3);
    assert_int_equal(r.jobs[1], 3);
    assert_int_equal(r.jobs[2], 3);
}

TEST(batcher_a_long_job_lets_others_by)
{
    struct record r;
    struct batcher *b = start(&r, 8, 1000);
    struct kind_job first, large, small;
    occupy(b, &r, &first);
    large = job_of(&r, 100, 0);
    small = job_of(&r, 3, 0);
    assert_true(batcher_add(b, &large.job) && batcher_add(b, &small.job));
    set_open(&r, true);
    wait_finished(&r, 3);
    batcher_free(b);
    assert_ptr_equal(r.last_finished, &large);
    assert_int_equal(large.done, 100);
    assert_int_equal(r.lines[1], 8);
    assert_int_equal(r.jobs[2], 2); /* the small one, and more of the large one */
    for (int i = 0; i < r.batches; i++)
        assert_true(r.lines[i] <= 8);
}

TEST(batcher_a_full_queue_refuses)
{
    struct record r;
    struct batcher *b = start(&r, 8, 10);
    struct kind_job first, huge, more, last;
    occupy(b, &r, &first);
    huge = job_of(&r, 50, 0); /* accepted, since the queue is empty */
    more = job_of(&r, 1, 0);
    assert_true(batcher_add(b, &huge.job));
    assert_false(batcher_add(b, &more.job));
    set_open(&r, true);
    wait_finished(&r, 2);
    last = job_of(&r, 10, 0);
    assert_true(batcher_add(b, &last.job));
    batcher_free(b);
    assert_int_equal(r.finished, 3);
    assert_int_equal(more.done, 0);
}

TEST(batcher_late_jobs_are_not_done)
{
    struct record r;
    struct batcher *b = start(&r, 8, 100);
    struct kind_job first, late, good;
    occupy(b, &r, &first);
    late = job_of(&r, 2, 0);
    late.job.deadline = 5;
    good = job_of(&r, 2, 0);
    assert_true(batcher_add(b, &late.job) && batcher_add(b, &good.job));
    batcher_expire(b, 6);
    assert_int_equal(r.finished, 1);
    assert_ptr_equal(r.last_finished, &late);
    assert_true(late.job.late);
    assert_int_equal(batcher_waiting(b), 2);
    set_open(&r, true);
    batcher_free(b);
    assert_int_equal(r.finished, 3);
    assert_int_equal(late.done, 0);
    assert_false(good.job.late);
}

/* The test does not call batcher_expire: the worker itself checks the deadline. */
TEST(batcher_a_long_job_stops_at_its_deadline)
{
    struct record r;
    struct batcher *b = start(&r, 8, 100);
    struct kind_job large = job_of(&r, 100, 0);
    large.job.deadline = clock_seconds() + 0.05;
    assert_true(batcher_add(b, &large.job));
    wait_inside(&r);
    usleep(60000);
    set_open(&r, true);
    batcher_free(b);
    assert_true(large.job.late);
    assert_int_equal(large.done, 8);
    assert_int_equal(r.finished, 1);
}

TEST(batcher_a_failed_job_is_dropped)
{
    struct record r;
    struct batcher *b = start(&r, 8, 1000);
    struct kind_job first, large;
    occupy(b, &r, &first);
    large = job_of(&r, 100, 0);
    r.failing = &large.job;
    assert_true(batcher_add(b, &large.job));
    set_open(&r, true);
    batcher_free(b);
    assert_int_equal(large.job.status, ATTEND_DATA);
    assert_int_equal(large.done, 8);
    assert_int_equal(r.finished, 2);
}

TEST(batcher_ends_with_everything_done)
{
    struct record r;
    struct batcher *b = start(&r, 4, 1000);
    struct kind_job job[50];
    set_open(&r, true);
    for (int i = 0; i < 50; i++) {
        job[i] = job_of(&r, 1 + i % 3, i % 2);
        assert_true(batcher_add(b, &job[i].job));
    }
    batcher_free(b);
    assert_int_equal(r.finished, 50);
    for (int i = 0; i < 50; i++)
        assert_int_equal(job[i].done, 1 + i % 3);
}
