#include "base/threads.h"

#include "test.h"

#include <limits.h>
#include <pthread.h>
#include <sched.h>
#include <stdbool.h>
#include <time.h>
#if defined(__x86_64__)
#include <xmmintrin.h>
#endif

enum { MOST = 5 };

static struct team *start(int count)
{
    struct team *team = NULL;
    assert_int_equal(team_new(&team, count, NULL), ATTEND_OK);
    assert_int_equal(team_size(team), count);
    return team;
}

static void rest(long microseconds)
{
    const struct timespec time = {.tv_nsec = microseconds * 1000};
    nanosleep(&time, NULL);
}

/* ---- Runs ---- */

struct tally {
    int runs[MOST];  /* per member */
    int count[MOST]; /* team size as this member saw it */
};

static void tally_run(struct worker *w, void *job)
{
    struct tally *t = job;
    t->runs[w->index]++;
    t->count[w->index] = w->count;
}

TEST(team_run_runs_every_member_once)
{
    for (int n = 1; n <= MOST; n++) {
        struct team *team = start(n);
        struct tally t = {{0}, {0}};
        team_run(team, tally_run, &t);
        for (int i = 0; i < MOST; i++) {
            assert_int_equal(t.runs[i], i < n);
            assert_int_equal(t.count[i], i < n ? n : 0);
        }
        team_free(team);
    }
}

TEST(team_run_returns_when_all_are_done_ten_thousand_times)
{
    for (int n = 1; n <= 2; n++) {
        struct team *team = start(n);
        struct tally t = {{0}, {0}};
        for (int run = 1; run <= 10000; run++) {
            team_run(team, tally_run, &t);
            for (int i = 0; i < n; i++)
                if (t.runs[i] != run)
                    assert_int_equal(t.runs[i], run);
        }
        team_free(team);
    }
}

/* Longer than members spin, so they sleep and must be woken. */
TEST(team_run_wakes_members_that_sleep)
{
    struct team *team = start(3);
    struct tally t = {{0}, {0}};
    for (int run = 1; run <= 100; run++) {
        rest(run % 5 * 500);
        team_run(team, tally_run, &t);
        for (int i = 0; i < 3; i++)
            assert_int_equal(t.runs[i], run);
    }
    team_free(team);
}

static void note_thread(struct worker *w, void *job)
{
    ((pthread_t *)job)[w->index] = pthread_self();
}

TEST(team_run_makes_the_caller_member_zero)
{
    pthread_t threads[2];
    struct team *team = start(2);
    team_run(team, note_thread, threads);
    assert_true(pthread_equal(threads[0], pthread_self()));
    assert_false(pthread_equal(threads[1], pthread_self()));
    team_free(team);
}

TEST(team_free_takes_teams_that_never_ran_and_null)
{
    for (int i = 0; i < 50; i++)
        team_free(start(1 + i % MOST));
    team_free(NULL);
}

/* A team inside another team's run, as a library call inside a callback would start it. */
static void run_inner(struct worker *w, void *job)
{
    struct tally *t = job;
    struct team *inner = NULL;
    if (team_new(&inner, 2, NULL) == ATTEND_OK) {
        for (int i = 0; i < 10; i++)
            team_run(inner, tally_run, &t[w->index]);
        team_free(inner);
    }
}

TEST(teams_may_be_nested)
{
    struct team *team = start(3);
    struct tally t[3] = {0};
    team_run(team, run_inner, t);
    for (int i = 0; i < 3; i++) {
        assert_int_equal(t[i].runs[0], 10);
        assert_int_equal(t[i].runs[1], 10);
    }
    team_free(team);
}

/* ---- The barrier ---- */

struct rounds {
    int count;
    bool uneven;      /* members arrive at different times, some asleep */
    int at[MOST][16]; /* the current round of each member; padded to a cache line */
    int wrong[MOST];
};

static void meet_often(struct worker *w, void *job)
{
    struct rounds *r = job;
    for (int round = 1; round <= r->count; round++) {
        if (r->uneven && round % w->count == w->index)
            rest(300);
        r->at[w->index][0] = round;
        worker_meet(w);
        for (int i = 0; i < w->count; i++)
            r->wrong[w->index] += r->at[i][0] != round;
        worker_meet(w);
    }
}

