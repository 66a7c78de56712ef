#include "tensor/gemm.h"

#include "base/arena.h"
#include "base/assist.h"
#include "base/bug.h"
#include "tensor/simd.h"

#include <string.h>

/* The tile: up to 6 rows by 2 vectors of columns stay in registers during the loop over K (12 of
 * AVX2's 16 registers). A block of A (BLOCK_M x BLOCK_K) stays in the second-level cache, a panel
 * of B (BLOCK_K x TILE_N) in the first. */
enum {
    TILE_M = 6,
    TILE_N = 2 * VEC_LANES,
    BLOCK_M = 192,
    BLOCK_K = 256,
    BLOCK_N = 2048,
};
_Static_assert(BLOCK_M *BLOCK_K * sizeof(real) / sizeof(int16_t) >= QUANT_DEPTH,
               "work space for a row of the int8 product");

int gemm_column_block(void) { return TILE_N; }

void gemm_scratch_bind(struct gemm_scratch *s, struct arena *arena)
{
    s->a = arena_take(arena, sizeof *s->a, (size_t)BLOCK_M * BLOCK_K);
    s->b = arena_take(arena, sizeof *s->b, (size_t)BLOCK_K * BLOCK_N);
    s->assist = NULL;
}

static int min(int a, int b) { return a < b ? a : b; }

static int round_up(int n, int to) { return (n + to - 1) / to * to; }

/* ---- Tiles ---- */

/* c (rows, TILE_N) (+)= a (K, rows) transposed times b (K, TILE_N), both packed. The rows of C lie
 * far apart, so they are prefetched while the loop over K runs. */
SIMD_BODY void tile_rows(const int rows, int K, const real *a, const real *b, real *c,
                         ptrdiff_t stride, bool add)
{
    vec sum[TILE_M][2];
    for (int i = 0; i < rows; i++) {
        __builtin_prefetch(c + i * stride, 1);
        __builtin_prefetch(c + i * stride + TILE_N - 1, 1);
        sum[i][0] = sum[i][1] = (vec){0};
    }
    for (int k = 0; k < K; k++) {
        const vec b0 = *(const vec_at *)b, b1 = *(const vec_at *)(b + VEC_LANES);
        for (int i = 0; i < rows; i++) {
            sum[i][0] += a[i] * b0;
            sum[i][1] += a[i] * b1;
        }
        a += rows;
        b += TILE_N;
    }
    for (int i = 0; i < rows; i++)
        for (int j = 0; j < 2; j++) {
            vec_at *to = (vec_at *)(c + i * stride + j * VEC_LANES);
            if (add)
                *to += sum[i][j];
            else
                *to = sum[i][j];
        }
}

SIMD_BODY void tile_body(int rows, int K, const real *a, const real *b, real *c, ptrdiff_t stride,
                         bool add)
{
    switch (rows) {
    case 1: tile_rows(1, K, a, b, c, stride, add); break;
    case 2: tile_rows(2, K, a, b, c, stride, add); break;
    case 3: tile_rows(3, K, a, b, c, stride, add); break;
    case 4: tile_rows(4, K, a, b, c, stride, add); break;
    case 5: tile_rows(5, K, a, b, c, stride, add); break;
    default: tile_rows(6, K, a, b, c, stride, add); break;
    }
}

/* The last panel of B may be narrower than a tile, so the tile is computed in a copy. */
SIMD_BODY void tile_edge(int rows, int cols, int K, const real *a, const real *b, real *c,
                         ptrdiff_t stride, bool add)
{
    real copy[TILE_M * TILE_N];
    tile_body(rows, K, a, b, copy, TILE_N, false);
    for (int i = 0; i < rows; i++)
        for (int j = 0; j < cols; j++)
            c[i * stride + j] = (add ? c[i * stride + j] : 0) + copy[i * TILE_N + j];
}

/* ---- Packing ---- */

/* Rows are divided evenly into tiles (32 rows are 6 6 5 5 5 5, not 5 x 6 and a 2), because thin
 * tiles are slow. */
static int tile_start(int M, int tiles, int i) { return (int)((long)M * i / tiles); }

static int tile_count(int M) { return (M + TILE_M - 1) / TILE_M; }

/* Transpose a 4 x 4 block: row k of `to` gets column k of `from`. The strides of rows are `stride`
 * and `row`. */
