/* Tiles of the product of quads for one width of vectors. quant_quads.c includes this file once for
 * each, with these macros:
 *
 *     WIDTH               name
 *     TARGET              attribute of functions
 *     VECTOR              bytes of a vector
 *     SUMS                sums, in vectors, that stay in registers during the loop over the depth
 *     TILE_M, PANELS      rows and panels of a tile at most
 *     DOT(sum, x, b)      sum + the dot product of each quad of bytes of x (unsigned) and b (signed)
 */
#define CONCAT_(a, b) a##_##b
#define CONCAT(a, b) CONCAT_(a, b)
#define HERE(name) CONCAT(name, WIDTH)

typedef int32_t HERE(vec) __attribute__((vector_size(VECTOR)));
typedef int32_t HERE(vec_at) __attribute__((vector_size(VECTOR), aligned(1), may_alias));

TARGET SIMD_BODY void HERE(tile_of)(const int panels, const int rows, const struct quant_tile *t)
{
    enum { LANES = VECTOR / sizeof(int32_t), VECTORS = PANEL / LANES };
    const int vectors = panels * VECTORS;
    const uint8_t *x = t->x;
    const int8_t *panel = t->panel;
    HERE(vec) sum[SUMS], b[SUMS];
    for (int i = 0; i < rows * vectors; i++)
        sum[i] = *(const HERE(vec_at) *)(t->start + i % vectors * LANES);
    for (int k = 0; k < t->depth; k += 4, x += 4, panel += 4 * PANEL) {
        for (int j = 0; j < vectors; j++)
            b[j] = *(const HERE(vec_at) *)(panel + (ptrdiff_t)(j / VECTORS) * t->depth * PANEL +
                                           j % VECTORS * VECTOR);
        for (int i = 0; i < rows; i++) {
            int32_t quad;
            memcpy(&quad, x + i * t->depth, sizeof quad);
            const HERE(vec) quads = quad - (HERE(vec)){0}; /* in all lanes */
            for (int j = 0; j < vectors; j++)
                sum[i * vectors + j] = DOT(sum[i * vectors + j], quads, b[j]);
        }
    }
    for (int i = 0; i < rows * vectors; i++)
        *(HERE(vec_at) *)(t->sum + i * LANES) = sum[i];
}

/* A tile of a constant number of panels. */
TARGET SIMD_BODY void HERE(tile_panels)(const int panels, const struct quant_tile *t)
{
#define CASE(n)                                                                                    \
    case n:                                                                                        \
        if (n * panels * PANEL * (int)sizeof(int32_t) <= SUMS * VECTOR)                            \
            HERE(tile_of)(panels, n, t);                                                           \
        break;
    switch (t->rows) {
        CASE(1)
        CASE(2)
        CASE(3)
        CASE(4)
        CASE(5)
        CASE(6)
        CASE(7)
        CASE(8)
    }
#undef CASE
}

/* Not inlined: otherwise the sums do not all get a register. */
TARGET static __attribute__((noinline)) void HERE(tile)(const struct quant_tile *t)
{
    switch (t->panels) {
    case 8: HERE(tile_panels)(8, t); break;
    case 4: HERE(tile_panels)(4, t); break;
    case 2: HERE(tile_panels)(2, t); break;
    default: HERE(tile_panels)(1, t); break;
    }
}

TARGET static void HERE(multiply)(const struct quant_block *b)
{
    quant_walk(b, HERE(tile), TILE_M, PANELS, SUMS * VECTOR / (PANEL * (int)sizeof(int32_t)));
}

static const struct quant_form HERE(quads) = {.group = 4,
                                              .input = INPUT,
                                              .bytes = 1,
                                              .shift = SHIFT,
                                              .round = round_rows,
                                              .multiply = HERE(multiply)};

#undef CONCAT_
#undef CONCAT
#undef HERE
#undef WIDTH
#undef TARGET
#undef VECTOR
#undef SUMS
#undef TILE_M
#undef PANELS
#undef DOT
