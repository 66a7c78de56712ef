#include "tensor/quant.h"

#include "base/arena.h"
#include "base/bug.h"
#include "tensor/simd.h"

#include <math.h>
#include <string.h>

#if defined(__x86_64__)
#include <immintrin.h>
#endif

/* The tile: up to 6 rows by the columns of a panel stay in registers during the loop over K. For
 * each pair of rows of B, a panel holds the pairs of all its columns, in the order that vpmaddwd
 * needs. */
enum { TILE_M = 6, PANEL = 64 / sizeof(real), SUMS = 8, VECTORS = PANEL / SUMS };

_Static_assert((int64_t)QUANT_DEPTH *QUANT_INPUT *(QUANT_WEIGHT + 1) <= INT32_MAX,
               "a sum fits, even of the -128 that no file should hold");

static int min(int a, int b) { return a < b ? a : b; }

static int round_up(int n, int to) { return (n + to - 1) / to * to; }

/* ---- Rounding ---- */

/* Round to the nearest integer, halves away from 0; NaN becomes -limit. The limits come between the
 * product and the sum so that no level fuses them and all levels round alike. */
SIMD_BODY int round_within(real x, real limit)
{
    x = x < limit ? x : limit;
    x = x > -limit ? x : -limit;
    return (int)(x + (x < 0 ? (real)-0.5 : (real)0.5));
}

void quant_weights(const real *w, ptrdiff_t stride, int n, int8_t *q, ptrdiff_t q_stride,
                   float *scale)
{
    double max = 0;
    for (int i = 0; i < n; i++) { /* not fmax: gcc 12 crashes on it here, for ARM */
        const double size = fabs((double)w[i * stride]);
        max = size > max ? size : max;
    }
    const bool usable = max > 1e-30; /* otherwise the scale might be denormal */
    *scale = usable ? (float)(max / QUANT_WEIGHT) : 0;
    for (int i = 0; i < n; i++)
        q[i * q_stride] = (int8_t)(usable ? lrint((double)w[i * stride] / max * QUANT_WEIGHT) : 0);
}

SIMD_BODY void quant_expand_body(const int8_t *q, float scale, int n, real *out)
{
    for (int i = 0; i < n; i++)
        out[i] = (real)q[i] * (real)scale;
}
SIMD_FUNCTION(quant_expand, (const int8_t *q, float scale, int n, real *out), (q, scale, n, out))

/* Quantize a row of n inputs; zeros fill it up to `depth`. A row with a maximum below 1e-30 becomes
 * 0, because dividing by the maximum could overflow. */
SIMD_BODY real round_row(const real *x, int n, int depth, int16_t *to)
{
    real max = 0;
#pragma omp simd reduction(max : max)
    for (int k = 0; k < n; k++) {
        const real size = x[k] < 0 ? -x[k] : x[k];
        max = size > max ? size : max;
    }
    const real by = max > (real)1e-30 ? QUANT_INPUT / max : 0;
    for (int k = 0; k < n; k++)
        to[k] = (int16_t)round_within(x[k] * by, QUANT_INPUT);
    for (int k = n; k < depth; k++)
        to[k] = 0;
    return max > (real)1e-30 ? max / QUANT_INPUT : 0;
}

SIMD_BODY void round_rows_body(struct view A, int depth, int16_t *to, real *scale)
{
    for (int i = 0; i < A.rows; i++)
        scale[i] = round_row(A.at + i * A.row, A.cols, depth, to + (ptrdiff_t)i * depth);
}
SIMD_STATIC(round_rows, (struct view A, int depth, int16_t *to, real *scale), (A, depth, to, scale))

/* ---- Panels ---- */

static int depth_of(const struct quant_panels *p) { return round_up(p->K, 2); }

void quant_bind(struct quant_panels *p, struct arena *arena, int K, int N)
{
    BUG_ON(K < 1 || K > QUANT_DEPTH);
    *p = (struct quant_panels){.K = K, .N = N};
    p->at = arena_take(arena, 1, (size_t)depth_of(p) * (size_t)round_up(N, PANEL));
    p->scale = arena_take(arena, sizeof *p->scale, (size_t)N);
}

