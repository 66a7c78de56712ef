/* Tiles of the matrix product at one SIMD level. gemm.c includes this file once for each level, and
 * bf16.c once for pairs of bf16 in the place of floats, with these macros:
 *
 *     LEVEL         plain, avx2, avx512 or bf16
 *     TILE_VECTOR   bytes of a vector
 *     TILE_SUMS     sums, in vectors, that stay in registers during the loop over K
 *     TILE_M        rows of a tile at most
 *     TILE_MULTIPLY_ADD(sum, a, b)  sum + a b for a number a and vectors; may be left out
 *
 * A tile is some rows by 1, 2, 4 or 8 panels: the fewer rows, the more panels, because a processor
 * adds to several sums while it waits for one. Each element is one chain of multiply-adds over K at
 * every level and in every tile. */
#define CONCAT_(a, b) a##_##b
#define CONCAT(a, b) CONCAT_(a, b)
#define HERE(name) CONCAT(name, LEVEL)
#define TARGET CONCAT(SIMD_TARGET, LEVEL)
#ifndef TILE_MULTIPLY_ADD
#define TILE_MULTIPLY_ADD(sum, a, b) ((sum) + (a) * (b))
#endif

typedef real HERE(vec) __attribute__((vector_size(TILE_VECTOR)));
typedef real HERE(vec_at)
    __attribute__((vector_size(TILE_VECTOR), aligned(sizeof(real)), may_alias));
enum { HERE(LANES) = TILE_VECTOR / sizeof(real), HERE(VECTORS) = PANEL / HERE(LANES) };

/* c (rows, panels * PANEL) (+)= a (K, rows) transposed times b (panels, K, PANEL), both packed. The
 * rows of C lie far apart, so they are prefetched while the loop over K runs. */
TARGET SIMD_BODY void HERE(tile)(const int rows, const int panels, const struct tile *t)
{
    enum { LANES = HERE(LANES), VECTORS = HERE(VECTORS) };
    const int vectors = panels * VECTORS;
    const real *a = t->a, *b = t->b;
    HERE(vec) sum[TILE_SUMS], right[TILE_SUMS];
    for (int i = 0; i < rows; i++)
        for (int j = 0; j < vectors; j++) {
            __builtin_prefetch(t->c + i * t->stride + (j + 1) * LANES - 1, 1);
            sum[i * vectors + j] = (HERE(vec)){0};
        }
    for (int k = 0; k < t->K; k++, a += rows, b += PANEL) {
        for (int j = 0; j < vectors; j++)
            right[j] = *(const HERE(vec_at) *)(b + j / VECTORS * t->apart + j % VECTORS * LANES);
        for (int i = 0; i < rows; i++)
            for (int j = 0; j < vectors; j++)
                sum[i * vectors + j] = TILE_MULTIPLY_ADD(sum[i * vectors + j], a[i], right[j]);
    }
    for (int i = 0; i < rows; i++)
        for (int j = 0; j < vectors; j++) {
            HERE(vec_at) *to = (HERE(vec_at) *)(t->c + i * t->stride + j * LANES);
            if (t->add)
                *to += sum[i * vectors + j];
            else
                *to = sum[i * vectors + j];
        }
}

SIMD_BODY bool HERE(fits)(int rows, int panels)
{
    return rows * panels * HERE(VECTORS) <= TILE_SUMS;
}

/* A tile of a constant number of panels. */
TARGET SIMD_BODY void HERE(tile_of)(const int panels, int rows, const struct tile *t)
{
#define CASE(n)                                                                                    \
    case n:                                                                                        \
        if (n <= TILE_M && HERE(fits)(n, panels))                                                  \
            HERE(tile)(n, panels, t);                                                              \
        break;
    switch (rows) {
        CASE(1)
        CASE(2)
        CASE(3)
        CASE(4)
        CASE(5)
        CASE(6)
        CASE(7)
        CASE(8)
        CASE(9)
        CASE(10)
        CASE(11)
        CASE(12)
    }
#undef CASE
}

TARGET SIMD_BODY void HERE(tile_body)(int rows, int panels, const struct tile *t)
{
    switch (panels) {
    case 8: HERE(tile_of)(8, rows, t); break;
    case 4: HERE(tile_of)(4, rows, t); break;
    case 2: HERE(tile_of)(2, rows, t); break;
    default: HERE(tile_of)(1, rows, t); break;
    }
}

/* The last panel of B may be narrower than the others, so the tile is computed in a copy. */
TARGET SIMD_BODY void HERE(tile_edge)(int rows, int cols, const struct tile *t)
{
    real copy[TILE_M * PANEL];
    struct tile whole = *t;
    whole.c = copy;
    whole.stride = PANEL;
    whole.add = false;
    HERE(tile_body)(rows, 1, &whole);
    for (int i = 0; i < rows; i++)
        for (int j = 0; j < cols; j++) {
            real *to = t->c + i * t->stride + j;
            *to = (t->add ? *to : 0) + copy[i * PANEL + j];
        }
}

/* One packed block of A, (M, K), times a row of panels. */
TARGET static void HERE(block_product)(const real *a, int M, int K, const real *panels,
                                       struct view C, bool add)
{
    const int tiles = tile_count(M, TILE_M), most = tiles ? (M + tiles - 1) / tiles : 0;
    struct tile tile = {.K = K, .apart = (ptrdiff_t)K * PANEL, .stride = C.row, .add = add};
    for (int n = 0, at_once = 8; n < C.cols; n += at_once * PANEL) {
        while (at_once > 1 && (!HERE(fits)(most, at_once) || at_once * PANEL > C.cols - n))
            at_once /= 2;
        tile.b = panels + (ptrdiff_t)n * K;
        for (int t = 0; t < tiles; t++) {
            const int first = tile_start(M, tiles, t), rows = tile_start(M, tiles, t + 1) - first;
            tile.a = a + (ptrdiff_t)first * K;
            tile.c = C.at + first * C.row + n;
            if (C.cols - n < PANEL)
                HERE(tile_edge)(rows, C.cols - n, &tile);
            else
                HERE(tile_body)(rows, at_once, &tile);
        }
    }
}

#undef CONCAT_
#undef CONCAT
#undef HERE
#undef TARGET
#undef LEVEL
#undef TILE_VECTOR
#undef TILE_SUMS
#undef TILE_M
#undef TILE_MULTIPLY_ADD
