/* Shared by mechanisms that multiply state and key. Head g owns columns [g H/G, (g + 1) H/G) of
 * both, and columns g S .. g S + S - 1 of the weights:
 *
 *     e_gij = scale s_gi . k_gj */
#ifndef ATTEND_NN_DOT_PRODUCT_H
#define ATTEND_NN_DOT_PRODUCT_H

#include "nn/attention.h"
#include "tensor/simd.h"

SIMD_BODY real dot_product(const real *x, const real *y, int n)
{
    real sum = 0;
#pragma omp simd reduction(+ : sum)
    for (int h = 0; h < n; h++)
        sum += x[h] * y[h];
    return sum;
}

/* For attention_ops: H, the width of a key. */
int dot_product_key_width(const struct attention_dims *);

/* Row i of a mechanism with one head and no scale, over positions [from, to) only. */
void dot_product_reach(const struct attention_rows *, int i, int from, int to);
void dot_product_reach_backward(const struct attention_rows *, const struct attention_gradient *,
                                int i, int from, int to);

/* Writes the scores of each sentence's positions to `weight`; other columns are not touched. */
void dot_product_scores(const struct attention_rows *, int heads, real scale);
/* d_weight holds the gradient of the scores; d_state and d_key are added to. */
void dot_product_scores_backward(const struct attention_rows *, const struct attention_gradient *,
                                 int heads, real scale);

/* The softmax of every head over the sentence's positions, and its backward: d_weight becomes
 * d_e. */
void dot_product_softmax(const struct attention_rows *, int heads);
void dot_product_softmax_backward(const struct attention_rows *, const struct attention_gradient *,
                                  int heads);

/* Scores and softmax: a complete mechanism without scaling, for attention_ops. */
void dot_product_forward(const struct attention *, const struct attention_rows *);
void dot_product_backward(const struct attention *, const struct attention_rows *,
                          const struct attention_gradient *);

#endif
