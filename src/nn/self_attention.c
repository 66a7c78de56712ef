#include "nn/self_attention.h"

#include "base/arena.h"
#include "tensor/vec.h"

#include <math.h>
#include <string.h>

void self_attention_bind(struct self_attention_work *w, struct arena *arena, int S, int team,
                         bool training)
{
    const int block = S < SELF_ATTENTION_BLOCK ? S : SELF_ATTENTION_BLOCK;
    const size_t size = (size_t)team * (size_t)block * (size_t)S;
    w->S = S;
    w->weight = arena_take(arena, sizeof(real), size);
    w->d_weight = training ? arena_take(arena, sizeof(real), size) : NULL;
}

/* ---- A head of a sentence, and its blocks ---- */

/* The columns of one head in the rows of one sentence. */
struct head {
    const struct self_attention *l;
    int b, g, S, d;
    real scale; /* 1 / sqrt(d) */
    struct view q, k, v;
};

/* Part 0, 1 or 2 of a slab (N, 3 H), or part 0 of (N, H). */
static struct view part_of(const struct head *h, struct view slab, int part)
{
    const int H = h->d * h->l->heads;
    return view_cols(view_rows(slab, h->l->start[h->b], h->S), part * H + h->g * h->d, h->d);
}

static struct head head_of(const struct self_attention *l, int b, int g)
{
    const int d = l->qkv.cols / 3 / l->heads;
    struct head h = {
        .l = l, .b = b, .g = g, .S = l->length[b], .d = d, .scale = (real)(1 / sqrt(d))};
    h.q = part_of(&h, l->qkv, 0);
    h.k = part_of(&h, l->qkv, 1);
    h.v = part_of(&h, l->qkv, 2);
    return h;
}

/* Words from .. from + count - 1 look. */
struct block {
    int from, count;
};

static struct block block_at(const struct head *h, int from)
{
    const int left = h->S - from;
    return (struct block){from, left < SELF_ATTENTION_BLOCK ? left : SELF_ATTENTION_BLOCK};
}

static struct view block_rows(struct view v, struct block k)
{
    return view_rows(v, k.from, k.count);
}

/* A thread's own part of the work space. */
static struct view block_work(const struct self_attention_work *w, real *of, int thread,
                              struct block k, int S)
{
    const int most = w->S < SELF_ATTENTION_BLOCK ? w->S : SELF_ATTENTION_BLOCK;
    return view_of(of + (size_t)thread * (size_t)most * (size_t)w->S, k.count, S);
}

static void drop(const struct head *h, struct block k, struct view weight)
{
    for (int i = 0; i < k.count; i++)
        dropout_row(h->l->dropout, h->l->site + DROPOUT_SITES * h->g, h->l->item[h->b], k.from + i,
                    weight.at + i * weight.row, h->S);
}

SIMD_BODY void scale_row_body(real *x, real scale, int n)
{
    for (int j = 0; j < n; j++)
        x[j] *= scale;
}
SIMD_STATIC(scale_row, (real * x, real scale, int n), (x, scale, n))

/* A = softmax(q k^T / sqrt(d)) of a block. */
static void weigh(const struct head *h, struct gemm_scratch *scratch, struct block k,
                  struct view weight)
{
    gemm(scratch, block_rows(h->q, k), view_transposed(h->k), weight, false);
    for (int i = 0; i < k.count; i++) {
        scale_row(weight.at + i * weight.row, h->scale, h->S);
        vec_softmax(weight.at + i * weight.row, h->S);
    }
}

void self_attention_weights(const struct self_attention *l, struct compute *c, int b, int g,
                            struct view A)
{
    const struct head h = head_of(l, b, g);
    weigh(&h, &c->gemm, (struct block){0, h.S}, A);
}

/* ---- Forward: y = dropout(A) v ---- */

static void head_forward(const struct head *h, const struct self_attention_work *w,
                         struct compute *c, struct view y)
{
    for (int from = 0; from < h->S; from += SELF_ATTENTION_BLOCK) {
        const struct block k = block_at(h, from);
        const struct view weight = block_work(w, w->weight, c->worker->index, k, h->S);
        weigh(h, &c->gemm, k, weight);
        drop(h, k, weight);
        gemm(&c->gemm, weight, h->v, block_rows(y, k), false);
    }
}

void self_attention_forward(const struct self_attention *l, const struct self_attention_work *w,
                            struct compute *c, struct view y)
{
    for (int i = c->worker->index; i < l->B * l->heads; i += c->worker->count) {
        const struct head h = head_of(l, i / l->heads, i % l->heads);
        head_forward(&h, w, c, part_of(&h, y, 0));
    }
}

/* ---- Backward ---- */

/* a = softmax(e), e = s / sqrt(d): d_a becomes d_s = a (d_a - sum a d_a) / sqrt(d) */
SIMD_BODY void softmax_row_backward_body(const real *a, real *d, real scale, int n)
{
    real along = 0;
#pragma omp simd reduction(+ : along)
    for (int j = 0; j < n; j++)
        along += a[j] * d[j];
    for (int j = 0; j < n; j++)
        d[j] = scale * a[j] * (d[j] - along);
}
SIMD_STATIC(softmax_row_backward, (const real *a, real *d, real scale, int n), (a, d, scale, n))

/* The gradients of a head's columns, and where they go. */
struct head_gradient {
    struct view y, q, k, v;
};

/* d_v += dropout(A)^T d_y. Leaves A without dropout, and a copy with it in `work`. */
static void value_backward(const struct head *h, struct compute *c, struct block k,
                           struct view weight, struct view work, const struct head_gradient *d)
{
    memcpy(work.at, weight.at, (size_t)k.count * (size_t)h->S * sizeof(real));
    drop(h, k, work);
    gemm(&c->gemm, view_transposed(work), block_rows(d->y, k), d->v, k.from > 0);
}

static void block_backward(const struct head *h, const struct self_attention_work *w,
                           struct compute *c, struct block k, const struct head_gradient *d)
{
    const struct view weight = block_work(w, w->weight, c->worker->index, k, h->S);
    const struct view d_weight = block_work(w, w->d_weight, c->worker->index, k, h->S);
    weigh(h, &c->gemm, k, weight);
    value_backward(h, c, k, weight, d_weight, d);
    gemm(&c->gemm, block_rows(d->y, k), view_transposed(h->v), d_weight, false);
    drop(h, k, d_weight);
    for (int i = 0; i < k.count; i++)
        softmax_row_backward(weight.at + i * weight.row, d_weight.at + i * d_weight.row, h->scale,
                             h->S);
    gemm(&c->gemm, d_weight, h->k, block_rows(d->q, k), false);
    gemm(&c->gemm, view_transposed(d_weight), block_rows(h->q, k), d->k, k.from > 0);
}

void self_attention_backward(const struct self_attention *l, const struct self_attention_work *w,
                             struct compute *c, struct view d_y, struct view d_qkv)
{
    for (int i = c->worker->index; i < l->B * l->heads; i += c->worker->count) {
        const struct head h = head_of(l, i / l->heads, i % l->heads);
        const struct head_gradient d = {part_of(&h, d_y, 0), part_of(&h, d_qkv, 0),
                                        part_of(&h, d_qkv, 1), part_of(&h, d_qkv, 2)};
        for (int from = 0; from < h.S; from += SELF_ATTENTION_BLOCK)
            block_backward(&h, w, c, block_at(&h, from), &d);
    }
}
