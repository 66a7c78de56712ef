#include "tensor/bf16.h"

#include "base/bug.h"
#include "tensor/gemm_parts.h"
#include "tensor/simd.h"

#include <math.h>

/* A number with the 8 significant bits of bf16; ties go to the even neighbor. */
static double plain_round(double x)
{
    int exponent;
    const double part = frexp(x, &exponent);
    return ldexp(nearbyint(ldexp(part, 8)), exponent - 8);
}

void bf16_plain(struct view A, struct view B, struct view C, bool add)
{
    for (int i = 0; i < C.rows; i++)
        for (int j = 0; j < C.cols; j++) {
            double sum = add ? (double)C.at[i * C.row + j] : 0;
            for (int k = 0; k < A.cols; k++)
                sum += plain_round((double)A.at[i * A.row + k * A.col]) *
                       plain_round((double)B.at[k * B.row + j * B.col]);
            C.at[i * C.row + j] = (real)sum;
        }
}

/* A pair is as large as a float, which it is not in double. */
#if defined(__x86_64__) && !defined(ATTEND_REAL_DOUBLE)
#include <immintrin.h>
#include <stdint.h>
#include <string.h>

bool bf16_available(void)
{
    return simd_level() == SIMD_AVX512 && __builtin_cpu_supports("avx512bf16");
}

/* ---- Rounding ---- */

typedef uint32_t pair_at __attribute__((may_alias));
typedef uint16_t half_at __attribute__((may_alias));

/* The upper half of x, rounded to the nearest, ties to even. Infinity stays, and so does the NaN
 * that a processor computes. */
SIMD_BODY uint32_t rounded(real x)
{
    uint32_t bits;
    memcpy(&bits, &x, sizeof bits);
    return (bits + 0x7fff + (bits >> 16 & 1)) >> 16;
}

SIMD_BODY uint32_t pair(real first, real second) { return rounded(first) | rounded(second) << 16; }

/* `count` pairs of one number each from x and y, which are `step` apart. */
SIMD_BODY void pair_up(pair_at *restrict to, const real *restrict x, const real *restrict y,
                       const ptrdiff_t step, int count)
{
    for (int i = 0; i < count; i++)
        to[i] = pair(x[i * step], y[i * step]);
}

/* The last column of an odd number of columns. */
SIMD_BODY void pair_last(pair_at *to, ptrdiff_t stride, const real *x, ptrdiff_t row, int rows)
{
    for (int i = 0; i < rows; i++)
        to[i * stride] = rounded(x[i * row]);
}

SIMD_BODY void pairs_by_columns_body(pair_at *to, struct view A)
{
    for (int k = 0; k + 1 < A.cols; k += 2, to += A.rows)
        pair_up(to, A.at + k * A.col, A.at + (k + 1) * A.col, 1, A.rows);
    if (A.cols % 2)
        pair_last(to, 1, A.at + (A.cols - 1) * A.col, 1, A.rows);
}
SIMD_STATIC(pairs_by_columns, (pair_at * to, struct view A), (to, A))

SIMD_BODY void pairs_by_rows_body(pair_at *to, struct view A)
{
    const int depth = bf16_depth(A.cols);
    for (int i = 0; i < A.rows; i++) {
        const real *x = A.at + i * A.row;
        if (A.col == 1)
            pair_up(to + (ptrdiff_t)i * depth, x, x + 1, 2, A.cols / 2);
        else
            pair_up(to + (ptrdiff_t)i * depth, x, x + A.col, 2 * A.col, A.cols / 2);
    }
    if (A.cols % 2)
        pair_last(to + depth - 1, depth, A.at + (A.cols - 1) * A.col, A.row, A.rows);
}
SIMD_STATIC(pairs_by_rows, (pair_at * to, struct view A), (to, A))

struct view bf16_pairs(real *to, struct view A)
{
    const int depth = bf16_depth(A.cols);
    const bool columns = A.row == 1;
    (columns ? pairs_by_columns : pairs_by_rows)((pair_at *)(void *)to, A);
    return columns ? view_transposed(view_of(to, depth, A.rows)) : view_of(to, A.rows, depth);
}

