/* Inputs of 8 bits, multiplied in groups of four by AVX-512 VNNI. */
#include "tensor/quant_form.h"

/* A vector of sums is as wide as a panel, which it is not in double. */
#if defined(__x86_64__) && !defined(ATTEND_REAL_DOUBLE)
#include <immintrin.h>
#include <string.h>

#define VNNI __attribute__((target(SIMD_WIDE ",avx512vnni")))
enum { INPUT = 127, SHIFT = 128, PANEL = QUANT_PANEL, TILE_M = 8, PANELS = 8 };

_Static_assert((int64_t)QUANT_DEPTH *(INPUT + SHIFT) * 2 * (QUANT_WEIGHT + 1) <= INT32_MAX,
               "a sum fits, wherever it starts");
_Static_assert(PANEL * sizeof(int32_t) == sizeof(__m512i), "a panel's sums are one vector");

VNNI static void round_rows(struct view A, int depth, void *x, real *scale)
{
    for (int i = 0; i < A.rows; i++) {
        const real *row = A.at + i * A.row;
        const real by = quant_factor(row, A.cols, INPUT, &scale[i]);
        uint8_t *to = (uint8_t *)x + (ptrdiff_t)i * depth;
        for (int k = 0; k < A.cols; k++)
            to[k] = (uint8_t)(quant_round(row[k] * by, INPUT) + SHIFT);
        for (int k = A.cols; k < depth; k++)
            to[k] = SHIFT;
    }
}

VNNI SIMD_BODY void tile_of(const int panels, const int rows, const struct quant_tile *t)
{
    const uint8_t *x = t->x;
    const int8_t *panel = t->panel;
    __m512i sum[QUANT_SUMS], b[PANELS];
    for (int i = 0; i < rows * panels; i++)
        sum[i] = _mm512_loadu_si512(t->start + i % panels * PANEL);
    for (int k = 0; k < t->depth; k += 4, x += 4, panel += 4 * PANEL) {
        for (int p = 0; p < panels; p++)
            b[p] = _mm512_loadu_si512(panel + (ptrdiff_t)p * t->depth * PANEL);
        for (int i = 0; i < rows; i++) {
            int32_t quad;
            memcpy(&quad, x + i * t->depth, sizeof quad);
            const __m512i quads = _mm512_set1_epi32(quad);
            for (int p = 0; p < panels; p++)
                sum[i * panels + p] = _mm512_dpbusd_epi32(sum[i * panels + p], quads, b[p]);
        }
    }
    for (int i = 0; i < rows * panels; i++)
        _mm512_storeu_si512(t->sum + i * PANEL, sum[i]);
}

/* A tile of a constant number of panels. */
VNNI SIMD_BODY void tile_panels(const int panels, const struct quant_tile *t)
{
#define CASE(n)                                                                                    \
    case n:                                                                                        \
        if (n * panels <= QUANT_SUMS)                                                              \
            tile_of(panels, n, t);                                                                 \
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
VNNI static __attribute__((noinline)) void tile(const struct quant_tile *t)
{
    switch (t->panels) {
    case 8: tile_panels(8, t); break;
    case 4: tile_panels(4, t); break;
    case 2: tile_panels(2, t); break;
    default: tile_panels(1, t); break;
    }
}

VNNI static void multiply(const struct quant_block *b) { quant_walk(b, tile, TILE_M, PANELS); }

static const struct quant_form quads = {.group = 4,
                                        .input = INPUT,
                                        .bytes = 1,
                                        .shift = SHIFT,
                                        .round = round_rows,
                                        .multiply = multiply};

const struct quant_form *quant_quads(void)
{
    const bool usable = simd_level() == SIMD_AVX512 && __builtin_cpu_supports("avx512vnni");
    return usable ? &quads : NULL;
}
#else
const struct quant_form *quant_quads(void) { return NULL; }
#endif
