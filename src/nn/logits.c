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
    l->count = NULL;
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
    measure(l->at.at + row * l->at.row + from, block_width(logits_count(l, row), from),
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
    l->norm[row] = norm_of(l->most.at + row * l->most.row, l->sum.at + row * l->sum.row,
                           logits_blocks(logits_count(l, row)));
}

void logits_measure(const struct logits *l, int row)
{
    for (int block = 0; block < logits_blocks(logits_count(l, row)); block++)
        measure_block(l, row, block);
    finish(l, row);
}

/* ---- Forward ---- */

enum { ROWS_MOST = 192 }; /* rows computed together */

struct part_job {
    const struct packed *W;
    const real *b;
    struct gemm_scratch *gemm; /* holds the packed rows of o */
    struct logits logits;      /* of these rows */
};

static void make_block(void *argument, int block)
{
    const struct part_job *job = argument;
    const struct view out = job->logits.at;
    const int from = block * LOGITS_BLOCK, width = block_width(out.cols, from);
    for (int i = 0; i < out.rows; i++)
        memcpy(out.at + i * out.row + from, job->b + from, (size_t)width * sizeof(real));
    gemm_left_product(job->gemm, job->W, out, true, from, from + width);
    for (int i = 0; i < out.rows && !job->logits.count; i++)
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

/* Keep the logits of a sentence's own words. */
static void pick(const struct logits *l, int row, const int *column, int count)
{
    real *x = l->at.at + row * l->at.row;
    for (int k = 0; k < count; k++)
        x[k] = x[column[k]];
    l->count[row] = count;
    logits_measure(l, row);
}

static void finish_rows(const struct logits *l, const struct logits_words *words,
                        const int *sentence)
{
    for (int i = 0; i < l->at.rows; i++) {
        const int *start = words ? words->start + sentence[i] : NULL;
        if (words)
            pick(l, i, words->column + start[0], start[1] - start[0]);
        else
            finish(l, i);
    }
}

/* Rows [first, first + rows) of W's columns. */
static struct logits rows_of(const struct logits *l, int first, int rows, int cols)
{
    return (struct logits){.at = view_cols(view_rows(l->at, first, rows), 0, cols),
                           .most = view_rows(l->most, first, rows),
                           .sum = view_rows(l->sum, first, rows),
                           .norm = l->norm + first,
                           .count = l->count ? l->count + first : NULL};
}

static void forward(struct part_job *job, struct view o, const struct logits *l,
                    const struct logits_words *words, const int *sentence)
{
    const int fit = gemm_left_rows(job->W), most = fit < ROWS_MOST ? fit : ROWS_MOST;
    for (int first = 0; first < o.rows; first += most) {
        const int rows = o.rows - first < most ? o.rows - first : most;
        job->logits = rows_of(l, first, rows, job->W->N);
        gemm_left_pack(job->gemm, view_rows(o, first, rows), job->W);
        make_blocks(job, logits_blocks(job->W->N));
        finish_rows(&job->logits, words, sentence ? sentence + first : NULL);
    }
}

void logits_forward(const struct cross_entropy *layer, struct compute *c, struct view o,
                    const struct logits *l)
{
    struct part_job job = {.W = &layer->forward, .b = layer->b.value, .gemm = &c->gemm};
    forward(&job, o, l, NULL, NULL);
}

/* ---- Some words ---- */

void logits_words_bind(struct logits_words *w, struct arena *arena,
                       const struct cross_entropy *layer, int words)
{
    (layer->forward.int8.K ? packed_bind_int8 : packed_bind)(&w->W, arena, layer->R, words);
    w->b = arena_take(arena, sizeof *w->b, (size_t)words);
}

void logits_words_take(struct logits_words *w, const struct cross_entropy *layer, const int *word,
                       int count)
{
    packed_gather(&w->W, &layer->forward, word, count);
    for (int k = 0; k < count; k++)
        w->b[k] = layer->b.value[word[k]];
}

void logits_forward_words(const struct logits_words *words, struct compute *c, struct view o,
                          const int *sentence, const struct logits *l)
{
    struct part_job job = {.W = &words->W, .b = words->b, .gemm = &c->gemm};
    forward(&job, o, l, words, sentence);
}
