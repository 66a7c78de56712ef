#include "tensor/gemm.h"

#include "base/arena.h"
#include "base/assist.h"
#include "base/bug.h"
#include "tensor/bf16.h"
#include "tensor/gemm_parts.h"
#include "tensor/simd.h"

#include <string.h>

_Static_assert(BLOCK_M *BLOCK_K * sizeof(real) >= QUANT_BYTES,
               "work space for a row of the int8 product");

int gemm_column_block(void) { return PANEL; }

void gemm_scratch_bind(struct gemm_scratch *s, struct arena *arena)
{
    s->a = arena_take(arena, sizeof *s->a, (size_t)BLOCK_M * BLOCK_K);
    s->b = arena_take(arena, sizeof *s->b, (size_t)BLOCK_K * BLOCK_N);
    s->pairs = NULL;
    s->bf16 = false;
    s->assist = NULL;
}

void gemm_scratch_bind_bf16(struct gemm_scratch *s, struct arena *arena)
{
    s->pairs = arena_take(arena, sizeof *s->pairs, (size_t)BLOCK_M * BLOCK_K);
}

static int min(int a, int b) { return a < b ? a : b; }

static int round_up(int n, int to) { return (n + to - 1) / to * to; }

/* ---- Tiles ---- */

/* Sums leave a few registers for the operands: SSE2 and AVX2 have 16, AVX-512 and ARM 32. */
#if defined(__aarch64__)
enum { TILE_SUMS_plain = 24, TILE_M_plain = 6 };
#else
enum { TILE_SUMS_plain = 12, TILE_M_plain = 3 };
#endif
enum { TILE_M_avx2 = 6, TILE_M_avx512 = 12 };

#define LEVEL plain
#define TILE_VECTOR 16
#define TILE_SUMS TILE_SUMS_plain
#define TILE_M TILE_M_plain
#include "tensor/gemm_tile.h"

#if defined(__x86_64__)
#define LEVEL avx2
#define TILE_VECTOR 32
#define TILE_SUMS 12
#define TILE_M TILE_M_avx2
#include "tensor/gemm_tile.h"

#define LEVEL avx512
#define TILE_VECTOR 64
#define TILE_SUMS 24
#define TILE_M TILE_M_avx512
#include "tensor/gemm_tile.h"
#endif

SIMD_DISPATCH(static, block_product,
              (const real *a, int M, int K, const real *panels, struct view C, bool add),
              (a, M, K, panels, C, add))

static int tile_most(void)
{
    static const int most[SIMD_LEVELS] = {TILE_M_plain, TILE_M_avx2, TILE_M_avx512};
    return most[simd_level()];
}

/* ---- Packing ---- */

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
        int i = 0;
        for (; i + 4 <= rows; i += 4)
            transpose_four(to + k * rows + i, rows, from + i * A.row + k, A.row);
        for (; i < rows; i++)
            for (int j = 0; j < 4; j++)
                to[(k + j) * rows + i] = from[i * A.row + k + j];
    }
    for (; k < A.cols; k++)
        for (int i = 0; i < rows; i++)
            to[k * rows + i] = from[i * A.row + k * A.col];
}

SIMD_BODY void pack_a_body(real *to, struct view A, int most)
{
    const int tiles = tile_count(A.rows, most);
    for (int t = 0; t < tiles; t++) {
        const int first = tile_start(A.rows, tiles, t),
                  rows = tile_start(A.rows, tiles, t + 1) - first;
        const struct view part = view_rows(A, first, rows);
        switch (rows) { /* a constant number of rows is faster */
        case 12: pack_rows(12, to, part); break;
        case 11: pack_rows(11, to, part); break;
        case 10: pack_rows(10, to, part); break;
        case 6: pack_rows(6, to, part); break;
        case 5: pack_rows(5, to, part); break;
        default: pack_rows(rows, to, part); break;
        }
        to += (ptrdiff_t)rows * A.cols;
    }
}

SIMD_STATIC(pack_a, (real * to, struct view A, int most), (to, A, most))

/* Pack columns [from, to) into panels that are `rows` deep; B's element (0, 0) goes to row k0,
 * column n0. */
