/* Products of bf16 against plain loops. Without the instruction only the plain loop is tested. */
#include "tensor/bf16.h"

#include "gemm_fixture.h"
#include "tensor/simd.h"

/* ---- The plain loop ---- */

static real plain_rounded(real x)
{
    real one = 1, y;
    bf16_plain(view_of(&x, 1, 1), view_of(&one, 1, 1), view_of(&y, 1, 1), false);
    return y;
}

/* Numbers and their upper halves, the nearest of 8 significant bits; ties go to the even one. */
static const struct {
    double x, want;
} roundings[] = {
    {0, 0},
    {1, 1},
    {-1.5, -1.5},
    {257, 256},
    {259, 260},
    {-257, -256},
    {258.9, 258},
    {1.00390625, 1},        /* 1 + 2^-8: a tie, 1 is even */
    {1.01171875, 1.015625}, /* 1 + 3 2^-8: a tie, 1 + 2^-6 is even */
    {1.004, 1.0078125},
    {511, 512},
    {1e30, 1.001407e30},
    {3.1415926, 3.140625},
};
enum { ROUNDINGS = sizeof roundings / sizeof *roundings };

TEST(bf16_plain_rounds_to_the_nearest_and_ties_to_even)
{
    for (int i = 0; i < ROUNDINGS; i++)
        assert_near((double)plain_rounded((real)roundings[i].x), roundings[i].want,
                    1e-6 * fabs(roundings[i].want));
}

#ifndef ATTEND_REAL_DOUBLE
/* ---- Against the plain loop ---- */

static struct fixture bf16_fixture(void)
{
    struct fixture f;
    if (!bf16_available())
        skip();
    f = fixture_new();
    f.scratch.bf16 = true;
    f.plain = bf16_plain;
    return f;
}

TEST(bf16_product_is_the_plain_loop_but_for_the_order_of_sums_at_odd_sizes)
{
    struct fixture f = bf16_fixture();
    for (int M = 1; M <= 27; M += M < 14 ? 1 : 6)
        for (int N = 1; N <= 70; N += 23)
            for (int K = 1; K <= 35; K += K < 6 ? 1 : 7)
                for (int bits = 0; bits < 8; bits++)
                    check_shape(&f, (struct shape){M, N, K, bits & 1, bits & 2, bits & 4, 3});
    arena_release(&f.arena);
}

/* Blocks are 192 rows of A, 512 of the inner size and 2048 columns. */
TEST(bf16_product_is_the_plain_loop_across_blocks)
{
    struct fixture f = bf16_fixture();
    const int M[] = {191, 193, 385}, K[] = {511, 512, 513, 1025}, N[] = {2047, 2049};
    for (int i = 0; i < 3; i++)
        check_shape(&f, (struct shape){M[i], 21, 33, i & 1, i & 2, i & 1, 5});
    for (int i = 0; i < 4; i++)
        check_shape(&f, (struct shape){13, 37, K[i], i & 1, i & 2, i & 1, 0});
    for (int i = 0; i < 2; i++)
        check_shape(&f, (struct shape){5, N[i], 3, i & 1, i & 1, true, 1});
    check_shape(&f, (struct shape){3, 5, 0, .gap = 2});
    arena_release(&f.arena);
}

/* Integers up to 256 have no rounding at all, so nothing may differ. */
TEST(bf16_product_of_small_integers_is_exact)
{
    enum { M = 29, N = 45, K = 301 };
    struct fixture f = bf16_fixture();
    real *a = numbers(1, M * K), *b = numbers(2, K * N), got[M * N], want[M * N];
    for (int i = 0; i < M * K; i++)
        a[i] = (real)((int)rng_below(3, (uint64_t)i, 513) - 256);
    for (int i = 0; i < K * N; i++)
        b[i] = (real)((int)rng_below(4, (uint64_t)i, 101) - 50);
    gemm(&f.scratch, view_of(a, M, K), view_of(b, K, N), view_of(got, M, N), false);
    gemm_plain(view_of(a, M, K), view_of(b, K, N), view_of(want, M, N), false);
    assert_memory_equal(got, want, sizeof want);
    free(a);
    free(b);
    arena_release(&f.arena);
}

static real product_of(struct fixture *f, real x, real y)
{
    real c;
    gemm(&f->scratch, view_of(&x, 1, 1), view_of(&y, 1, 1), view_of(&c, 1, 1), false);
    return c;
}

TEST(bf16_product_rounds_both_operands_like_the_plain_loop)
{
    struct fixture f = bf16_fixture();
    for (int i = 0; i < ROUNDINGS; i++) {
        const real x = (real)roundings[i].x;
        assert_true(product_of(&f, x, 1) == plain_rounded(x));
        assert_true(product_of(&f, 1, x) == plain_rounded(x));
    }
    arena_release(&f.arena);
}

