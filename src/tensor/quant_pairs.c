/* Inputs of 11 bits, multiplied in pairs of 16 bits. */
#include "tensor/quant_form.h"

#include <string.h>

#if defined(__x86_64__)
#include <immintrin.h>
#elif defined(__wasm_simd128__)
#include <wasm_simd128.h>
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

static void multiply_plain(const struct quant_block *b)
{
    quant_walk(b, tile_plain, 6, 1, QUANT_SUMS);
}

/* ---- With an instruction that multiplies pairs and adds the two products ---- */

#if defined(__x86_64__)
#define PAIRS SIMD_TARGET_avx2
enum { LANES = 8, TILE_M = 6 };
static bool is_usable(void) { return simd_level() >= SIMD_AVX2; }
typedef int32_t sums __attribute__((vector_size(4 * LANES)));

/* Weights of LANES columns as 16 bits, a pair each. */
PAIRS SIMD_BODY sums load_weights(const int8_t *panel)
{
    return (sums)_mm256_cvtepi8_epi16(_mm_loadu_si128((const __m128i *)panel));
}

PAIRS SIMD_BODY sums products(sums x, sums weights)
{
    return (sums)_mm256_madd_epi16((__m256i)x, (__m256i)weights);
}
#elif defined(__wasm_simd128__)
#define PAIRS
enum { LANES = 4, TILE_M = 3 };
static bool is_usable(void) { return true; }
typedef int32_t sums __attribute__((vector_size(4 * LANES)));

PAIRS SIMD_BODY sums load_weights(const int8_t *panel) { return (sums)wasm_i16x8_load8x8(panel); }

PAIRS SIMD_BODY sums products(sums x, sums weights)
{
    return (sums)wasm_i32x4_dot_i16x8((v128_t)x, (v128_t)weights);
}
#endif

#if defined(PAIRS)
enum { VECTORS = PANEL / LANES };

PAIRS SIMD_BODY void tile_rows(const int rows, const struct quant_tile *t)
{
    const int16_t *x = t->x;
    const int8_t *panel = t->panel;
    sums sum[TILE_M][VECTORS], b[VECTORS];
    for (int i = 0; i < rows; i++)
        for (int v = 0; v < VECTORS; v++)
            sum[i][v] = (sums){0};
    for (int k = 0; k < t->depth; k += 2, x += 2, panel += 2 * PANEL) {
        for (int v = 0; v < VECTORS; v++)
            b[v] = load_weights(panel + 2 * LANES * v);
        for (int i = 0; i < rows; i++) {
            int32_t pair;
            memcpy(&pair, x + i * t->depth, sizeof pair);
            const sums pairs = pair - (sums){0}; /* in all lanes */
            for (int v = 0; v < VECTORS; v++)
                sum[i][v] += products(pairs, b[v]);
        }
    }
    for (int i = 0; i < rows; i++)
        for (int v = 0; v < VECTORS; v++)
            memcpy(t->sum + i * PANEL + v * LANES, &sum[i][v], sizeof sum[i][v]);
}

/* Not inlined: otherwise the sums do not all get a register. */
PAIRS static __attribute__((noinline)) void tile_pairs(const struct quant_tile *t)
{
#define CASE(n)                                                                                    \
    case n: tile_rows(n < TILE_M ? n : TILE_M, t); break;
    switch (t->rows) {
        CASE(1)
        CASE(2)
        CASE(3)
        CASE(4)
        CASE(5)
    default: tile_rows(TILE_M, t);
    }
#undef CASE
}

PAIRS static void multiply_pairs(const struct quant_block *b)
{
    quant_walk(b, tile_pairs, TILE_M, 1, QUANT_SUMS);
}

static void multiply(const struct quant_block *b)
{
    if (is_usable())
        multiply_pairs(b);
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
