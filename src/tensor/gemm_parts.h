/* Parts of the matrix product that its kernels for floats (gemm.c) and for bf16 (bf16.c) share. */
#ifndef ATTEND_TENSOR_GEMM_PARTS_H
#define ATTEND_TENSOR_GEMM_PARTS_H

#include "tensor/view.h"

#include <stdbool.h>

/* A panel of B is a cache line wide at every level, so packed weights do not depend on the level. A
 * block of A (BLOCK_M x BLOCK_K) stays in the second-level cache, the panels of a tile (BLOCK_K x
 * PANEL each) in the first. */
enum {
    PANEL = 64 / sizeof(real),
    BLOCK_M = 192,
    BLOCK_K = 256,
    BLOCK_N = 2048,
};

struct tile {
    const real *a, *b;
    int K;
    ptrdiff_t apart; /* from one panel of b to the next */
    real *c;
    ptrdiff_t stride;
    bool add;
};

/* Rows are divided evenly into tiles (with at most 6, 32 rows are 6 6 5 5 5 5, not 5 x 6 and a 2),
 * because thin tiles are slow. */
static inline int tile_start(int M, int tiles, int i) { return (int)((long)M * i / tiles); }

static inline int tile_count(int M, int most) { return (M + most - 1) / most; }

#endif