SIMD_BODY void transpose_four(real *to, ptrdiff_t stride, const real *from, ptrdiff_t row)
{
    typedef real four __attribute__((vector_size(4 * sizeof(real))));
    typedef real four_at
        __attribute__((vector_size(4 * sizeof(real)), aligned(sizeof(real)), may_alias));
    const four a = *(const four_at *)from, b = *(const four_at *)(from + row),
               c = *(const four_at *)(from + 2 * row), d = *(const four_at *)(from + 3 * row);
    const four ab = __builtin_shufflevector(a, b, 0, 4, 1, 5),
               cd = __builtin_shufflevector(c, d, 0, 4, 1, 5),
               AB = __builtin_shufflevector(a, b, 2, 6, 3, 7),
               CD = __builtin_shufflevector(c, d, 2, 6, 3, 7);
    *(four_at *)to = __builtin_shufflevector(ab, cd, 0, 1, 4, 5);
    *(four_at *)(to + stride) = __builtin_shufflevector(ab, cd, 2, 3, 6, 7);
    *(four_at *)(to + 2 * stride) = __builtin_shufflevector(AB, CD, 0, 1, 4, 5);
    *(four_at *)(to + 3 * stride) = __builtin_shufflevector(AB, CD, 2, 3, 6, 7);
}

/* Write the columns of A one after another; for speed, `rows` should be a constant. */
SIMD_BODY void pack_rows(const int rows, real *to, struct view A)
{
    const real *from = A.at;
    int k = 0;
    if (A.row == 1) {
        for (; k < A.cols; k++)
            memcpy(to + k * rows, from + k * A.col, (size_t)rows * sizeof *to);
        return;
    }
    for (; rows >= 4 && A.col == 1 && k + 4 <= A.cols; k += 4) {
        transpose_four(to + k * rows, rows, from + k, A.row);
        for (int i = 4; i < rows; i++)
            for (int j = 0; j < 4; j++)
                to[(k + j) * rows + i] = from[i * A.row + k + j];
    }
    for (; k < A.cols; k++)
        for (int i = 0; i < rows; i++)
            to[k * rows + i] = from[i * A.row + k * A.col];
}

SIMD_BODY void pack_a_body(real *to, struct view A)
{
    const int tiles = tile_count(A.rows);
    for (int t = 0; t < tiles; t++) {
        const int first = tile_start(A.rows, tiles, t),
                  rows = tile_start(A.rows, tiles, t + 1) - first;
        const struct view part = view_rows(A, first, rows);
        switch (rows) { /* a constant number of rows is faster */
        case 6: pack_rows(6, to, part); break;
        case 5: pack_rows(5, to, part); break;
        default: pack_rows(rows, to, part); break;
        }
        to += (ptrdiff_t)rows * A.cols;
    }
}

/* Pack columns [from, to) into panels that are `rows` deep; B's element (0, 0) goes to row k0,
 * column n0. */
SIMD_BODY void pack_b_body(real *panels, int rows, struct view B, int k0, int n0, int from, int to)
{
    for (int n = from; n < to; n++) {
        real *panel = panels + (ptrdiff_t)(n / TILE_N) * TILE_N * rows + n % TILE_N;
        const real *column = B.at + (n - n0) * B.col;
        for (int k = 0; k < B.rows; k++)
            panel[(k0 + k) * TILE_N] = column[k * B.row];
    }
}

/* The common case, row by row: whole panels of a matrix with unit column stride. */
SIMD_BODY void pack_b_panels_body(real *panels, int rows, struct view B, int k0, int from, int to)
{
    for (int n = from; n < to; n += TILE_N) {
        real *panel = panels + (ptrdiff_t)n * rows + k0 * TILE_N;
        for (int k = 0; k < B.rows; k++)
            memcpy(panel + k * TILE_N, B.at + k * B.row + (n - from), TILE_N * sizeof *panel);
    }
}

static void pack_b(real *panels, int rows, struct view B, int k0, int n0)
{
    int whole = 0;
    if (B.col == 1 && n0 % TILE_N == 0) {
        whole = B.cols / TILE_N * TILE_N;
        pack_b_panels_body(panels, rows, B, k0, n0, n0 + whole);
    }
    pack_b_body(panels, rows, B, k0, n0, n0 + whole, n0 + B.cols);
}

