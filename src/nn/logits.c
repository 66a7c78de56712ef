#include "nn/logits.h"

#include "base/arena.h"
#include "base/assist.h"
#include "tensor/vec.h"

#include <float.h>
#include <string.h>

void logits_bind(struct logits *l, struct arena *arena, int M, int V)
{
    const int blocks = logits_blocks(V);
    const size_t rows = (size_t)M;
    l->at = view_of(arena_take(arena, sizeof(real), rows * (size_t)V), M, V);
    l->most = view_of(arena_take(arena, sizeof(real), rows * (size_t)blocks), M, blocks);
    l->sum = view_of(arena_take(arena, sizeof(real), rows * (size_t)blocks), M, blocks);
    l->norm = arena_take(arena, sizeof(real), rows);
}

/* One block of a row: its maximum and its share of the sum; 0 if all logits are -infinity. Some
 * compilers start a max reduction at the lowest finite number, so only larger values count as
 * logits. */
SIMD_BODY void measure_body(const real *x, int n, real *most, real *share)
{
    const real lowest = sizeof(real) == sizeof(float) ? -(real)FLT_MAX : -(real)DBL_MAX;
    real max = lowest, sum = 0;
#pragma omp simd reduction(max : max)
    for (int i = 0; i < n; i++)
        max = x[i] > max ? x[i] : max;
#pragma omp simd reduction(+ : sum)
    for (int i = 0; i < n; i++)
        sum += fast_exp(x[i] - max);
    *most = max > lowest ? max : -(real)INFINITY;
    *share = max > lowest ? sum : 0;
}
SIMD_STATIC(measure, (const real *x, int n, real *most, real *share), (x, n, most, share))

static int block_width(int V, int from)
{
    return V - from < LOGITS_BLOCK ? V - from : LOGITS_BLOCK;
}

static void measure_block(const struct logits *l, int row, int block)
{
    const int from = block * LOGITS_BLOCK;
    measure(l->at.at + row * l->at.row + from, block_width(l->at.cols, from),
            l->most.at + row * l->most.row + block, l->sum.at + row * l->sum.row + block);
}

/* log sum exp of a row, from the values of its blocks. */
static real norm_of(const real *most, const real *sum, int blocks)
{
    double max = -(double)INFINITY, all = 0;
    for (int b = 0; b < blocks; b++) /* not fmax: gcc 12 crashes on it here, for ARM */
        max = (double)most[b] > max ? (double)most[b] : max;
    for (int b = 0; b < blocks; b++)
        all += sum[b] > 0 ? (double)sum[b] * exp((double)most[b] - max) : 0;
    return (real)(max + log(all));
}

static void finish(const struct logits *l, int row)
{
    l->norm[row] =
        norm_of(l->most.at + row * l->most.row, l->sum.at + row * l->sum.row, l->most.cols);
}

void logits_measure(const struct logits *l, int row)
{
    for (int block = 0; block < l->most.cols; block++)
        measure_block(l, row, block);
    finish(l, row);
}

/* ---- Forward ---- */

enum { ROWS_MOST = 192 }; /* rows computed together */

struct part_job {
    const struct cross_entropy *layer;
    struct gemm_scratch *gemm; /* holds the packed rows of o */
    struct logits logits;      /* of these rows */
};

static void make_block(void *argument, int block)
{
    const struct part_job *job = argument;
    const struct view out = job->logits.at;
    const int from = block * LOGITS_BLOCK, width = block_width(out.cols, from);
    for (int i = 0; i < out.rows; i++)
        memcpy(out.at + i * out.row + from, job->layer->b.value + from,
               (size_t)width * sizeof(real));
    gemm_left_product(job->gemm, &job->layer->forward, out, true, from, from + width);
    for (int i = 0; i < out.rows; i++)
        measure_block(&job->logits, i, block);
}

static void make_blocks(struct part_job *job, int blocks)
{
    if (job->gemm->assist) {
        assist_run(job->gemm->assist, make_block, job, blocks);
        return;
    }
    for (int block = 0; block < blocks; block++)
        make_block(job, block);
}

void logits_forward(const struct cross_entropy *layer, struct compute *c, struct view o,
                    const struct logits *l)
{
    const int fit = gemm_left_rows(&layer->forward), most = fit < ROWS_MOST ? fit : ROWS_MOST;
    for (int first = 0; first < o.rows; first += most) {
        const int rows = o.rows - first < most ? o.rows - first : most;
        struct part_job job = {layer,
                               &c->gemm,
                               {view_rows(l->at, first, rows), view_rows(l->most, first, rows),
                                view_rows(l->sum, first, rows), l->norm + first}};
        gemm_left_pack(&c->gemm, view_rows(o, first, rows), &layer->forward);
        make_blocks(&job, logits_blocks(layer->V));
        for (int i = 0; i < rows; i++)
            finish(&job.logits, i);
    }
}
