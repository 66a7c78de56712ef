#include "bench/peak.h"

#include "base/arena.h"
#include "base/clock.h"
#include "bench/blas.h"
#include "nn/linear.h"

enum { SIZE = 2048, REPEATS = 3 };

struct peak_job {
    real *a, *b, *c;
    struct compute *compute; /* (team) */
};

static double rate(double seconds) { return 2e-9 * SIZE * SIZE * (double)SIZE / seconds; }

static void multiply(struct worker *w, void *argument)
{
    const struct peak_job *job = argument;
    struct compute *c = &job->compute[w->index];
    int from, to;
    worker_share(w, SIZE, gemm_column_block(), &from, &to);
    gemm(&c->gemm, view_of(job->a, SIZE, SIZE),
         view_cols(view_of(job->b, SIZE, SIZE), from, to - from),
         view_cols(view_of(job->c, SIZE, SIZE), from, to - from), false);
}

static double own_peak(struct team *team, struct peak_job *job)
{
    double best = 0;
    for (int i = 0; i <= REPEATS; i++) {
        const double start = clock_seconds();
        team_run(team, multiply, job);
        const double reached = rate(clock_seconds() - start);
        best = reached > best ? reached : best;
    }
    return best;
}

static double blas_peak(int threads, const struct peak_job *job)
{
    double best = 0;
    struct blas blas;
    if (!blas_open(&blas, threads))
        return 0;
    for (int i = 0; i <= REPEATS; i++) {
        const double start = clock_seconds();
        blas_product(&blas, SIZE, SIZE, SIZE, job->a, job->b, job->c);
        const double reached = rate(clock_seconds() - start);
        best = reached > best ? reached : best;
    }
    blas_close(&blas);
    return best;
}

static void bind(struct peak_job *job, struct arena *arena, int team)
{
    const size_t elements = (size_t)SIZE * SIZE;
    job->a = arena_take(arena, sizeof(real), elements);
    job->b = arena_take(arena, sizeof(real), elements);
    job->c = arena_take(arena, sizeof(real), elements);
    struct compute *compute = arena_take(arena, sizeof *compute, (size_t)team);
    job->compute = compute;
    for (int i = 0; i < team; i++) {
        struct gemm_scratch scratch;
        gemm_scratch_bind(&scratch, arena);
        if (compute)
            compute[i].gemm = scratch;
    }
}

enum attend_status peak_measure(struct peak *out, struct team *team, struct attend_error *err)
{
    struct arena count = {0}, arena = {0};
    struct peak_job job;
    bind(&job, &count, team_size(team));
    const enum attend_status status = arena_reserve(&arena, count.used, err);
    if (status)
        return status;
    bind(&job, &arena, team_size(team));
    for (int i = 0; i < SIZE * SIZE; i++) {
        job.a[i] = (real)(i % 7) - 3;
        job.b[i] = (real)(i % 5) - 2;
    }
    const double own = own_peak(team, &job), blas = blas_peak(team_size(team), &job);
    *out = (struct peak){.own = own, .blas = blas, .best = own > blas ? own : blas};
    arena_release(&arena);
    return ATTEND_OK;
}
