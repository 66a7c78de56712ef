#include "base/threads.h"

#include "base/bug.h"
#include "base/cores.h"
#include "base/error.h"

#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#if defined(__x86_64__)
#include <xmmintrin.h>
#endif

/* How long to spin before sleeping: about 50 microseconds of pauses. */
enum { SPINS = 2000, YIELDS = 64 };

struct team {
    int count;
    team_fn *fn;
    void *job;
    atomic_uint arrived, round; /* the barrier: members here, and how often it opened */
    atomic_uint posted;         /* jobs started so far */
    atomic_bool closing;
    pthread_mutex_t lock; /* with `wake`: for members that stopped spinning */
    pthread_cond_t wake;
    atomic_int sleepers;
    struct member {
        struct worker worker;
        pthread_t thread;
    } * member; /* (count) */
};

/* ---- Waiting for a counter to leave a value: spin, then yield, then sleep ---- */

static void pause_briefly(void)
{
#if defined(__x86_64__)
    _mm_pause();
#endif
}

void threads_wait(int i)
{
    if (i < SPINS)
        pause_briefly();
    else
        sched_yield();
}

static void sleep_while(struct team *t, atomic_uint *counter, unsigned value)
{
    pthread_mutex_lock(&t->lock);
    atomic_fetch_add(&t->sleepers, 1);
    while (atomic_load(counter) == value)
        pthread_cond_wait(&t->wake, &t->lock);
    atomic_fetch_sub(&t->sleepers, 1);
    pthread_mutex_unlock(&t->lock);
}

static void wait_while(struct team *t, atomic_uint *counter, unsigned value)
{
    for (int i = 0; i < SPINS + YIELDS; i++) {
        if (atomic_load_explicit(counter, memory_order_acquire) != value)
            return;
        threads_wait(i);
    }
    sleep_while(t, counter, value);
}

/* Sequentially consistent on purpose: a sleeper counts itself and then reads the counter; we
 * advance the counter and then read the number of sleepers. At least one of the two sees the
 * other. */
static void advance(struct team *t, atomic_uint *counter)
{
    atomic_fetch_add(counter, 1);
    if (atomic_load(&t->sleepers) == 0)
        return;
    pthread_mutex_lock(&t->lock);
    pthread_cond_broadcast(&t->wake);
    pthread_mutex_unlock(&t->lock);
}

void worker_meet(struct worker *w)
{
    struct team *t = w->team;
    if (w->count == 1)
        return;
    const unsigned round = atomic_load(&t->round);
    if (atomic_fetch_add(&t->arrived, 1) + 1 < (unsigned)t->count) {
        wait_while(t, &t->round, round);
        return;
    }
    atomic_store(&t->arrived, 0);
    advance(t, &t->round);
}

/* ---- The floating-point mode: denormals are zero while a job runs ---- */

static unsigned float_mode_enter(void)
{
#if defined(__x86_64__)
    const unsigned saved = _mm_getcsr();
    _mm_setcsr(saved | 0x8040); /* flush results and inputs to zero */
    return saved;
#else
    return 0;
#endif
}

static void float_mode_leave(unsigned saved)
{
#if defined(__x86_64__)
    _mm_setcsr(saved);
#else
    (void)saved;
#endif
}

/* ---- The team ---- */

static void *member_main(void *argument)
{
    struct worker *w = argument;
    struct team *t = w->team;
    float_mode_enter();
    for (unsigned seen = 0;; seen++) {
        wait_while(t, &t->posted, seen);
        if (atomic_load(&t->closing))
            return NULL;
        t->fn(w, t->job);
        worker_meet(w);
    }
}

enum attend_status team_new(struct team **out, int count, struct attend_error *err)
{
    BUG_ON(count < 1);
    struct team *t = calloc(1, sizeof *t);
    if (t)
        t->member = calloc((size_t)count, sizeof *t->member);
    if (!t || !t->member) {
        free(t);
        return error_set(err, ATTEND_NO_MEMORY, "out of memory for %d threads", count);
    }
    pthread_mutex_init(&t->lock, NULL);
    pthread_cond_init(&t->wake, NULL);
    t->count = 1;
    t->member[0].worker = (struct worker){.team = t, .index = 0, .count = count};
    for (int i = 1; i < count; i++) {
        t->member[i].worker = (struct worker){.team = t, .index = i, .count = count};
        const int failure =
            pthread_create(&t->member[i].thread, NULL, member_main, &t->member[i].worker);
        if (failure) {
            team_free(t);
            return error_set(err, ATTEND_NO_MEMORY, "cannot start thread %d of %d: %s", i + 1,
                             count, strerror(failure));
        }
        t->count = i + 1;
    }
    *out = t;
    return ATTEND_OK;
}

void team_run(struct team *t, team_fn *fn, void *job)
{
    const unsigned mode = float_mode_enter();
    t->fn = fn;
    t->job = job;
    if (t->count > 1)
        advance(t, &t->posted);
    fn(&t->member[0].worker, job);
    worker_meet(&t->member[0].worker);
    float_mode_leave(mode);
}

int team_size(const struct team *t) { return t->count; }

void team_free(struct team *t)
{
    if (!t)
        return;
    atomic_store(&t->closing, true);
    advance(t, &t->posted);
    for (int i = 1; i < t->count; i++)
        pthread_join(t->member[i].thread, NULL);
    pthread_cond_destroy(&t->wake);
    pthread_mutex_destroy(&t->lock);
    free(t->member);
    free(t);
}

void worker_share(const struct worker *w, int n, int block, int *from, int *to)
{
    const long blocks = ((long)n + block - 1) / block;
    const long first = blocks * w->index / w->count * block,
               last = blocks * (w->index + 1) / w->count * block;
    *from = (int)(first < n ? first : n);
    *to = (int)(last < n ? last : n);
}

struct worker worker_alone(void) { return (struct worker){.count = 1}; }

/* Counts the cores that the process may run on; 0 when the system does not say. */
static int physical_cores(void)
{
#ifdef __linux__
    cpu_set_t mask;
    bool allowed[CPU_SETSIZE];
    if (sched_getaffinity(0, sizeof mask, &mask) != 0)
        return 0;
    for (int i = 0; i < CPU_SETSIZE; i++)
        allowed[i] = CPU_ISSET(i, &mask);
    const int cores = cores_count("/sys/devices/system/cpu", allowed, CPU_SETSIZE);
    return cores > 0 ? cores : CPU_COUNT(&mask);
#else
    return 0;
#endif
}

int threads_available(void)
{
    const long cores = physical_cores(), count = cores > 0 ? cores : sysconf(_SC_NPROCESSORS_ONLN);
    return count < 1 ? 1 : count > THREADS_MOST ? THREADS_MOST : (int)count;
}

int threads_allowed(void)
{
#ifdef __linux__
    cpu_set_t mask;
    if (sched_getaffinity(0, sizeof mask, &mask) == 0)
        return CPU_COUNT(&mask);
#endif
    const long count = sysconf(_SC_NPROCESSORS_ONLN);
    return count < 1 ? 1 : count > THREADS_MOST ? THREADS_MOST : (int)count;
}
