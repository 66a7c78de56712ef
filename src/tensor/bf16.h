/* Products whose operands are rounded to bf16, the upper half of a float, for training:
 *
 *     c_ij (+)= sum_k bf16(a_ik) bf16(b_kj)        sums are floats
 *
 * The processor multiplies pairs of neighbors along K and adds both products to one sum
 * (vdpbf16ps), in the time of a single float. A pair takes the place of a float in packed operands,
 * so they are packed, divided into tiles and walked like floats that are half as deep; an odd K ends
 * with a zero. tensor/gemm.c has the loops over blocks. */
#ifndef ATTEND_TENSOR_BF16_H
#define ATTEND_TENSOR_BF16_H

#include "tensor/view.h"

#include <stdbool.h>

/* Whether the processor has AVX512_BF16 and the SIMD level in use is AVX-512. The functions below
 * need it, except for the plain loop. */
bool bf16_available(void);

enum { BF16_TILE_ROWS = 12 };

static inline int bf16_depth(int K) { return (K + 1) / 2; }

/* A as pairs (rows, depth) in `to`, which lie in memory as A does: by rows or by columns. */
struct view bf16_pairs(real *to, struct view A);

/* Write B to the row k0 and the column n0 of panels for K rows. */
void bf16_fill(real *panels, int K, struct view B, int k0, int n0);

/* One packed block of pairs of A, (M, depth), times a row of panels. */
void bf16_product(const real *a, int M, int depth, const real *panels, struct view C, bool add);

/* By plain loops, with the sum of each element in double: the reference for tests. */
void bf16_plain(struct view A, struct view B, struct view C, bool add);

#endif
