#include "bench/peak.h"

#include "base/arena.h"
#include "base/clock.h"
#include "nn/linear.h"

#include <dlfcn.h>
#include <string.h>

enum { SIZE = 2048, REPEATS = 3 };

struct job {
    real *a, *b, *c;
    struct compute *compute; /* (team) */
};

static double rate(double seconds) { return 2e-9 * SIZE * SIZE * (double)SIZE / seconds; }

static void multiply(struct worker *w, void *argument)
{
    const struct job *job = argument;
    struct compute *c = &job->compute[w->index];
    int from, to;
    worker_share(w, SIZE, gemm_column_block(), &from, &to);
    gemm(&c->gemm, view_of(job->a, SIZE, SIZE),
         view_cols(view_of(job->b, SIZE, SIZE), from, to - from),
         view_cols(view_of(job->c, SIZE, SIZE), from, to - from), false);
}

static double own_peak(struct team *team, struct job *job)
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

/* OpenBLAS is looked for when the program runs, so that nothing but this measurement depends on it.
 * The constants are those of the CBLAS interface: row-major, not transposed. */
enum { CBLAS_ROW_MAJOR = 101, CBLAS_NO_TRANS = 111 };
typedef void sgemm_fn(int order, int trans_a, int trans_b, int m, int n, int k, float alpha,
                      const float *a, int lda, const float *b, int ldb, float beta, float *c,
                      int ldc);
struct blas {
    void *library;
    sgemm_fn *sgemm;
    int (*get_threads)(void);
    void (*set_threads)(int);
};

/* A function of the library; the copy is POSIX's way from an object pointer to a function pointer.
 */
static void find(void *library, const char *name, void *function)
{
    void *found = library ? dlsym(library, name) : NULL;
    memcpy(function, &found, sizeof found);
}

static struct blas blas_open(void)
{
    struct blas blas = {.library = dlopen("libopenblas.so.0", RTLD_NOW | RTLD_LOCAL)};
    find(blas.library, "cblas_sgemm", &blas.sgemm);
    find(blas.library, "openblas_get_num_threads", &blas.get_threads);
    find(blas.library, "openblas_set_num_threads", &blas.set_threads);
    return blas;
}

/* OpenBLAS counts its threads for the whole process: what the application had is put back. */
static double blas_peak(int threads, const struct job *job)
{
    double best = 0;
#ifndef ATTEND_REAL_DOUBLE
    const struct blas blas = blas_open();
    if (!blas.sgemm || !blas.get_threads || !blas.set_threads)
        return 0;
    const int before = blas.get_threads();
    blas.set_threads(threads);
    for (int i = 0; i <= REPEATS; i++) {
        const double start = clock_seconds();
        blas.sgemm(CBLAS_ROW_MAJOR, CBLAS_NO_TRANS, CBLAS_NO_TRANS, SIZE, SIZE, SIZE, 1, job->a,
                   SIZE, job->b, SIZE, 0, job->c, SIZE);
        const double reached = rate(clock_seconds() - start);
        best = reached > best ? reached : best;
    }
    blas.set_threads(before);
#else
    (void)threads, (void)job, (void)blas_open;
#endif
    return best;
}

static void bind(struct job *job, struct arena *arena, int team)
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
    struct job job;
    bind(&job, &count, team_size(team));
    const enum attend_status status = arena_reserve(&arena, count.used, err);
    if (status)
        return status;
    bind(&job, &arena, team_size(team));
    for (int i = 0; i < SIZE * SIZE; i++) {
        job.a[i] = (real)(i % 7) - 3;
        job.b[i] = (real)(i % 5) - 2;
    }
    *out = (struct peak){.own = own_peak(team, &job), .blas = blas_peak(team_size(team), &job)};
    arena_release(&arena);
    return ATTEND_OK;
}