static void zero_tail(real *panels, int rows, int cols)
{
    for (int n = cols; n < round_up(cols, TILE_N); n++)
        for (int k = 0; k < rows; k++)
            panels[(ptrdiff_t)(n / TILE_N) * TILE_N * rows + k * TILE_N + n % TILE_N] = 0;
}

/* ---- One packed block of A times a row of panels ---- */

SIMD_BODY void block_product_body(const real *a, int M, int K, const real *panels, struct view C,
                                  bool add)
{
    const int tiles = tile_count(M);
    for (int n = 0; n < C.cols; n += TILE_N, panels += (ptrdiff_t)K * TILE_N) {
        const int cols = min(TILE_N, C.cols - n);
        for (int t = 0; t < tiles; t++) {
            const int first = tile_start(M, tiles, t), rows = tile_start(M, tiles, t + 1) - first;
            real *c = C.at + first * C.row + n;
            if (cols == TILE_N)
                tile_body(rows, K, a + (ptrdiff_t)first * K, panels, c, C.row, add);
            else
                tile_edge(rows, cols, K, a + (ptrdiff_t)first * K, panels, c, C.row, add);
        }
    }
}
SIMD_STATIC(block_product,
            (const real *a, int M, int K, const real *panels, struct view C, bool add),
            (a, M, K, panels, C, add))
SIMD_STATIC(pack_a, (real * to, struct view A), (to, A))

/* C (+)= A times K rows of panels, in blocks of rows of A. */
static void panel_product(struct gemm_scratch *s, struct view A, const real *panels, struct view C,
                          bool add)
{
    for (int m = 0; m < A.rows; m += BLOCK_M) {
        const int rows = min(BLOCK_M, A.rows - m);
        pack_a(s->a, view_rows(A, m, rows));
        block_product(s->a, rows, A.cols, panels, view_rows(C, m, rows), add);
    }
}

static void check(struct view A, int K, int N, struct view C)
{
    BUG_ON(A.cols != K || C.rows != A.rows || C.cols != N || C.col != 1);
}

void gemm(struct gemm_scratch *s, struct view A, struct view B, struct view C, bool add)
{
    check(A, B.rows, B.cols, C);
    for (int n = 0; n < B.cols; n += BLOCK_N)
        for (int k = 0; k == 0 || k < B.rows; k += BLOCK_K) { /* K = 0 gives zeros */
            const int rows = min(BLOCK_K, B.rows - k), cols = min(BLOCK_N, B.cols - n);
            pack_b(s->b, rows, view_cols(view_rows(B, k, rows), n, cols), 0, 0);
            zero_tail(s->b, rows, cols);
            panel_product(s, view_cols(A, k, rows), s->b, view_cols(C, n, cols), add || k > 0);
        }
}

/* ---- Prepacked right-hand sides: for each block of K rows, all its panels ---- */

void packed_bind(struct packed *p, struct arena *arena, int K, int N)
{
    *p = (struct packed){.K = K, .N = N};
    p->at = arena_take(arena, sizeof *p->at, (size_t)K * (size_t)round_up(N, TILE_N));
}

void packed_bind_int8(struct packed *p, struct arena *arena, int K, int N)
{
    *p = (struct packed){.K = K, .N = N};
    quant_bind(&p->int8, arena, K, N);
}

static real *packed_block(const struct packed *p, int k)
{
    return p->at + (ptrdiff_t)k * round_up(p->N, TILE_N);
}

void packed_fill(struct packed *p, struct view B, int k0, int n0, int from, int to)
{
    const int first = from > n0 ? from : n0, last = min(to, n0 + B.cols);
    BUG_ON(p->int8.K);
    if (first >= last)
        return;
    const struct view part = view_cols(B, first - n0, last - first);
    for (int k = 0; k < B.rows;) {
        const int block = (k0 + k) / BLOCK_K * BLOCK_K, depth = min(BLOCK_K, p->K - block);
        const int rows = min(B.rows - k, block + depth - (k0 + k));
        pack_b(packed_block(p, block), depth, view_rows(part, k, rows), k0 + k - block, first);
        if (last == p->N)
            zero_tail(packed_block(p, block), depth, p->N);
        k += rows;
    }
}

void packed_fill_int8(struct packed *p, struct quant_view B, int n0, int from, int to)
{
    BUG_ON(!p->int8.K);
    quant_fill(&p->int8, B, n0, from, to);
}

