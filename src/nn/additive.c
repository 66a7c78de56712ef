#include "nn/additive.h"

#include "tensor/vec.h"

void additive_declare(struct additive *l, struct param_set *set, const char *path, int H, int C,
                      int A)
{
    param_declare(set, &l->W_query, path, "W_query", H, A);
    param_declare(set, &l->b_query, path, "b_query", 1, A);
    param_declare(set, &l->W_key, path, "W_key", C, A);
    param_declare(set, &l->v, path, "v", 1, A);
    param_start(&l->W_query, PARAM_NORMAL, 1 / sqrt(H));
    param_start(&l->W_key, PARAM_NORMAL, 1 / sqrt(C));
    param_start(&l->v, PARAM_NORMAL, 1 / sqrt(A));
}

/* e = v . tanh(query + key) */
SIMD_BODY real score(const real *v, const real *query, const real *key, int A)
{
    real e = 0;
#pragma omp simd reduction(+ : e)
    for (int a = 0; a < A; a++)
        e += v[a] * fast_tanh(query[a] + key[a]);
    return e;
}

SIMD_BODY void scores_body(const struct additive *l, const struct attention_rows *rows,
                           struct view key)
{
    for (int i = 0; i < rows->query.rows; i++) {
        const int b = attention_sentence(rows, i);
        real *e = rows->weight.at + i * rows->weight.row;
        for (int j = 0; j < rows->length[b]; j++)
            e[j] = score(l->v.value, rows->query.at + i * rows->query.row,
                         key.at + (rows->start[b] + j) * key.row, key.cols);
    }
}
SIMD_STATIC(scores, (const struct additive *l, const struct attention_rows *rows, struct view key),
            (l, rows, key))

void additive_forward(const struct additive *l, const struct attention_rows *rows, struct view key)
{
    scores(l, rows, key);
    for (int i = 0; i < rows->query.rows; i++) {
        const int length = rows->length[attention_sentence(rows, i)];
        real *weight = rows->weight.at + i * rows->weight.row;
        vec_softmax(weight, length);
        vec_zero(weight + length, (size_t)(rows->weight.cols - length));
    }
}

/* a = softmax(e): d_e_j = a_j (d_a_j - sum_k a_k d_a_k), in place. */
static void softmax_backward(const real *weight, real *d, int n)
{
    real mean = 0;
    for (int j = 0; j < n; j++)
        mean += weight[j] * d[j];
    for (int j = 0; j < n; j++)
        d[j] = weight[j] * (d[j] - mean);
}

struct score_gradient {
    real *d_query, *d_key, *d_v; /* (A) each, added to */
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

SIMD_BODY void scores_backward_body(const struct additive *l, const struct attention_rows *rows,
                                    struct view key, struct view d_score, struct view d_query,
                                    struct view d_key, real *d_v)
{
    for (int i = 0; i < rows->query.rows; i++) {
        const int b = attention_sentence(rows, i);
        const real *query = rows->query.at + i * rows->query.row,
                   *d_e = d_score.at + i * d_score.row;
        for (int j = 0; j < rows->length[b]; j++) {
            const ptrdiff_t row = rows->start[b] + j;
            score_backward(l->v.value, query, key.at + row * key.row, d_e[j],
                           (struct score_gradient){d_query.at + i * d_query.row,
                                                   d_key.at + row * d_key.row, d_v},
                           key.cols);
        }
    }
}
SIMD_STATIC(scores_backward,
            (const struct additive *l, const struct attention_rows *rows, struct view key,
             struct view d_score, struct view d_query, struct view d_key, real *d_v),
            (l, rows, key, d_score, d_query, d_key, d_v))

void additive_backward(const struct additive *l, const struct attention_rows *rows, struct view key,
                       struct view d_weight, struct view d_query, struct view d_key, real *d_v)
{
    for (int i = 0; i < rows->query.rows; i++) {
        softmax_backward(rows->weight.at + i * rows->weight.row, d_weight.at + i * d_weight.row,
                         rows->length[attention_sentence(rows, i)]);
        vec_zero(d_query.at + i * d_query.row, (size_t)d_query.cols);
    }
    scores_backward(l, rows, key, d_weight, d_query, d_key, d_v);
}
