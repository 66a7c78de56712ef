/* Location-aware attention (Chorowski et al. 2015): the additive score also sees where the step
 * before has looked. K filters k of 2 R + 1 taps are convolved with the previous weights:
 *
 *     f_ij = sum over r = -R .. R of k_r a'_{i,j+r}          (K); a' is 0 outside the sentence
 *     e_ij = v . tanh(query_i + key_j + f_ij W)              query = W_query s + b_query, key = W_key h
 *
 * The carry is a', which is 0 before the first step. The filters, (K, 2 R + 1), and W, (K, A), are
 * declared as vectors, so that they stay floats in a model of int8.
 *
 * Backward computes f and tanh again: storing them would take (T, S, B, K + A). */
#include "nn/attention.h"

#include "base/bug.h"
#include "tensor/vec.h"

enum { V, FILTERS, W };           /* indices of extra[] */
enum { MOST = 64, AT_ONCE = 64 }; /* filters; columns of the hidden layer in a block */

static int width(const struct attention_dims *dims) { return dims->A; }

static int carry_width(const struct attention_dims *dims, int S)
{
    (void)dims;
    return S;
}

static int taps(const struct attention *l) { return 2 * l->dims.reach + 1; }

static void declare(struct attention *l, struct param_set *set, const char *path)
{
    const int A = l->dims.A, K = l->dims.filters;
    BUG_ON(K < 1 || K > MOST || l->dims.reach < 1);
    param_declare(set, &l->extra[V], path, "v", 1, A);
    param_declare(set, &l->extra[FILTERS], path, "filters", 1, K * taps(l));
    param_declare(set, &l->extra[W], path, "W_location", 1, K * A);
    param_start(&l->extra[V], PARAM_NORMAL, 1 / sqrt(A));
    param_start(&l->extra[FILTERS], PARAM_NORMAL, 1 / sqrt(taps(l)));
    param_start(&l->extra[W], PARAM_NORMAL, 1 / sqrt(K));
}

/* The positions [from, to) of a sentence that the taps around j cover; `tap` is that of `from`. */
struct cover {
    int from, to, tap;
};

static struct cover cover_of(const struct attention *l, int j, int length)
{
    const int first = j - l->dims.reach, last = j + l->dims.reach + 1;
    const int from = first > 0 ? first : 0;
    return (struct cover){from, last < length ? last : length, from - first};
}

/* ---- Forward ---- */

/* f_k = sum over the cover of filter_k a' */
SIMD_BODY void convolve(const struct attention *l, const real *before, struct cover c, real *f)
{
    const real *filter = l->extra[FILTERS].value + c.tap;
    for (int k = 0; k < l->dims.filters; k++, filter += taps(l)) {
        real sum = 0;
#pragma omp simd reduction(+ : sum)
        for (int p = 0; p < c.to - c.from; p++)
            sum += filter[p] * before[c.from + p];
        f[k] = sum;
    }
}

/* x = query + key + f W, for the n columns from a0. */
SIMD_BODY void hidden(const struct attention *l, const real *query, const real *key, const real *f,
                      int a0, int n, real *x)
{
    for (int a = 0; a < n; a++)
        x[a] = query[a0 + a] + key[a0 + a];
    for (int k = 0; k < l->dims.filters; k++) {
        const real *w = l->extra[W].value + k * l->dims.A + a0;
        for (int a = 0; a < n; a++)
            x[a] += f[k] * w[a];
    }
}

static int block_size(int A, int a0) { return A - a0 < AT_ONCE ? A - a0 : AT_ONCE; }

/* e = v . tanh(x) */
SIMD_BODY real score(const struct attention *l, const real *query, const real *key, const real *f)
{
    const real *v = l->extra[V].value;
    const int A = l->dims.A;
    real x[AT_ONCE], e = 0;
    for (int a0 = 0; a0 < A; a0 += AT_ONCE) {
        const int n = block_size(A, a0);
        hidden(l, query, key, f, a0, n, x);
#pragma omp simd reduction(+ : e)
        for (int a = 0; a < n; a++)
            e += v[a0 + a] * fast_tanh(x[a]);
    }
    return e;
}

SIMD_BODY void scores_body(const struct attention *l, const struct attention_rows *rows)
{
    const struct view key = rows->key;
    real f[MOST];
    for (int i = 0; i < rows->weight.rows; i++) {
        const int b = attention_sentence(rows, i), length = rows->length[b];
        const real *query = rows->query.at + i * rows->query.row,
                   *before = rows->carry_in.at + i * rows->carry_in.row;
        real *e = rows->weight.at + i * rows->weight.row;
        for (int j = 0; j < length; j++) {
            convolve(l, before, cover_of(l, j, length), f);
            e[j] = score(l, query, key.at + (rows->start[b] + j) * key.row, f);
        }
    }
}
SIMD_STATIC(scores, (const struct attention *l, const struct attention_rows *rows), (l, rows))

static void forward(const struct attention *l, const struct attention_rows *rows)
{
    scores(l, rows);
    for (int i = 0; i < rows->weight.rows; i++) {
        attention_weigh(rows, i, ATTENTION_ONE_HEAD, 0, rows->length[attention_sentence(rows, i)]);
        memcpy(rows->carry_out.at + i * rows->carry_out.row, rows->weight.at + i * rows->weight.row,
               (size_t)rows->carry_out.cols * sizeof(real));
    }
}

