/* Additive attention (Bahdanau, Cho and Bengio 2014):
 *
 *     e_ij = v . tanh(query_i + key_j)                 query = W_query s + b_query, key = W_key h
 *
 * With coverage (after Tu et al. 2016 and See et al. 2017) the score of a word depends on the
 * attention that it has had: cov_ij, the sum of its weights at earlier steps, is the carry.
 *
 *     e_ij = v . tanh(query_i + key_j + cov_ij u)      cov' = cov + a
 *
 * Backward computes tanh again: storing it would take (T, S, B, A). */
#include "nn/attention.h"

#include "tensor/vec.h"

enum { V, U }; /* indices of extra[] */

static int width(const struct attention_dims *dims) { return dims->A; }

static int carry_width(const struct attention_dims *dims, int S) { return dims->coverage ? S : 0; }

static void declare(struct attention *l, struct param_set *set, const char *path)
{
    const int A = l->dims.A;
    param_declare(set, &l->extra[V], path, "v", 1, A);
    param_start(&l->extra[V], PARAM_NORMAL, 1 / sqrt(A));
    if (!l->dims.coverage)
        return;
    param_declare(set, &l->extra[U], path, "u", 1, A);
    param_start(&l->extra[U], PARAM_NORMAL, 1 / sqrt(A));
}

/* ---- Forward ---- */

/* e = v . tanh(query + key) */
SIMD_BODY real score(const real *v, const real *query, const real *key, int A)
{
    real e = 0;
#pragma omp simd reduction(+ : e)
    for (int a = 0; a < A; a++)
        e += v[a] * fast_tanh(query[a] + key[a]);
    return e;
}

/* e = v . tanh(query + key + cov u) */
SIMD_BODY real covered_score(const real *v, const real *query, const real *key, real cov,
                             const real *u, int A)
{
    real e = 0;
#pragma omp simd reduction(+ : e)
    for (int a = 0; a < A; a++)
        e += v[a] * fast_tanh(query[a] + key[a] + cov * u[a]);
    return e;
}

SIMD_BODY void scores_body(const struct attention *l, const struct attention_rows *rows)
{
    const struct view key = rows->key;
    for (int i = 0; i < rows->weight.rows; i++) {
        const int b = attention_sentence(rows, i);
        const real *query = rows->query.at + i * rows->query.row;
        real *e = rows->weight.at + i * rows->weight.row;
        for (int j = 0; j < rows->length[b]; j++)
            e[j] = score(l->extra[V].value, query, key.at + (rows->start[b] + j) * key.row, l->D);
    }
}
SIMD_STATIC(scores, (const struct attention *l, const struct attention_rows *rows), (l, rows))

SIMD_BODY void covered_scores_body(const struct attention *l, const struct attention_rows *rows)
{
    const struct view key = rows->key;
    for (int i = 0; i < rows->weight.rows; i++) {
        const int b = attention_sentence(rows, i);
        const real *query = rows->query.at + i * rows->query.row,
                   *cov = rows->carry_in.at + i * rows->carry_in.row;
        real *e = rows->weight.at + i * rows->weight.row;
        for (int j = 0; j < rows->length[b]; j++)
            e[j] = covered_score(l->extra[V].value, query, key.at + (rows->start[b] + j) * key.row,
                                 cov[j], l->extra[U].value, l->D);
    }
}
SIMD_STATIC(covered_scores, (const struct attention *l, const struct attention_rows *rows),
            (l, rows))

/* cov' = cov + a */
static void cover(const struct attention_rows *rows)
{
    for (int i = 0; i < rows->weight.rows; i++) {
        const int length = rows->length[attention_sentence(rows, i)];
        const real *weight = rows->weight.at + i * rows->weight.row,
                   *cov = rows->carry_in.at + i * rows->carry_in.row;
        real *out = rows->carry_out.at + i * rows->carry_out.row;
        for (int j = 0; j < length; j++)
            out[j] = cov[j] + weight[j];
        vec_zero(out + length, (size_t)(rows->carry_out.cols - length));
    }
}

static void forward(const struct attention *l, const struct attention_rows *rows)
{
    if (l->dims.coverage)
        covered_scores(l, rows);
    else
        scores(l, rows);
    for (int i = 0; i < rows->weight.rows; i++)
        attention_weigh(rows, i, ATTENTION_ONE_HEAD, 0, rows->length[attention_sentence(rows, i)]);
    if (l->dims.coverage)
        cover(rows);
}

/* ---- Backward ---- */

/* All (A), added to; d_u is NULL without coverage. */
struct score_gradient {
    real *d_query, *d_key, *d_v, *d_u;
};

/* e = v . tanh(query + key) */
SIMD_BODY void score_backward(const real *v, const real *query, const real *key, real d_e,
                              struct score_gradient g, int A)
{
#pragma omp simd
    for (int a = 0; a < A; a++) {
        const real t = fast_tanh(query[a] + key[a]), d = d_e * v[a] * (1 - t * t);
        g.d_query[a] += d;
        g.d_key[a] += d;
        g.d_v[a] += d_e * t;
    }
}