/* ---- Panels ---- */

/* Whole panels: two rows at a time when rows are contiguous, otherwise column by column. */
SIMD_BODY void fill_panels_body(pair_at *panels, int depth, struct view B, int k0)
{
    for (int n = 0; n < B.cols; n += PANEL) {
        pair_at *panel = panels + (ptrdiff_t)n * depth + k0 / 2 * PANEL;
        const real *from = B.at + n * B.col;
        if (B.col == 1)
            for (int k = 0; k < B.rows; k += 2)
                pair_up(panel + k / 2 * PANEL, from + k * B.row, from + (k + 1) * B.row, 1, PANEL);
        else
            for (int k = 0; k < B.rows; k += 2)
                pair_up(panel + k / 2 * PANEL, from + k * B.row, from + (k + 1) * B.row, B.col,
                        PANEL);
    }
}
SIMD_STATIC(fill_panels, (pair_at * panels, int depth, struct view B, int k0),
            (panels, depth, B, k0))

/* Any part, number by number. */
static void fill_numbers(real *panels, int depth, struct view B, int k0, int n0)
{
    for (int j = 0; j < B.cols; j++) {
        half_at *column =
            (half_at *)(void *)(panels + (ptrdiff_t)((n0 + j) / PANEL) * PANEL * depth +
                                (n0 + j) % PANEL);
        for (int i = 0; i < B.rows; i++) {
            const int k = k0 + i;
            column[(ptrdiff_t)(k / 2) * 2 * PANEL + k % 2] =
                (half_at)rounded(B.at[i * B.row + j * B.col]);
        }
    }
}

void bf16_fill(real *panels, int K, struct view B, int k0, int n0)
{
    real zero = 0;
    const int depth = bf16_depth(K);
    const bool whole = k0 % 2 == 0 && n0 % PANEL == 0;
    const int rows = whole ? B.rows / 2 * 2 : 0, cols = whole ? B.cols / PANEL * PANEL : 0;
    if (whole)
        fill_panels((pair_at *)(void *)panels + (ptrdiff_t)n0 * depth, depth,
                    view_cols(view_rows(B, 0, rows), 0, cols), k0);
    fill_numbers(panels, depth, view_cols(view_rows(B, rows, B.rows - rows), 0, cols), k0 + rows,
                 n0);
    fill_numbers(panels, depth, view_cols(B, cols, B.cols - cols), k0, n0 + cols);
    if (K % 2 && k0 + B.rows == K)
        fill_numbers(panels, depth, (struct view){.at = &zero, .rows = 1, .cols = B.cols}, K, n0);
}

/* ---- Products ---- */

#define SIMD_TARGET_bf16 __attribute__((target(SIMD_WIDE ",avx512bf16")))
#define LEVEL bf16
#define TILE_VECTOR 64
#define TILE_SUMS 24
#define TILE_M BF16_TILE_ROWS
#define TILE_MULTIPLY_ADD(sum, a, b)                                                               \
    ((vec_bf16)_mm512_dpbf16_ps((__m512)(sum), (__m512bh)_mm512_set1_ps(a), (__m512bh)(b)))
#include "tensor/gemm_tile.h"

void bf16_product(const real *a, int M, int depth, const real *panels, struct view C, bool add)
{
    block_product_bf16(a, M, depth, panels, C, add);
}
#else
bool bf16_available(void) { return false; }

struct view bf16_pairs(real *to, struct view A)
{
    (void)to;
    BUG_ON(true);
    return A;
}

void bf16_fill(real *panels, int K, struct view B, int k0, int n0)
{
    (void)panels, (void)K, (void)B, (void)k0, (void)n0;
    BUG_ON(true);
}

void bf16_product(const real *a, int M, int depth, const real *panels, struct view C, bool add)
{
    (void)a, (void)M, (void)depth, (void)panels, (void)C, (void)add;
    BUG_ON(true);
}
#endif