/* ---- Backward ---- */

/* One position of a row; the gradients are added to, except d_f. */
struct position {
    const real *query, *key, *f, *before;
    struct cover cover;
    real d_e;
    real *d_query, *d_key, *d_before;
    real d_f[MOST];
};

/* x = query + key + f W, with d = d_x in the n columns from a0. */
SIMD_BODY void hidden_backward(const struct attention *l, const struct attention_gradient *g,
                               struct position *p, int a0, int n, const real *d)
{
    for (int a = 0; a < n; a++) {
        p->d_query[a0 + a] += d[a];
        p->d_key[a0 + a] += d[a];
    }
    for (int k = 0; k < l->dims.filters; k++) {
        const real *w = l->extra[W].value + k * l->dims.A + a0;
        real *d_w = g->d_extra[W] + k * l->dims.A + a0, sum = 0;
#pragma omp simd reduction(+ : sum)
        for (int a = 0; a < n; a++) {
            d_w[a] += p->f[k] * d[a];
            sum += d[a] * w[a];
        }
        p->d_f[k] += sum;
    }
}

/* e = v . tanh(x) */
SIMD_BODY void score_backward(const struct attention *l, const struct attention_gradient *g,
                              struct position *p)
{
    const real *v = l->extra[V].value;
    const int A = l->dims.A;
    real x[AT_ONCE], *d_v = g->d_extra[V];
    for (int k = 0; k < l->dims.filters; k++)
        p->d_f[k] = 0;
    for (int a0 = 0; a0 < A; a0 += AT_ONCE) {
        const int n = block_size(A, a0);
        hidden(l, p->query, p->key, p->f, a0, n, x);
#pragma omp simd
        for (int a = 0; a < n; a++) {
            const real t = fast_tanh(x[a]);
            d_v[a0 + a] += p->d_e * t;
            x[a] = p->d_e * v[a0 + a] * (1 - t * t);
        }
        hidden_backward(l, g, p, a0, n, x);
    }
}

/* f_k = sum over the cover of filter_k a' */
SIMD_BODY void convolve_backward(const struct attention *l, const struct attention_gradient *g,
                                 const struct position *p)
{
    const int tap = p->cover.tap, n = p->cover.to - p->cover.from;
    const real *filter = l->extra[FILTERS].value + tap, *before = p->before + p->cover.from;
    real *d_filter = g->d_extra[FILTERS] + tap, *d_before = p->d_before + p->cover.from;
    for (int k = 0; k < l->dims.filters; k++, filter += taps(l), d_filter += taps(l))
#pragma omp simd
        for (int q = 0; q < n; q++) {
            d_filter[q] += p->d_f[k] * before[q];
            d_before[q] += p->d_f[k] * filter[q];
        }
}

SIMD_BODY void scores_backward_body(const struct attention *l, const struct attention_rows *rows,
                                    const struct attention_gradient *g)
{
    real f[MOST];
    for (int i = 0; i < rows->weight.rows; i++) {
        const int b = attention_sentence(rows, i), length = rows->length[b];
        struct position p = {.query = rows->query.at + i * rows->query.row,
                             .f = f,
                             .before = rows->carry_in.at + i * rows->carry_in.row,
                             .d_query = g->d_query.at + i * g->d_query.row,
                             .d_before = g->d_carry_in.at + i * g->d_carry_in.row};
        for (int j = 0; j < length; j++) {
            const ptrdiff_t row = rows->start[b] + j;
            p.key = rows->key.at + row * rows->key.row;
            p.d_key = g->d_key.at + row * g->d_key.row;
            p.d_e = g->d_weight.at[i * g->d_weight.row + j];
            p.cover = cover_of(l, j, length);
            convolve(l, p.before, p.cover, f);
            score_backward(l, g, &p);
            convolve_backward(l, g, &p);
        }
    }
}
SIMD_STATIC(scores_backward,
            (const struct attention *l, const struct attention_rows *rows,
             const struct attention_gradient *g),
            (l, rows, g))

static void backward(const struct attention *l, const struct attention_rows *rows,
                     const struct attention_gradient *g)
{
    for (int i = 0; i < rows->weight.rows; i++) {
        const int length = rows->length[attention_sentence(rows, i)];
        real *d_e = g->d_weight.at + i * g->d_weight.row;
        vec_add(d_e, g->d_carry_out.at + i * g->d_carry_out.row, (size_t)length);
        attention_softmax_backward(rows->weight.at + i * rows->weight.row, d_e, 0, length,
                                   rows->weight.cols);
        vec_zero(g->d_query.at + i * g->d_query.row, (size_t)l->Q);
    }
    scores_backward(l, rows, g);
}

const struct attention_ops attention_location_aware = {
    .name = "location_aware",
    .help = "additive, with filters over the last weights (Chorowski et al. 2015)",
    .alias = "chorowski",
    .keys = ATTENTION_PROJECTED_KEYS,
    .query_width = width,
    .key_width = width,
    .carry_width = carry_width,
    .declare = declare,
    .forward = forward,
    .backward = backward,
};
