/* Products with int8 weights, for inference only:
 *
 *     W_kj = s_j q_kj        q integer in [-127, 127], s_j = max_k |W_kj| / 127
 *     x_ik = r_i p_ik        p integer in [-P, P], r_i = max_k |x_ik| / P
 *     y_ij = r_i s_j sum_k p_ik q_kj
 *
 * Weights are quantized once, when a file is written; inputs are quantized row by row when they are
 * multiplied. What P is depends on the processor (tensor/quant_form.h): 127 with AVX-512 VNNI, which
 * multiplies bytes, and 1023 elsewhere. A sum cannot overflow: it is at most 16384 * 1023 * 127 <
 * 2^31. Integer sums are exact in any order, so a row's result depends neither on its neighbors nor
 * on the number of threads; and with the same P only the scaling of the sums may differ between
 * processors, in the last bit. Dims: M rows, K inner size, N columns. */
#ifndef ATTEND_TENSOR_QUANT_H
#define ATTEND_TENSOR_QUANT_H

#include "tensor/view.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct arena;
struct quant_form;

enum { QUANT_WEIGHT = 127, QUANT_DEPTH = 16384, QUANT_BYTES = 2 * QUANT_DEPTH };

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
/* The smallest of n weights and 0: below -QUANT_WEIGHT, they are not of quant_weights. */
int quant_least(const int8_t *q, size_t n);
/* out = q * scale. */
void quant_expand(const int8_t *q, float scale, int n, real *out);

/* A right-hand side (K, N) rearranged for the kernel of a form; K <= QUANT_DEPTH. */
struct quant_panels {
    const struct quant_form *form;
    int K, N;
    int8_t *at;
    int32_t *start; /* (N, rounded up) where sums start, or NULL if at 0 */
    real *scale;    /* (N) */
};
/* In the best form of the SIMD level in use. */
void quant_bind(struct quant_panels *, struct arena *, int K, int N);
void quant_bind_as(struct quant_panels *, struct arena *, int K, int N, const struct quant_form *);
/* Fill columns [from, to) of the panels where B, whose first column is n0, covers them. B has K
 * rows; from and to are multiples of gemm_column_block() or the end. */
void quant_fill(struct quant_panels *, struct quant_view B, int n0, int from, int to);

/* Let `to` be these columns of `from`, see packed_gather. */
void quant_gather(struct quant_panels *to, const struct quant_panels *from, const int *column,
                  int count);

/* Scratch memory: quantized rows and their scales. */
struct quant_work {
    void *x;
    real *scale;
    int size, rows; /* bytes of x, at least QUANT_BYTES, and elements of scale */
};
/* Columns [from, to) of C = A B or C += A B; A and C have unit column stride. */
void quant_product(const struct quant_work *, struct view A, const struct quant_panels *B,
                   struct view C, bool add, int from, int to);
/* The same in two parts, see gemm_left_pack. */
int quant_left_rows(const struct quant_work *, const struct quant_panels *B);
void quant_left_round(const struct quant_work *, struct view A, const struct quant_panels *B);
void quant_left_product(const struct quant_work *, const struct quant_panels *B, struct view C,
                        bool add, int from, int to);
/* The same by plain loops for inputs in [-input, input], without scratch memory: the reference for
 * tests. */
void quant_plain(struct view A, struct quant_view B, struct view C, bool add, int input);

#endif