SIMD_BODY void pack_b_body(real *panels, int rows, struct view B, int k0, int n0, int from, int to)
{
    for (int n = from; n < to; n++) {
        real *panel = panels + (ptrdiff_t)(n / PANEL) * PANEL * rows + n % PANEL;
        const real *column = B.at + (n - n0) * B.col;
        for (int k = 0; k < B.rows; k++)
            panel[(k0 + k) * PANEL] = column[k * B.row];
    }
}

/* The common case, row by row: whole panels of a matrix with unit column stride. */
SIMD_BODY void pack_b_panels_body(real *panels, int rows, struct view B, int k0, int from, int to)
{
    for (int n = from; n < to; n += PANEL) {
        real *panel = panels + (ptrdiff_t)n * rows + k0 * PANEL;
        for (int k = 0; k < B.rows; k++)
            memcpy(panel + k * PANEL, B.at + k * B.row + (n - from), PANEL * sizeof *panel);
    }
}

static void pack_b(real *panels, int rows, struct view B, int k0, int n0, bool bf16)
{
    int whole = 0;
    if (bf16) {
        bf16_fill(panels, rows, B, k0, n0);
        return;
    }
    if (B.col == 1 && n0 % PANEL == 0) {
        whole = B.cols / PANEL * PANEL;
        pack_b_panels_body(panels, rows, B, k0, n0, n0 + whole);
    }
    pack_b_body(panels, rows, B, k0, n0, n0 + whole, n0 + B.cols);
}

static void zero_tail(real *panels, int rows, int cols)
{
    for (int n = cols; n < round_up(cols, PANEL); n++)
        for (int k = 0; k < rows; k++)
            panels[(ptrdiff_t)(n / PANEL) * PANEL * rows + k * PANEL + n % PANEL] = 0;
}

/* Two bf16 take the place of a float, so blocks have twice the rows of B and the same memory. */
static int block_rows(bool bf16) { return bf16 ? 2 * BLOCK_K : BLOCK_K; }

static int panel_depth(bool bf16, int rows) { return bf16 ? bf16_depth(rows) : rows; }

/* C (+)= A times panels, for a block of rows of A. */
static void left_product(struct gemm_scratch *s, struct view A, const real *panels, struct view C,
                         bool add)
{
    if (!s->bf16) {
        pack_a(s->a, A, tile_most());
        block_product(s->a, A.rows, A.cols, panels, C, add);
        return;
    }
    const struct view pairs = bf16_pairs(s->pairs, A);
    pack_a(s->a, pairs, BF16_TILE_ROWS);
    bf16_product(s->a, A.rows, pairs.cols, panels, C, add);
}

/* C (+)= A times K rows of panels, in blocks of rows of A. */
static void panel_product(struct gemm_scratch *s, struct view A, const real *panels, struct view C,
                          bool add)
{
    for (int m = 0; m < A.rows; m += BLOCK_M) {
        const int rows = min(BLOCK_M, A.rows - m);
        left_product(s, view_rows(A, m, rows), panels, view_rows(C, m, rows), add);
    }
}

static void check(struct view A, int K, int N, struct view C)
{
    BUG_ON(A.cols != K || C.rows != A.rows || C.cols != N || C.col != 1);
}

void gemm(struct gemm_scratch *s, struct view A, struct view B, struct view C, bool add)
{
    const int deep = block_rows(s->bf16);
    check(A, B.rows, B.cols, C);
    for (int n = 0; n < B.cols; n += BLOCK_N)
        for (int k = 0; k == 0 || k < B.rows; k += deep) { /* K = 0 gives zeros */
            const int rows = min(deep, B.rows - k), cols = min(BLOCK_N, B.cols - n);
            pack_b(s->b, rows, view_cols(view_rows(B, k, rows), n, cols), 0, 0, s->bf16);
            zero_tail(s->b, panel_depth(s->bf16, rows), cols);
            panel_product(s, view_cols(A, k, rows), s->b, view_cols(C, n, cols), add || k > 0);
        }
}

/* ---- Prepacked right-hand sides: for each block of K rows, all its panels ---- */

void packed_bind(struct packed *p, struct arena *arena, int K, int N)
{
    *p = (struct packed){.K = K, .N = N};
    p->at = arena_take(arena, sizeof *p->at, (size_t)K * (size_t)round_up(N, PANEL));
}

void packed_bind_int8(struct packed *p, struct arena *arena, int K, int N)
{
    *p = (struct packed){.K = K, .N = N};
    quant_bind(&p->int8, arena, K, N);
}