/* The address of element (0, n); element (k, n) is k / 2 * 2 * PANEL + k % 2 further. */
static int8_t *column_at(const struct quant_panels *p, int n)
{
    return p->at + (ptrdiff_t)(n / PANEL) * PANEL * depth_of(p) + 2 * (n % PANEL);
}

static void fill_column(const struct quant_panels *p, int n, const int8_t *from, ptrdiff_t stride)
{
    int8_t *to = column_at(p, n);
    for (int k = 0; k < depth_of(p); k++)
        to[k / 2 * 2 * PANEL + k % 2] = from && k < p->K ? from[k * stride] : 0;
}

void quant_fill(struct quant_panels *p, struct quant_view B, int n0, int from, int to)
{
    BUG_ON(B.rows != p->K || n0 < 0 || B.cols > p->N - n0);
    const int first = from > n0 ? from : n0, last = min(to, n0 + B.cols);
    for (int n = first; n < last; n++) {
        fill_column(p, n, B.at + (n - n0) * B.col, B.row);
        p->scale[n] = (real)B.scale[n - n0];
    }
    for (int n = p->N; last == p->N && n < round_up(p->N, PANEL); n++)
        fill_column(p, n, NULL, 0);
}

/* ---- Tiles ---- */

/* sum (rows, PANEL) = x (rows, depth) times a panel. */
typedef void tile_fn(int rows, int depth, const int16_t *x, const int8_t *panel, int32_t *sum);

static void tile_plain(int rows, int depth, const int16_t *x, const int8_t *panel, int32_t *sum)
{
    for (int i = 0; i < rows; i++, x += depth, sum += PANEL) {
        for (int j = 0; j < PANEL; j++)
            sum[j] = 0;
        for (int k = 0; k < depth; k += 2)
            for (int j = 0; j < PANEL; j++)
                sum[j] += x[k] * panel[k * PANEL + 2 * j] + x[k + 1] * panel[k * PANEL + 2 * j + 1];
    }
}

#if defined(__x86_64__)
typedef int32_t sums __attribute__((vector_size(32)));
#define AVX2 __attribute__((target("avx2,fma")))

AVX2 SIMD_BODY void tile_rows(const int rows, int depth, const int16_t *x, const int8_t *panel,
                              int32_t *to)
{
    sums sum[TILE_M][VECTORS], b[VECTORS];
    for (int i = 0; i < rows; i++)
        for (int v = 0; v < VECTORS; v++)
            sum[i][v] = (sums){0};
    for (int k = 0; k < depth; k += 2) {
        for (int v = 0; v < VECTORS; v++)
            b[v] = (sums)_mm256_cvtepi8_epi16(_mm_loadu_si128((const __m128i *)panel + v));
        for (int i = 0; i < rows; i++) {
            int32_t pair;
            memcpy(&pair, x + i * depth, sizeof pair);
            const __m256i pairs = _mm256_set1_epi32(pair);
            for (int v = 0; v < VECTORS; v++)
                sum[i][v] += (sums)_mm256_madd_epi16(pairs, (__m256i)b[v]);
        }
        x += 2;
        panel += 2 * PANEL;
    }
    for (int i = 0; i < rows; i++)
        for (int v = 0; v < VECTORS; v++)
            _mm256_storeu_si256((__m256i *)(to + i * PANEL) + v, (__m256i)sum[i][v]);
}

/* Not inlined: otherwise the accumulators do not all get a register. */
AVX2 static __attribute__((noinline)) void tile_avx2(int rows, int depth, const int16_t *x,
                                                     const int8_t *panel, int32_t *sum)
{
    switch (rows) {
    case 1: tile_rows(1, depth, x, panel, sum); break;
    case 2: tile_rows(2, depth, x, panel, sum); break;
    case 3: tile_rows(3, depth, x, panel, sum); break;
    case 4: tile_rows(4, depth, x, panel, sum); break;
    case 5: tile_rows(5, depth, x, panel, sum); break;
    default: tile_rows(6, depth, x, panel, sum); break;
    }
}
#endif

/* ---- A block of quantized rows times panels ---- */

struct block {
    const struct quant_panels *B;
    const int16_t *x;  /* (rows of C, depth) */
    const real *scale; /* (rows of C) */
    struct view C;
    bool add;
    int from, to;
};

