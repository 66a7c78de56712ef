#include "nn/dot_product.h"

int dot_product_key_width(const struct attention_dims *dims) { return dims->H; }

/* ---- Scores ---- */

SIMD_BODY void dot_product_scores_body(const struct attention_rows *rows, int heads, real scale)
{
    const struct view key = rows->key;
    const int n = key.cols / heads, S = rows->weight.cols / heads;
    for (int i = 0; i < rows->weight.rows; i++) {
        const int b = attention_sentence(rows, i);
        for (int g = 0; g < heads; g++) {
            const real *state = rows->state.at + i * rows->state.row + g * n;
            real *e = rows->weight.at + i * rows->weight.row + g * S;
            for (int j = 0; j < rows->length[b]; j++)
                e[j] =
                    scale * dot_product(state, key.at + (rows->start[b] + j) * key.row + g * n, n);
        }
    }
}
SIMD_FUNCTION(dot_product_scores, (const struct attention_rows *rows, int heads, real scale),
              (rows, heads, scale))

/* e = x . y */
SIMD_BODY void dot_backward(const real *x, const real *y, real d_e, real *d_x, real *d_y, int n)
{
#pragma omp simd
    for (int h = 0; h < n; h++) {
        d_x[h] += d_e * y[h];
        d_y[h] += d_e * x[h];
    }
}

SIMD_BODY void dot_product_scores_backward_body(const struct attention_rows *rows,
                                                const struct attention_gradient *gradient,
                                                int heads, real scale)
{
    const struct view key = rows->key, d_key = gradient->d_key, d_weight = gradient->d_weight;
    const int n = key.cols / heads, S = rows->weight.cols / heads;
    for (int i = 0; i < rows->weight.rows; i++) {
        const int b = attention_sentence(rows, i);
        for (int g = 0; g < heads; g++) {
            const real *state = rows->state.at + i * rows->state.row + g * n;
            const real *d_e = d_weight.at + i * d_weight.row + g * S;
            real *d_state = gradient->d_state.at + i * gradient->d_state.row + g * n;
            for (int j = 0; j < rows->length[b]; j++) {
                const ptrdiff_t row = rows->start[b] + j;
                dot_backward(state, key.at + row * key.row + g * n, scale * d_e[j], d_state,
                             d_key.at + row * d_key.row + g * n, n);
            }
        }
    }
}
SIMD_FUNCTION(dot_product_scores_backward,
              (const struct attention_rows *rows, const struct attention_gradient *gradient,
               int heads, real scale),
              (rows, gradient, heads, scale))

/* ---- A window of a row ---- */

SIMD_BODY void dot_product_reach_body(const struct attention_rows *rows, int i, int from, int to)
{
    const struct view key = rows->key;
    const int start = rows->start[attention_sentence(rows, i)];
    const real *state = rows->state.at + i * rows->state.row;
    real *e = rows->weight.at + i * rows->weight.row;
    for (int j = from; j < to; j++)
        e[j] = dot_product(state, key.at + (start + j) * key.row, key.cols);
}
SIMD_FUNCTION(dot_product_reach, (const struct attention_rows *rows, int i, int from, int to),
              (rows, i, from, to))

SIMD_BODY void dot_product_reach_backward_body(const struct attention_rows *rows,
                                               const struct attention_gradient *g, int i, int from,
                                               int to)
{
    const struct view key = rows->key, d_key = g->d_key;
    const int start = rows->start[attention_sentence(rows, i)];
    const real *state = rows->state.at + i * rows->state.row;
    const real *d_e = g->d_weight.at + i * g->d_weight.row;
    real *d_state = g->d_state.at + i * g->d_state.row;
    for (int j = from; j < to; j++)
        dot_backward(state, key.at + (start + j) * key.row, d_e[j], d_state,
                     d_key.at + (start + j) * d_key.row, key.cols);
}
SIMD_FUNCTION(dot_product_reach_backward,
              (const struct attention_rows *rows, const struct attention_gradient *g, int i,
               int from, int to),
              (rows, g, i, from, to))

/* ---- Softmax ---- */

void dot_product_softmax(const struct attention_rows *rows, int heads)
{
    for (int i = 0; i < rows->weight.rows; i++)
        for (int g = 0; g < heads; g++)
            attention_weigh(rows, i, (struct attention_head){g, heads}, 0,
                            rows->length[attention_sentence(rows, i)]);
}

void dot_product_softmax_backward(const struct attention_rows *rows,
                                  const struct attention_gradient *gradient, int heads)
{
    const struct view d_weight = gradient->d_weight;
    const int S = rows->weight.cols / heads;
    for (int i = 0; i < rows->weight.rows; i++)
        for (int g = 0; g < heads; g++)
            attention_softmax_backward(rows->weight.at + i * rows->weight.row + g * S,
                                       d_weight.at + i * d_weight.row + g * S, 0,
                                       rows->length[attention_sentence(rows, i)], S);
}

/* ---- Both ---- */

void dot_product_forward(const struct attention *l, const struct attention_rows *rows)
{
    dot_product_scores(rows, l->dims.heads, 1);
    dot_product_softmax(rows, l->dims.heads);
}

void dot_product_backward(const struct attention *l, const struct attention_rows *rows,
                          const struct attention_gradient *gradient)
{
    dot_product_softmax_backward(rows, gradient, l->dims.heads);
    dot_product_scores_backward(rows, gradient, l->dims.heads, 1);
}