static real *packed_block(const struct packed *p, int k, bool bf16)
{
    return p->at + (ptrdiff_t)panel_depth(bf16, k) * round_up(p->N, PANEL);
}

static void fill(struct packed *p, struct view B, int k0, int n0, int from, int to, bool bf16)
{
    const int first = from > n0 ? from : n0, last = min(to, n0 + B.cols), deep = block_rows(bf16);
    BUG_ON(p->int8.K);
    if (first >= last)
        return;
    const struct view part = view_cols(B, first - n0, last - first);
    for (int k = 0; k < B.rows;) {
        const int block = (k0 + k) / deep * deep, height = min(deep, p->K - block);
        const int rows = min(B.rows - k, block + height - (k0 + k));
        real *panels = packed_block(p, block, bf16);
        pack_b(panels, height, view_rows(part, k, rows), k0 + k - block, first, bf16);
        if (last == p->N)
            zero_tail(panels, panel_depth(bf16, height), p->N);
        k += rows;
    }
}

void packed_fill(struct packed *p, struct view B, int k0, int n0, int from, int to)
{
    fill(p, B, k0, n0, from, to, false);
}

void packed_fill_bf16(struct packed *p, struct view B, int k0, int n0, int from, int to)
{
    fill(p, B, k0, n0, from, to, true);
}

void packed_fill_int8(struct packed *p, struct quant_view B, int n0, int from, int to)
{
    BUG_ON(!p->int8.K);
    quant_fill(&p->int8, B, n0, from, to);
}

/* A block of rows is as deep in both. */
static void gather_block(real *to, const real *from, int depth, const int *column, int count)
{
    for (int n = 0; n < count; n++) {
        const int at = column[n];
        real *out = to + (ptrdiff_t)(n / PANEL) * PANEL * depth + n % PANEL;
        const real *in = from + (ptrdiff_t)(at / PANEL) * PANEL * depth + at % PANEL;
        for (int k = 0; k < depth; k++)
            out[k * PANEL] = in[k * PANEL];
    }
    zero_tail(to, depth, count);
}

void packed_gather(struct packed *to, const struct packed *from, const int *column, int count)
{
    BUG_ON(to->K != from->K || count > to->N || !to->int8.K != !from->int8.K || from->bf16);
    to->N = count;
    if (to->int8.K)
        quant_gather(&to->int8, &from->int8, column, count);
    for (int k = 0; k < to->K && !to->int8.K; k += BLOCK_K)
        gather_block(packed_block(to, k, false), packed_block(from, k, false),
                     min(BLOCK_K, to->K - k), column, count);
}

/* The int8 product uses the same memory as the float product. */
static struct quant_work int8_work(const struct gemm_scratch *s)
{
    return (struct quant_work){
        .x = s->a, .scale = s->b, .size = (int)(BLOCK_M * BLOCK_K * sizeof *s->a), .rows = BLOCK_M};
}

int gemm_left_rows(const struct packed *B)
{
    const struct quant_work work = int8_work(&(struct gemm_scratch){0});
    return B->int8.K ? quant_left_rows(&work, &B->int8) : BLOCK_M * BLOCK_K / (B->K ? B->K : 1);
}

void gemm_left_pack(struct gemm_scratch *s, struct view A, const struct packed *B)
{
    const struct quant_work work = int8_work(s);
    BUG_ON(A.rows > gemm_left_rows(B) || A.cols != B->K || B->bf16);
    if (B->int8.K) {
        quant_left_round(&work, A, &B->int8);
        return;
    }
    for (int k = 0; k < B->K; k += BLOCK_K)
        pack_a(s->a + (ptrdiff_t)k * A.rows, view_cols(A, k, min(BLOCK_K, B->K - k)), tile_most());
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
                      packed_block(B, k, false) + (ptrdiff_t)from * depth,
                      view_cols(C, from, to - from), add || k > 0);
    }
}

/* ---- Shared by threads that stand by ---- */

enum { PART = 8 * PANEL }; /* columns: panels that one row takes at once */

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
    const int deep = block_rows(s->bf16);
    check(A, B->K, B->N, C);
    BUG_ON(B->bf16 != s->bf16);
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
    for (int k = 0; k == 0 || k < B->K; k += deep) {
        const int rows = min(deep, B->K - k);
        const real *panels =
            packed_block(B, k, s->bf16) + (ptrdiff_t)from * panel_depth(s->bf16, rows);
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
