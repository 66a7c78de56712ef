#include "bench/products.h"

#include "base/arena.h"
#include "base/clock.h"
#include "bench/blas.h"
#include "bench/peak.h"
#include "nn/linear.h"
#include "tensor/simd.h"

enum {
    K = 512,
    N = 2048,
    MOST = 1 << (ATTEND_BENCH_ROWS - 1), /* rows */
    /* numbers to read in a sweep: more than fits in the caches */
    MEMORY = 64 << 20,
    LINE = 16, /* of memory */
};
/* The minimum duration of a timing in seconds, and the number of timings of which the best
 * counts. */
static const double shortest = 0.01;
enum { TIMINGS = 3 };

struct product_job {
    struct compute *compute; /* (team) */
    struct packed floats, int8;
    int8_t *whole; /* (K, N) the int8 weights, and (N) their scales */
    float *scale;
    real *weight;               /* (K, N) */
    real *x, *y;                /* (MOST, K), (MOST, N) */
    uint32_t *memory;           /* (MEMORY) */
    uint32_t sum[THREADS_MOST]; /* each member's result, so that the sweep is not optimized away */
    int rows, times;
    size_t swept; /* numbers of `memory` that a sweep reads */
    const struct blas *blas;
};

/* ---- Work, repeated `times` times by every member of the team ---- */

static void multiply_packed(struct compute *c, struct product_job *job,
                            const struct packed *weights)
{
    for (int i = 0; i < job->times; i++) {
        linear_forward(c, view_of(job->x, job->rows, K), weights, view_of(job->y, job->rows, N),
                       false);
        worker_meet(c->worker);
    }
}

static void multiply_floats(struct worker *w, void *argument)
{
    struct product_job *job = argument;
    multiply_packed(&job->compute[w->index], job, &job->floats);
}

static void multiply_int8(struct worker *w, void *argument)
{
    struct product_job *job = argument;
    multiply_packed(&job->compute[w->index], job, &job->int8);
}

static void multiply_unpacked(struct worker *w, void *argument)
{
    struct product_job *job = argument;
    int from, to;
    worker_share(w, N, gemm_column_block(), &from, &to);
    for (int i = 0; i < job->times; i++) {
        gemm(&job->compute[w->index].gemm, view_of(job->x, job->rows, K),
             view_cols(view_of(job->weight, K, N), from, to - from),
             view_cols(view_of(job->y, job->rows, N), from, to - from), false);
        worker_meet(w);
    }
}

/* OpenBLAS has its own threads, so only one member calls it. */
static void multiply_blas(struct worker *w, void *argument)
{
    struct product_job *job = argument;
    for (int i = 0; i < job->times && w->index == 0; i++)
        blas_product(job->blas, job->rows, N, K, job->x, job->weight, job->y);
}

/* Bits are cheaper to combine than numbers are to add. */
SIMD_BODY void sweep_body(const uint32_t *x, size_t n, uint32_t *out)
{
    uint32_t bits = 0;
#pragma omp simd reduction(^ : bits)
    for (size_t i = 0; i < n; i++)
        bits ^= x[i];
    *out ^= bits;
}
SIMD_STATIC(sweep, (const uint32_t *x, size_t n, uint32_t *out), (x, n, out))

static void read_memory(struct worker *w, void *argument)
{
    struct product_job *job = argument;
    int from, to;
    worker_share(w, (int)job->swept, LINE, &from, &to);
    for (int i = 0; i < job->times; i++)
        sweep(job->memory + from, (size_t)(to - from), &job->sum[w->index]);
}

/* ---- Time ---- */

/* Seconds per execution, the best of several timings. */
static double seconds(struct team *team, team_fn *fn, struct product_job *job)
{
    double best = 0;
    job->times = 1;
    for (int timing = 0; timing < TIMINGS;) {
        const double start = clock_seconds();
        team_run(team, fn, job);
        const double passed = clock_seconds() - start;
        if (passed < shortest && job->times < 1 << 20) {
            job->times *= 2;
            continue;
        }
        const double each = passed / job->times;
        best = timing++ == 0 || each < best ? each : best;
    }
    return best;
}

static double rate(struct team *team, team_fn *fn, struct product_job *job)
{
    return 2e-9 * job->rows * N * K / seconds(team, fn, job);
}

static double bandwidth(struct team *team, struct product_job *job, size_t swept)
{
    job->swept = swept;
    return 1e-9 * (double)(swept * sizeof *job->memory) / seconds(team, read_memory, job);
}

