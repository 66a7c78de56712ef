#include "nn/logits.h"

#include "base/arena.h"
#include "tensor/vec.h"

#include <string.h>

void logits_bind(struct logits *l, struct arena *arena, int M, int V)
{
    const int blocks = logits_blocks(V);
    const size_t rows = (size_t)M;
    l->at = view_of(arena_take(arena, sizeof(real), rows * (size_t)V), M, V);
    l->most = view_of(arena_take(arena, sizeof(real), rows * (size_t)blocks), M, blocks);
    l->norm = arena_take(arena, sizeof(real), rows);
}

/* A sum of exponentials as it grows: sum exp(x - max). */
struct running {
    real max, sum;
};

/* One block of a row: its largest, and its share of the sum. */
SIMD_BODY void add_block_body(const real *x, int n, struct running *row, real *most)
{
    real max = x[0], sum = 0;
#pragma omp simd reduction(max : max)
    for (int i = 0; i < n; i++)
        max = x[i] > max ? x[i] : max;
    *most = max;
    const real high = max > row->max ? max : row->max;
    if (!(high > -(real)INFINITY)) /* nothing is possible so far */
        return;
#pragma omp simd reduction(+ : sum)
    for (int i = 0; i < n; i++)
        sum += fast_exp(x[i] - high);
    row->sum = row->sum * fast_exp(row->max - high) + sum;
    row->max = high;
}
SIMD_STATIC(add_block, (const real *x, int n, struct running *row, real *most), (x, n, row, most))

static const struct running nothing = {-(real)INFINITY, 0};

static real finish(struct running r) { return r.max + (real)log((double)r.sum); }

static int block_width(int V, int from)
{
    return V - from < LOGITS_BLOCK ? V - from : LOGITS_BLOCK;
}

static void measure_block(const struct logits *l, int row, int from, struct running *r)
{
    add_block(l->at.at + row * l->at.row + from, block_width(l->at.cols, from), r,
              l->most.at + row * l->most.row + from / LOGITS_BLOCK);
}

void logits_measure(const struct logits *l, int row)
{
    struct running r = nothing;
    for (int from = 0; from < l->at.cols; from += LOGITS_BLOCK)
        measure_block(l, row, from, &r);
    l->norm[row] = finish(r);
}

enum { ROWS_MOST = 192 }; /* that are worked on together */

/* Rows [first, first + count). */
static void forward_rows(const struct cross_entropy *layer, struct compute *c, struct view o,
                         const struct logits *l, int first, int count)
{
    const struct view in = view_rows(o, first, count), out = view_rows(l->at, first, count);
    struct running sum[ROWS_MOST];
    for (int i = 0; i < count; i++)
        sum[i] = nothing;
    gemm_left_pack(&c->gemm, in, &layer->forward);
    for (int from = 0; from < layer->V; from += LOGITS_BLOCK) {
        const int width = block_width(layer->V, from);
        for (int i = 0; i < count; i++)
            memcpy(out.at + i * out.row + from, layer->b.value + from,
                   (size_t)width * sizeof(real));
        gemm_left_product(&c->gemm, &layer->forward, out, true, from, from + width);
        for (int i = 0; i < count; i++)
            measure_block(l, first + i, from, &sum[i]);
    }
    for (int i = 0; i < count; i++)
        l->norm[first + i] = finish(sum[i]);
}

void logits_forward(const struct cross_entropy *layer, struct compute *c, struct view o,
                    const struct logits *l)
{
    const int fit = gemm_left_rows(&layer->forward), most = fit < ROWS_MOST ? fit : ROWS_MOST;
    for (int first = 0; first < o.rows; first += most)
        forward_rows(layer, c, o, l, first, o.rows - first < most ? o.rows - first : most);
}
