/* Inputs of 11 bits, multiplied in pairs of 16 bits. */
#include "tensor/quant_form.h"

#include <string.h>

#if defined(__x86_64__)
#include <immintrin.h>
#endif

enum { INPUT = 1023, PANEL = QUANT_PANEL };

_Static_assert((int64_t)QUANT_DEPTH *INPUT *(QUANT_WEIGHT + 1) <= INT32_MAX,
               "a sum fits, even of the -128 that no file should hold");

SIMD_BODY void round_rows_body(struct view A, int depth, void *x, real *scale)
{
    for (int i = 0; i < A.rows; i++) {
        const real *row = A.at + i * A.row;
        const real by = quant_factor(row, A.cols, INPUT, &scale[i]);
        int16_t *to = (int16_t *)x + (ptrdiff_t)i * depth;
        for (int k = 0; k < A.cols; k++)
            to[k] = (int16_t)quant_round(row[k] * by, INPUT);
        for (int k = A.cols; k < depth; k++)
            to[k] = 0;
    }
}
SIMD_STATIC(round_rows, (struct view A, int depth, void *x, real *scale), (A, depth, x, scale))

static void tile_plain(const struct quant_tile *t)
{
    const int16_t *x = t->x;
    for (int i = 0; i < t->rows; i++, x += t->depth) {
        int32_t *sum = t->sum + i * PANEL;
        for (int j = 0; j < PANEL; j++)
            sum[j] = 0;
        for (int k = 0; k < t->depth; k += 2)
            for (int j = 0; j < PANEL; j++) {
                const int8_t *pair = t->panel + k * PANEL + 2 * j;
                sum[j] += x[k] * pair[0] + x[k + 1] * pair[1];
            }
    }
}

static void multiply_plain(const struct quant_block *b) { quant_walk(b, tile_plain, 6, 1); }

#if defined(__x86_64__)
typedef int32_t sums __attribute__((vector_size(32)));
enum { LANES = 8, VECTORS = PANEL / LANES, TILE_M = 6 };

SIMD_TARGET_avx2 SIMD_BODY void tile_rows(const int rows, const struct quant_tile *t)
{
    const int16_t *x = t->x;
    const int8_t *panel = t->panel;
    sums sum[TILE_M][VECTORS], b[VECTORS];
    for (int i = 0; i < rows; i++)
        for (int v = 0; v < VECTORS; v++)
            sum[i][v] = (sums){0};
    for (int k = 0; k < t->depth; k += 2, x += 2, panel += 2 * PANEL) {
        for (int v = 0; v < VECTORS; v++)
            b[v] = (sums)_mm256_cvtepi8_epi16(_mm_loadu_si128((const __m128i *)panel + v));
        for (int i = 0; i < rows; i++) {
            int32_t pair;
            memcpy(&pair, x + i * t->depth, sizeof pair);
            const __m256i pairs = _mm256_set1_epi32(pair);
            for (int v = 0; v < VECTORS; v++)
                sum[i][v] += (sums)_mm256_madd_epi16(pairs, (__m256i)b[v]);
        }
    }
    for (int i = 0; i < rows; i++)
        for (int v = 0; v < VECTORS; v++)
            _mm256_storeu_si256((__m256i *)(t->sum + i * PANEL) + v, (__m256i)sum[i][v]);
}

/* Not inlined: otherwise the sums do not all get a register. */
SIMD_TARGET_avx2 static __attribute__((noinline)) void tile_avx2(const struct quant_tile *t)
{
    switch (t->rows) {
    case 1: tile_rows(1, t); break;
    case 2: tile_rows(2, t); break;
    case 3: tile_rows(3, t); break;
    case 4: tile_rows(4, t); break;
    case 5: tile_rows(5, t); break;
    default: tile_rows(6, t); break;
    }
}

SIMD_TARGET_avx2 static void multiply_avx2(const struct quant_block *b)
{
    quant_walk(b, tile_avx2, TILE_M, 1);
}

static void multiply(const struct quant_block *b)
{
    if (simd_level() >= SIMD_AVX2)
        multiply_avx2(b);
    else
        multiply_plain(b);
}
#else
static void multiply(const struct quant_block *b) { multiply_plain(b); }
#endif

const struct quant_form quant_pairs = {.group = 2,
                                       .input = INPUT,
                                       .bytes = sizeof(int16_t),
                                       .round = round_rows,
                                       .multiply = multiply};