SIMD_BODY void scores_backward_body(const struct attention *l, const struct attention_rows *rows,
                                    const struct attention_gradient *g)
{
    const struct view key = rows->key, d_key = g->d_key;
    for (int i = 0; i < rows->weight.rows; i++) {
        const int b = attention_sentence(rows, i);
        const real *query = rows->query.at + i * rows->query.row,
                   *d_e = g->d_weight.at + i * g->d_weight.row;
        real *d_query = g->d_query.at + i * g->d_query.row;
        for (int j = 0; j < rows->length[b]; j++) {
            const ptrdiff_t row = rows->start[b] + j;
            score_backward(
                l->extra[V].value, query, key.at + row * key.row, d_e[j],
                (struct score_gradient){d_query, d_key.at + row * d_key.row, g->d_extra[V], NULL},
                l->D);
        }
    }
}
SIMD_STATIC(scores_backward,
            (const struct attention *l, const struct attention_rows *rows,
             const struct attention_gradient *g),
            (l, rows, g))

/* e = v . tanh(query + key + cov u); returns d_cov. */
SIMD_BODY real covered_score_backward(const struct attention *l, const real *query, const real *key,
                                      real cov, real d_e, struct score_gradient g)
{
    const real *v = l->extra[V].value, *u = l->extra[U].value;
    const int A = l->D;
    real d_cov = 0;
#pragma omp simd reduction(+ : d_cov)
    for (int a = 0; a < A; a++) {
        const real t = fast_tanh(query[a] + key[a] + cov * u[a]), d = d_e * v[a] * (1 - t * t);
        g.d_query[a] += d;
        g.d_key[a] += d;
        g.d_v[a] += d_e * t;
        g.d_u[a] += d * cov;
        d_cov += d * u[a];
    }
    return d_cov;
}

SIMD_BODY void covered_scores_backward_body(const struct attention *l,
                                            const struct attention_rows *rows,
                                            const struct attention_gradient *g)
{
    const struct view key = rows->key, d_key = g->d_key;
    for (int i = 0; i < rows->weight.rows; i++) {
        const int b = attention_sentence(rows, i);
        const real *query = rows->query.at + i * rows->query.row,
                   *cov = rows->carry_in.at + i * rows->carry_in.row,
                   *d_e = g->d_weight.at + i * g->d_weight.row;
        real *d_query = g->d_query.at + i * g->d_query.row,
             *d_cov = g->d_carry_in.at + i * g->d_carry_in.row;
        for (int j = 0; j < rows->length[b]; j++) {
            const ptrdiff_t row = rows->start[b] + j;
            d_cov[j] +=
                covered_score_backward(l, query, key.at + row * key.row, cov[j], d_e[j],
                                       (struct score_gradient){d_query, d_key.at + row * d_key.row,
                                                               g->d_extra[V], g->d_extra[U]});
        }
    }
}
SIMD_STATIC(covered_scores_backward,
            (const struct attention *l, const struct attention_rows *rows,
             const struct attention_gradient *g),
            (l, rows, g))

/* cov' = cov + a */
static void cover_backward(const struct attention_rows *rows, const struct attention_gradient *g)
{
    for (int i = 0; i < rows->weight.rows; i++) {
        const size_t length = (size_t)rows->length[attention_sentence(rows, i)];
        const real *d_out = g->d_carry_out.at + i * g->d_carry_out.row;
        vec_add(g->d_carry_in.at + i * g->d_carry_in.row, d_out, length);
        vec_add(g->d_weight.at + i * g->d_weight.row, d_out, length);
    }
}

static void backward(const struct attention *l, const struct attention_rows *rows,
                     const struct attention_gradient *g)
{
    if (l->dims.coverage)
        cover_backward(rows, g);
    for (int i = 0; i < rows->weight.rows; i++) {
        attention_softmax_backward(rows->weight.at + i * rows->weight.row,
                                   g->d_weight.at + i * g->d_weight.row, 0,
                                   rows->length[attention_sentence(rows, i)], rows->weight.cols);
        vec_zero(g->d_query.at + i * g->d_query.row, (size_t)l->Q);
    }
    if (l->dims.coverage)
        covered_scores_backward(l, rows, g);
    else
        scores_backward(l, rows, g);
}

const struct attention_ops attention_additive = {
    .name = "additive",
    .help = "v . tanh(W s + U h): Bahdanau's score; takes --coverage",
    .alias = "concat,bahdanau",
    .keys = ATTENTION_PROJECTED_KEYS,
    .coverage = true,
    .query_width = width,
    .key_width = width,
    .carry_width = carry_width,
    .declare = declare,
    .forward = forward,
    .backward = backward,
};
