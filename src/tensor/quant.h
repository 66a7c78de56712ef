/* Products with int8 weights, for inference only:
 *
 *     W_kj = s_j q_kj        q integer in [-127, 127], s_j = max_k |W_kj| / 127
 *     x_ik = r_i p_ik        p integer in [-1023, 1023], r_i = max_k |x_ik| / 1023
 *     y_ij = r_i s_j sum_k p_ik q_kj
 *
 * Weights are quantized once, when a file is written; inputs are quantized row by row when they are
 * multiplied. Inputs have 11 bits because AVX2 multiplies pairs of 16-bit numbers into 32-bit sums
 * (vpmaddwd) as fast as 8-bit ones, which would saturate in 16 bits without extra work on signs. A
 * sum cannot overflow: it is at most 16384 * 1023 * 127 < 2^31. Integer sums are exact in any order
 * and at every SIMD level, so a row's result depends neither on its neighbors nor on the number of
 * threads. Between levels only the scaling of the sums may differ, in the last bit. Dims: M rows, K
 * inner size, N columns. */
#ifndef ATTEND_TENSOR_QUANT_H
#define ATTEND_TENSOR_QUANT_H

#include "tensor/view.h"

#include <stdbool.h>
#include <stdint.h>

struct arena;

enum { QUANT_WEIGHT = 127, QUANT_INPUT = 1023, QUANT_DEPTH = 16384 };

/* An int8 matrix that somebody else owns: element (i, j) is scale[j] * at[i * row + j * col]. */
struct quant_view {
    const int8_t *at;
    int rows, cols;
    ptrdiff_t row, col;
    const float *scale; /* (cols) */
};

/* Quantize n finite weights that share a scale. */
void quant_weights(const real *w, ptrdiff_t stride, int n, int8_t *q, ptrdiff_t q_stride,
                   float *scale);
/* out = q * scale. */
void quant_expand(const int8_t *q, float scale, int n, real *out);

/* A right-hand side (K, N) rearranged for the kernel; K <= QUANT_DEPTH. */
struct quant_panels {
    int K, N;
    int8_t *at;
    real *scale; /* (N) */
};
void quant_bind(struct quant_panels *, struct arena *, int K, int N);
/* Fill columns [from, to) of the panels where B, whose first column is n0, covers them. B has K
 * rows; from and to are multiples of gemm_column_block() or the end. */
void quant_fill(struct quant_panels *, struct quant_view B, int n0, int from, int to);

/* Scratch memory: quantized rows and their scales. */
struct quant_work {
    int16_t *x;
    real *scale;
    int size, rows; /* elements of x, at least QUANT_DEPTH, and of scale */
};
/* Columns [from, to) of C = A B or C += A B; A and C have unit column stride. */
void quant_product(const struct quant_work *, struct view A, const struct quant_panels *B,
                   struct view C, bool add, int from, int to);
/* The same in two parts, see gemm_left_pack. */
int quant_left_rows(const struct quant_work *, const struct quant_panels *B);
void quant_left_round(const struct quant_work *, struct view A, const struct quant_panels *B);
void quant_left_product(const struct quant_work *, const struct quant_panels *B, struct view C,
                        bool add, int from, int to);
/* The same by plain loops, without scratch memory: the reference for tests. */
void quant_plain(struct view A, struct quant_view B, struct view C, bool add);

#endif