/* The int8 product uses the same memory as the float product. */
static struct quant_work int8_work(const struct gemm_scratch *s)
{
    return (struct quant_work){.x = (int16_t *)s->a,
                               .scale = s->b,
                               .size = (int)(BLOCK_M * BLOCK_K * sizeof *s->a / sizeof(int16_t)),
                               .rows = BLOCK_M};
}

int gemm_left_rows(const struct packed *B)
{
    const struct quant_work work = int8_work(&(struct gemm_scratch){0});
    return B->int8.K ? quant_left_rows(&work, &B->int8) : BLOCK_M * BLOCK_K / (B->K ? B->K : 1);
}

void gemm_left_pack(struct gemm_scratch *s, struct view A, const struct packed *B)
{
    const struct quant_work work = int8_work(s);
    BUG_ON(A.rows > gemm_left_rows(B) || A.cols != B->K);
    if (B->int8.K) {
        quant_left_round(&work, A, &B->int8);
        return;
    }
    for (int k = 0; k < B->K; k += BLOCK_K)
        pack_a(s->a + (ptrdiff_t)k * A.rows, view_cols(A, k, min(BLOCK_K, B->K - k)));
}

void gemm_left_product(struct gemm_scratch *s, const struct packed *B, struct view C, bool add,
                       int from, int to)
{
    BUG_ON(C.cols != B->N || C.col != 1);
    if (B->int8.K) {
        const struct quant_work work = int8_work(s);
        quant_left_product(&work, &B->int8, C, add, from, to);
        return;
    }
    for (int k = 0; k == 0 || k < B->K; k += BLOCK_K) {
        const int depth = min(BLOCK_K, B->K - k);
        block_product(s->a + (ptrdiff_t)k * C.rows, C.rows, depth,
                      packed_block(B, k) + (ptrdiff_t)from * depth, view_cols(C, from, to - from),
                      add || k > 0);
    }
}

/* ---- Shared by threads that stand by ---- */

enum { PART = 8 * TILE_N }; /* columns */

struct shared_product {
    struct gemm_scratch *scratch; /* its `a` holds A, packed */
    const struct packed *B;
    struct view C;
    bool add;
    int from, to;
};

static void multiply_part(void *job, int part)
{
    const struct shared_product *p = job;
    const int from = p->from + part * PART;
    gemm_left_product(p->scratch, p->B, p->C, p->add, from, min(from + PART, p->to));
}

static void share_product(struct gemm_scratch *s, struct view A, const struct packed *B,
                          struct view C, bool add, int from, int to)
{
    const int at_once = gemm_left_rows(B);
    for (int m = 0; m < A.rows; m += at_once) {
        const int rows = min(at_once, A.rows - m);
        struct shared_product job = {s, B, view_rows(C, m, rows), add, from, to};
        gemm_left_pack(s, view_rows(A, m, rows), B);
        assist_run(s->assist, multiply_part, &job, (to - from + PART - 1) / PART);
    }
}

void gemm_packed_columns(struct gemm_scratch *s, struct view A, const struct packed *B,
                         struct view C, bool add, int from, int to)
{
    check(A, B->K, B->N, C);
    if (from >= to)
        return;
    if (s->assist && to - from > PART) {
        share_product(s, A, B, C, add, from, to);
        return;
    }
    if (B->int8.K) {
        const struct quant_work work = int8_work(s);
        quant_product(&work, A, &B->int8, C, add, from, to);
        return;
    }
    for (int k = 0; k == 0 || k < B->K; k += BLOCK_K) {
        const int rows = min(BLOCK_K, B->K - k);
        const real *panels = packed_block(B, k) + (ptrdiff_t)from * rows;
        panel_product(s, view_cols(A, k, rows), panels, view_cols(C, from, to - from),
                      add || k > 0);
    }
}

void gemm_packed(struct gemm_scratch *s, struct view A, const struct packed *B, struct view C,
                 bool add)
{
    gemm_packed_columns(s, A, B, C, add, 0, B->N);
}

void gemm_plain(struct view A, struct view B, struct view C, bool add)
{
    check(A, B.rows, B.cols, C);
    for (int i = 0; i < C.rows; i++)
        for (int j = 0; j < C.cols; j++) {
            real sum = 0;
            for (int k = 0; k < A.cols; k++)
                sum += A.at[i * A.row + k * A.col] * B.at[k * B.row + j * B.col];
            C.at[i * C.row + j] = (add ? C.at[i * C.row + j] : 0) + sum;
        }
}