/* A diverged update must be seen. */
TEST(bf16_product_keeps_infinity_and_nan)
{
    struct fixture f = bf16_fixture();
    volatile real zero = 0; /* NaN as the processor makes it */
    assert_true(isinf(product_of(&f, (real)INFINITY, 1)));
    assert_true(isnan(product_of(&f, (real)NAN, 1)));
    assert_true(isnan(product_of(&f, 1, zero / zero)));
    arena_release(&f.arena);
}

/* ---- Packed ---- */

static struct packed bf16_packed(struct arena *arena, int K, int N)
{
    struct packed p = packed_new(arena, K, N);
    p.bf16 = true;
    return p;
}

static void fill_in_shares(struct packed *p, struct view B, int k0, int n0, int share)
{
    for (int from = 0; from < p->N; from += share)
        packed_fill_bf16(p, B, k0, n0, from, from + share < p->N ? from + share : p->N);
}

static void check_packed(struct fixture *f, int N, int K, bool transposed, int share)
{
    enum { M = 17 };
    struct arena arena = {0};
    struct packed p = bf16_packed(&arena, K, N);
    real *a = numbers(1, M * K), *b = numbers(2, K * N), *got = numbers(3, M * N),
         *want = numbers(3, M * N);
    const struct view A = view_of(a, M, K), B = stored(b, K, N, transposed);
    fill_in_shares(&p, B, 0, 0, share);
    gemm_packed(&f->scratch, A, &p, view_of(got, M, N), true);
    gemm(&f->scratch, A, B, view_of(want, M, N), true);
    assert_memory_equal(got, want, (size_t)M * (size_t)N * sizeof *got);
    free(a);
    free(b);
    free(got);
    free(want);
    arena_release(&arena);
}

TEST(bf16_packed_equals_bf16_unpacked_bit_for_bit_whatever_the_shares)
{
    struct fixture f = bf16_fixture();
    const int block = gemm_column_block(), K[] = {1, 2, 63, 511, 512, 513, 1100},
              N[] = {1, 15, 16, 63, 530};
    for (int k = 0; k < 7; k++)
        for (int n = 0; n < 5; n++)
            for (int bits = 0; bits < 4; bits++)
                check_packed(&f, N[n], K[k], bits & 1, bits & 2 ? block : 1 << 20);
    arena_release(&f.arena);
}

/* The border between the parts lies inside a pair, a panel and a block. */
TEST(bf16_parts_side_by_side_and_above_each_other_make_one_matrix)
{
    enum { M = 9, K = 601, N = 75, K1 = 301, N1 = 29 };
    struct fixture f = bf16_fixture();
    struct arena arena = {0};
    struct packed p = bf16_packed(&arena, K, N);
    real *a = numbers(1, M * K), *b = numbers(2, K * N), got[M * N], want[M * N];
    const struct view A = view_of(a, M, K), B = view_of(b, K, N);
    const struct view above = view_rows(B, 0, K1), below = view_rows(B, K1, K - K1);
    for (int share = gemm_column_block(); share < 200; share *= 3) {
        memset(p.at, 0xff, sizeof *p.at * K * N);
        fill_in_shares(&p, view_cols(below, N1, N - N1), K1, N1, share);
        fill_in_shares(&p, view_cols(above, 0, N1), 0, 0, share);
        fill_in_shares(&p, view_cols(above, N1, N - N1), 0, N1, share);
        fill_in_shares(&p, view_cols(below, 0, N1), K1, 0, share);
        gemm_packed(&f.scratch, A, &p, view_of(got, M, N), false);
        gemm(&f.scratch, A, B, view_of(want, M, N), false);
        assert_memory_equal(got, want, sizeof want);
    }
    free(a);
    free(b);
    arena_release(&arena);
    arena_release(&f.arena);
}

TEST(bf16_rows_do_not_depend_on_how_many_there_are)
{
    enum { M = 130, N = 147, K = 600 };
    struct fixture f = bf16_fixture();
    struct arena arena = {0};
    struct packed p = bf16_packed(&arena, K, N);
    real *a = numbers(1, M * K), *b = numbers(2, K * N), *all = numbers(3, M * N), part[13 * N];
    packed_fill_bf16(&p, view_of(b, K, N), 0, 0, 0, N);
    gemm_packed(&f.scratch, view_of(a, M, K), &p, view_of(all, M, N), false);
    for (int rows = 1; rows <= 13; rows++)
        for (int from = 0; from + rows <= M; from += rows) {
            gemm_packed(&f.scratch, view_rows(view_of(a, M, K), from, rows), &p,
                        view_of(part, rows, N), false);
            assert_memory_equal(part, all + from * N, sizeof(real) * (size_t)rows * N);
        }
    free(a);
    free(b);
    free(all);
    arena_release(&arena);
    arena_release(&f.arena);
}

TEST(bf16_is_not_available_below_avx512)
{
    simd_cap(SIMD_AVX2);
    assert_false(bf16_available());
    simd_cap(SIMD_LEVELS);
}
#endif