/* c (+)= sum * by * scale for a whole row of a panel. */
SIMD_BODY void put_row(real *c, const int32_t *sum, real by, const real *scale, bool add)
{
    for (int j = 0; j < PANEL; j++)
        c[j] = (add ? c[j] : 0) + (real)sum[j] * by * scale[j];
}

SIMD_BODY void put_part(real *c, const int32_t *sum, real by, const real *scale, bool add, int cols)
{
    for (int j = 0; j < cols; j++)
        c[j] = (add ? c[j] : 0) + (real)sum[j] * by * scale[j];
}

/* Write rows [first, first + rows), columns [n, n + PANEL) of C from their sums, up to column
 * b->to. */
SIMD_BODY void put_tile(const struct block *b, const int32_t *sum, int first, int rows, int n)
{
    const int cols = b->to - n;
    for (int i = first; i < first + rows; i++, sum += PANEL) {
        real *c = b->C.at + i * b->C.row + n;
        if (cols >= PANEL)
            put_row(c, sum, b->scale[i], b->B->scale + n, b->add);
        else
            put_part(c, sum, b->scale[i], b->B->scale + n, b->add, cols);
    }
}

SIMD_BODY void block_body(const struct block *b, tile_fn *tile)
{
    const int M = b->C.rows, depth = depth_of(b->B), tiles = (M + TILE_M - 1) / TILE_M;
    for (int n = b->from; n < b->to; n += PANEL)
        for (int t = 0; t < tiles; t++) {
            const int first = (int)((long)M * t / tiles),
                      rows = (int)((long)M * (t + 1) / tiles) - first;
            int32_t sum[TILE_M * PANEL];
            for (int i = 0; i < rows; i++) /* rows of C lie far apart */
                __builtin_prefetch(b->C.at + (first + i) * b->C.row + n, 1);
            tile(rows, depth, b->x + (ptrdiff_t)first * depth, column_at(b->B, n), sum);
            put_tile(b, sum, first, rows, n);
        }
}

static void block_plain(const struct block *b) { block_body(b, tile_plain); }

#if defined(__x86_64__)
AVX2 static void block_avx2(const struct block *b) { block_body(b, tile_avx2); }

static void block_product(const struct block *b)
{
    if (simd_level() > 0)
        block_avx2(b);
    else
        block_plain(b);
}
#else
static void block_product(const struct block *b) { block_plain(b); }
#endif

int quant_left_rows(const struct quant_work *work, const struct quant_panels *B)
{
    return min(work->size / depth_of(B), work->rows);
}

void quant_left_round(const struct quant_work *work, struct view A, const struct quant_panels *B)
{
    BUG_ON(A.cols != B->K || A.col != 1 || A.rows > quant_left_rows(work, B));
    round_rows(A, depth_of(B), work->x, work->scale);
}

void quant_left_product(const struct quant_work *work, const struct quant_panels *B, struct view C,
                        bool add, int from, int to)
{
    BUG_ON(C.cols != B->N || C.col != 1);
    block_product(&(struct block){B, work->x, work->scale, C, add, from, to});
}

void quant_product(const struct quant_work *work, struct view A, const struct quant_panels *B,
                   struct view C, bool add, int from, int to)
{
    const int at_once = quant_left_rows(work, B);
    BUG_ON(C.rows != A.rows || at_once < 1);
    if (from >= to)
        return;
    for (int m = 0; m < A.rows; m += at_once) {
        const int rows = min(at_once, A.rows - m);
        quant_left_round(work, view_rows(A, m, rows), B);
        quant_left_product(work, B, view_rows(C, m, rows), add, from, to);
    }
}

void quant_plain(struct view A, struct quant_view B, struct view C, bool add)
{
    BUG_ON(A.cols != B.rows || A.cols > QUANT_DEPTH || C.rows != A.rows || C.cols != B.cols);
    for (int i = 0; i < C.rows; i++) {
        int16_t p[QUANT_DEPTH];
        const real by = round_row(A.at + i * A.row, A.cols, A.cols, p);
        for (int j = 0; j < C.cols; j++) {
            int32_t sum = 0;
            for (int k = 0; k < A.cols; k++)
                sum += p[k] * B.at[k * B.row + j * B.col];
            real *c = C.at + i * C.row + j;
            *c = (add ? *c : 0) + (real)sum * by * (real)B.scale[j];
        }
    }
}