static void check_rounds(int members, int count, bool uneven)
{
    struct team *team = start(members);
    struct rounds r = {.count = count, .uneven = uneven};
    team_run(team, meet_often, &r);
    for (int i = 0; i < members; i++) {
        assert_int_equal(r.at[i][0], count);
        assert_int_equal(r.wrong[i], 0);
    }
    team_free(team);
}

TEST(worker_meet_shows_everyones_writes_in_every_round)
{
    check_rounds(1, 1000, false);
    check_rounds(2, 5000, false);
    check_rounds(3, 500, false);
    check_rounds(MOST, 200, false);
}

TEST(worker_meet_holds_when_some_come_late)
{
    check_rounds(2, 100, true);
    check_rounds(4, 100, true);
}

TEST(worker_alone_meets_itself)
{
    struct worker w = worker_alone();
    assert_int_equal(w.count, 1);
    assert_int_equal(w.index, 0);
    worker_meet(&w);
}

/* ---- Shares ---- */

static void check_shares(int n, int block, int count)
{
    int next = 0;
    for (int i = 0; i < count; i++) {
        const struct worker w = {.index = i, .count = count};
        int from, to;
        worker_share(&w, n, block, &from, &to);
        assert_int_equal(from, next);
        assert_true(to >= from && to <= n);
        assert_true(from % block == 0 || from == n);
        assert_true(to - from <= (n / block / count + 2) * (long)block);
        next = to;
    }
    assert_int_equal(next, n);
}

TEST(worker_share_covers_all_once_at_multiples_of_the_block)
{
    const int blocks[] = {1, 2, 7, 16, 64};
    for (int b = 0; b < 5; b++)
        for (int count = 1; count <= 9; count++)
            for (int n = 0; n <= 300; n++)
                check_shares(n, blocks[b], count);
}

TEST(worker_share_divides_the_largest_number_of_items)
{
    check_shares(INT_MAX, 1, 7);
    check_shares(INT_MAX, 16, 256);
    check_shares(INT_MAX - 3, 64, 3);
}

TEST(worker_alone_has_it_all)
{
    const struct worker w = worker_alone();
    int from, to;
    worker_share(&w, 33, 16, &from, &to);
    assert_int_equal(from, 0);
    assert_int_equal(to, 33);
}

/* ---- Denormals ---- */

static bool denormals_are_zero(void)
{
    volatile float small = 2e-38f, tenth = 0.1f; /* volatile: computed at run time */
    volatile float product = small * tenth;
    return product == 0;
}

static void note_denormals(struct worker *w, void *job)
{
    ((bool *)job)[w->index] = denormals_are_zero();
}

/* False on processors whose mode we do not set, and under emulators that ignore it. */
static bool mode_can_be_set(void)
{
    bool works = false;
#if defined(__x86_64__)
    const unsigned saved = _mm_getcsr();
    _mm_setcsr(saved | 0x8040);
    works = denormals_are_zero();
    _mm_setcsr(saved);
#endif
    return works;
}

TEST(team_run_flushes_denormals_inside_and_restores_the_caller)
{
    if (!mode_can_be_set())
        skip();
    for (int n = 1; n <= 3; n++) {
        bool zero[3] = {false};
        struct team *team = start(n);
        team_run(team, note_denormals, zero);
        for (int i = 0; i < n; i++)
            assert_true(zero[i]);
        assert_false(denormals_are_zero());
        team_free(team);
    }
}

TEST(threads_available_is_at_least_one) { assert_in_range(threads_available(), 1, THREADS_MOST); }

#ifdef __linux__
/* A process that may use one processor has one core, however many the machine has. */
TEST(threads_available_keeps_to_the_processors_of_the_process)
{
    cpu_set_t before, one;
    assert_int_equal(sched_getaffinity(0, sizeof before, &before), 0);
    int first = 0;
    while (!CPU_ISSET(first, &before))
        first++;
    CPU_ZERO(&one);
    CPU_SET(first, &one);
    assert_int_equal(sched_setaffinity(0, sizeof one, &one), 0);
    const int threads = threads_available();
    assert_int_equal(sched_setaffinity(0, sizeof before, &before), 0);
    assert_int_equal(threads, 1);
}
#endif