double products_roof(int rows, int columns, int inner, double peak, double bandwidth)
{
    const double m = rows, n = columns, k = inner;
    const double bound = bandwidth * 2 * m * n * k / (4 * (m * k + k * n + m * n));
    return bound < peak ? bound : peak;
}

static void measure_rows(struct attend_bench_products *out, struct team *team,
                         struct product_job *job)
{
    struct blas blas;
    for (int i = 0; i < ATTEND_BENCH_ROWS; i++) {
        struct attend_bench_product *row = &out->row[i];
        job->rows = row->rows = 1 << i;
        row->packed = rate(team, multiply_floats, job);
        row->int8 = rate(team, multiply_int8, job);
        row->unpacked = rate(team, multiply_unpacked, job);
    }
    if (!blas_open(&blas, team_size(team)))
        return;
    job->blas = &blas;
    for (int i = 0; i < ATTEND_BENCH_ROWS; i++) {
        job->rows = out->row[i].rows;
        out->row[i].blas = rate(team, multiply_blas, job);
    }
    job->blas = NULL;
    blas_close(&blas);
}

static void set_roofs(struct attend_bench_products *out, double peak)
{
    for (int i = 0; i < ATTEND_BENCH_ROWS; i++) {
        struct attend_bench_product *row = &out->row[i];
        row->roof_memory = products_roof(row->rows, N, K, peak, out->memory_bandwidth);
        row->roof_cache = products_roof(row->rows, N, K, peak, out->cache_bandwidth);
    }
}

/* ---- Memory ---- */

static void bind(struct product_job *job, struct arena *arena, int team)
{
    packed_bind(&job->floats, arena, K, N);
    packed_bind_int8(&job->int8, arena, K, N);
    job->whole = arena_take(arena, 1, (size_t)K * N);
    job->scale = arena_take(arena, sizeof *job->scale, N);
    job->weight = arena_take(arena, sizeof(real), (size_t)K * N);
    job->x = arena_take(arena, sizeof(real), (size_t)MOST * K);
    job->y = arena_take(arena, sizeof(real), (size_t)MOST * N);
    job->memory = arena_take(arena, sizeof *job->memory, MEMORY);
    job->compute = arena_take(arena, sizeof *job->compute, (size_t)team);
    for (int i = 0; i < team; i++) {
        struct gemm_scratch scratch;
        gemm_scratch_bind(&scratch, arena);
        if (job->compute)
            job->compute[i].gemm = scratch;
    }
}

static void start(struct worker *w, void *argument)
{
    struct product_job *job = argument;
    job->compute[w->index].worker = w;
}

static void fill(struct product_job *job)
{
    for (int i = 0; i < K * N; i++) {
        job->whole[i] = (int8_t)(i % 11 - 5);
        job->weight[i] = (real)0.01 * job->whole[i];
    }
    for (int j = 0; j < N; j++)
        job->scale[j] = 0.01f;
    for (int i = 0; i < MOST * K; i++)
        job->x[i] = (real)(i % 7) - 3;
    for (int i = 0; i < MEMORY; i++)
        job->memory[i] = (uint32_t)i;
    const struct quant_view whole = {
        .at = job->whole, .rows = K, .cols = N, .row = N, .col = 1, .scale = job->scale};
    packed_fill(&job->floats, view_of(job->weight, K, N), 0, 0, 0, N);
    packed_fill_int8(&job->int8, whole, 0, 0, N);
}

enum attend_status products_measure(struct attend_bench_products *out, struct team *team,
                                    struct attend_error *err)
{
    struct arena count = {0}, arena = {0};
    struct product_job job = {0};
    struct peak peak;
    enum attend_status status = peak_measure(&peak, team, err);
    bind(&job, &count, team_size(team));
    if (!status)
        status = arena_reserve(&arena, count.used, err);
    if (status)
        return status;
    bind(&job, &arena, team_size(team));
    fill(&job);
    team_run(team, start, &job);
    *out = (struct attend_bench_products){.threads = team_size(team),
                                          .inner = K,
                                          .columns = N,
                                          .peak_blas = peak.blas,
                                          .peak_own = peak.own};
    out->memory_bandwidth = bandwidth(team, &job, MEMORY);
    out->cache_bandwidth = bandwidth(team, &job, (size_t)K * N);
    measure_rows(out, team, &job);
    set_roofs(out, peak.best);
    arena_release(&arena);
    return ATTEND_OK;
}
