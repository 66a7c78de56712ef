#include "tensor/quant.h"

#include "base/arena.h"
#include "base/rng.h"
#include "tensor/gemm.h"
#include "tensor/quant_form.h"
#include "tensor/simd.h"
#include "test.h"

#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* ---- A product and everything it needs ---- */

enum { GAP = 3 }; /* padding columns in the memory of C */

struct product {
    int M, N, K;
    bool transposed; /* the weights are stored as a table (N, K) */
    real *a, *c;     /* (M, K), (M, N + GAP) */
    int8_t *q;       /* (K, N) */
    float *scale;    /* (N) */
    struct arena arena;
    struct packed packed;
    struct gemm_scratch scratch;
};

/* The form of all products, or NULL for the best one of the level. */
static const struct quant_form *form_of_all;

static void bind_packed(struct packed *p, struct arena *arena, int K, int N)
{
    packed_bind_int8(p, arena, K, N);
    if (form_of_all)
        quant_bind_as(&p->int8, arena, K, N, form_of_all);
}

static void bind(struct product *p, struct arena *arena)
{
    bind_packed(&p->packed, arena, p->K, p->N);
    gemm_scratch_bind(&p->scratch, arena);
}

static void *room(size_t count, size_t size)
{
    void *x = calloc(count ? count : 1, size);
    assert_non_null(x);
    return x;
}

static struct quant_view weights(const struct product *p)
{
    return p->transposed ? (struct quant_view){p->q, p->K, p->N, 1, p->K, p->scale}
                         : (struct quant_view){p->q, p->K, p->N, p->N, 1, p->scale};
}

static struct product product_new(int M, int N, int K, bool transposed)
{
    struct product p = {.M = M, .N = N, .K = K, .transposed = transposed};
    const size_t cells = (size_t)M * (size_t)(N + GAP);
    struct arena count = {0};
    p.a = room((size_t)M * (size_t)K, sizeof *p.a);
    p.c = room(cells, sizeof *p.c);
    p.q = room((size_t)K * (size_t)N, 1);
    p.scale = room((size_t)N, sizeof *p.scale);
    for (size_t i = 0; i < (size_t)M * (size_t)K; i++)
        p.a[i] = (real)(2 * rng_uniform(1, i) - 1);
    for (size_t i = 0; i < cells; i++)
        p.c[i] = (real)(2 * rng_uniform(2, i) - 1);
    for (size_t i = 0; i < (size_t)K * (size_t)N; i++)
        p.q[i] = (int8_t)((int)rng_below(3, i, 255) - QUANT_WEIGHT);
    for (int i = 0; i < N; i++)
        p.scale[i] = (float)rng_uniform(4, (uint64_t)i);
    bind(&p, &count);
    assert_int_equal(arena_reserve(&p.arena, count.used, NULL), ATTEND_OK);
    bind(&p, &p.arena);
    memset(p.packed.int8.at, 0x55, (size_t)K * (size_t)N); /* elements that fill misses show up */
    return p;
}

static void product_release(struct product *p)
{
    free(p->a);
    free(p->c);
    free(p->q);
    free(p->scale);
    arena_release(&p->arena);
}

static struct view result(const struct product *p, real *c)
{
    return view_strided(c, p->M, p->N, p->N + GAP);
}

static real *copy_of_result(const struct product *p)
{
    const size_t bytes = (size_t)p->M * (size_t)(p->N + GAP) * sizeof(real);
    real *c = malloc(bytes);
    assert_non_null(c);
    memcpy(c, p->c, bytes);
    return c;
}

/* C (+)= A B into a copy of c, in `parts` shares of columns. */
static real *run(struct product *p, bool add, int parts)
{
    real *c = copy_of_result(p);
    const int block = gemm_column_block(), blocks = (p->N + block - 1) / block;
    for (int i = 0; i < parts; i++) {
        const int from = blocks * i / parts * block, end = blocks * (i + 1) / parts * block;
        const int to = end < p->N ? end : p->N;
        packed_fill_int8(&p->packed, weights(p), 0, from, to);
        gemm_packed_columns(&p->scratch, view_of(p->a, p->M, p->K), &p->packed, result(p, c), add,
                            from, to);
    }
    return c;
}

/* The largest integer of an input. */
static int input_of(const struct product *p) { return p->packed.int8.form->input; }

static real *run_plain(const struct product *p, bool add)
{
    real *c = copy_of_result(p);
    quant_plain(view_of(p->a, p->M, p->K), weights(p), result(p, c), add, input_of(p));
    return c;
}

static void assert_same(const struct product *p, const real *got, const real *want)
{
    assert_memory_equal(got, want, (size_t)p->M * (size_t)(p->N + GAP) * sizeof *got);
}

/* Numbers for which nothing after the exact sum is rounded, so that fused and separate steps agree:
 * inputs are integers that the form has, with the largest in each row, and scales are powers of 2. */
static void make_exact(struct product *p)
{
    const int input = input_of(p);
    for (int i = 0; i < p->M; i++) {
        for (int k = 0; k < p->K; k++)
            p->a[i * p->K + k] =
                (real)((int)rng_below(5, (uint64_t)(i * p->K + k), 2 * (uint64_t)input + 1) -
                       input);
        p->a[i * p->K] = (real)(i % 2 ? -input : input);
    }
    for (int i = 0; i < p->N; i++)
        p->scale[i] = i % 2 ? 0.25f : 2;
    for (size_t i = 0; i < (size_t)p->M * (size_t)(p->N + GAP); i++)
        p->c[i] = (real)((int)rng_below(6, i, 9) - 4);
}

/* ---- Against the plain loops ---- */

static void check(int M, int N, int K)
{
    struct product p = product_new(M, N, K, (M + N + K) % 2);
    make_exact(&p);
    for (int add = 0; add < 2; add++) {
        real *want = run_plain(&p, add), *got = run(&p, add, 1);
        assert_same(&p, got, want);
        free(got);
        free(want);
    }
    product_release(&p);
}

/* Weights are packed for the level at which they are used. AVX-VNNI is tested on processors that have
 * something better, too. */
static void at_every_level(void (*test)(void))
{
    for (int level = 0; level <= (int)simd_level_available(); level++) {
        simd_cap(level);
        test();
    }
    simd_cap(SIMD_LEVELS);
    form_of_all = quant_quads_narrow();
    if (form_of_all)
        test();
    form_of_all = NULL;
}

static void check_many(void)
{
    for (int M = 1; M <= 14; M++)
        for (int N = 1; N <= 35; N += N < 5 ? 1 : 5)
            for (int K = 1; K <= 9; K++)
                check(M, N, K);
    check(2, 129, 6);
    check(193, 33, 31);
    check(7, 530, 33);
    check(400, 17, 513);
}

TEST(quant_product_is_the_plain_loop_to_the_bit_at_every_level) { at_every_level(check_many); }

/* With arbitrary inputs, fused multiply-adds may differ in the last bit. */
static void check_any_numbers(void)
{
    const double within = 1e-4;
    struct product p = product_new(37, 45, 129, false);
    real *want = run_plain(&p, true), *got = run(&p, true, 1);
    for (int i = 0; i < p.M * (p.N + GAP); i++)
        assert_true(fabs((double)got[i] - (double)want[i]) <= within * (1 + fabs((double)want[i])));
    free(got);
    free(want);
    product_release(&p);
}

TEST(quant_product_of_any_numbers_is_the_plain_loop_but_for_rounding)
{
    at_every_level(check_any_numbers);
}

/* ---- Extremes ---- */

static void fill(struct product *p, real a, int q)
{
    for (int i = 0; i < p->M * p->K; i++)
        p->a[i] = a;
    memset(p->q, q, (size_t)p->K * (size_t)p->N);
    for (int j = 0; j < p->N; j++)
        p->scale[j] = 1;
}

static void check_deepest(void)
{
    struct product p = product_new(7, 19, QUANT_DEPTH, false);
    const int signs[] = {-1, 1};
    for (int s = 0; s < 4; s++) {
        fill(&p, signs[s % 2], signs[s / 2] * QUANT_WEIGHT);
        real *c = run(&p, false, 1);
        const double want = (double)signs[s % 2] * signs[s / 2] * QUANT_WEIGHT * QUANT_DEPTH;
        assert_near((double)c[0], want, 1e-6 * fabs(want));
        assert_near((double)c[6 * (19 + GAP) + 18], want, 1e-6 * fabs(want));
        free(c);
    }
    product_release(&p);
}

TEST(quant_product_of_the_deepest_sum_does_not_overflow) { at_every_level(check_deepest); }

TEST(quant_product_of_zero_and_tiny_rows_is_zero)
{
    struct product p = product_new(3, 5, 11, false);
    const real tiny[] = {0, (real)-0.0, (real)1e-38};
    for (int i = 0; i < 3; i++)
        for (int k = 0; k < 11; k++)
            p.a[i * 11 + k] = tiny[i];
    real *c = run(&p, false, 1);
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 5; j++)
            assert_true(c[i * (5 + GAP) + j] == 0);
    free(c);
    product_release(&p);
}

/* A diverged network may compute such values; the result must not be undefined behavior. */
static void check_infinity(void)
{
    struct product p = product_new(4, 18, 9, false);
    real *want = run(&p, false, 1);
    p.a[1] = (real)INFINITY;
    p.a[9 + 4] = (real)NAN;
    p.a[18] = -(real)INFINITY;
    real *got = run(&p, false, 1);
    assert_memory_equal(got + 3 * (18 + GAP), want + 3 * (18 + GAP), 18 * sizeof *got);
    free(got);
    free(want);
    product_release(&p);
}

TEST(quant_product_survives_infinity_and_nan_and_keeps_other_rows)
{
    at_every_level(check_infinity);
}

/* ---- Nothing depends on neighbors ---- */

TEST(quant_product_of_a_row_depends_neither_on_other_rows_nor_on_shares_of_columns)
{
    struct product p = product_new(200, 70, 53, true);
    real *all = run(&p, true, 1), *shared = run(&p, true, 3);
    assert_same(&p, shared, all);
    for (int i = 0; i < p.M; i += 13) {
        real row[70];
        memcpy(row, p.c + i * (70 + GAP), sizeof row);
        gemm_packed(&p.scratch, view_of(p.a + i * 53, 1, 53), &p.packed, view_of(row, 1, 70), true);
        assert_memory_equal(row, all + i * (70 + GAP), sizeof row);
    }
    free(all);
    free(shared);
    product_release(&p);
}

TEST(quant_fill_places_parts_side_by_side)
{
    struct product p = product_new(5, 40, 21, false);
    real *want = run(&p, false, 1), *got = copy_of_result(&p);
    memset(p.packed.int8.at, 0x55, 21 * 40);
    struct quant_view left = weights(&p), right = weights(&p);
    left.cols = 23;
    right.cols = 17;
    right.at += 23;
    right.scale += 23;
    packed_fill_int8(&p.packed, left, 0, 0, 40);
    packed_fill_int8(&p.packed, right, 23, 0, 40);
    gemm_packed(&p.scratch, view_of(p.a, 5, 21), &p.packed, result(&p, got), false);
    assert_same(&p, got, want);
    free(want);
    free(got);
    product_release(&p);
}

/* ---- Rounding ---- */

/* Columns in any order, some twice; the memory is larger than they need. */
static void check_gather(void)
{
    enum { M = 3, N = 70, K = 53, TAKEN = 37 };
    struct product p = product_new(M, N, K, false);
    struct arena count = {0}, arena = {0};
    struct packed some;
    int column[TAKEN];
    real c[M * TAKEN] = {0};
    for (int n = 0; n < TAKEN; n++)
        column[n] = n * 29 % 61;
    real *want = run(&p, false, 1);
    bind_packed(&some, &count, K, TAKEN + 20);
    assert_int_equal(arena_reserve(&arena, count.used, NULL), ATTEND_OK);
    bind_packed(&some, &arena, K, TAKEN + 20);
    memset(some.int8.at, 0x55, (size_t)K * TAKEN);
    packed_gather(&some, &p.packed, column, TAKEN);
    gemm_packed(&p.scratch, view_of(p.a, M, K), &some, view_of(c, M, TAKEN), false);
    for (int i = 0; i < M; i++)
        for (int n = 0; n < TAKEN; n++)
            assert_true(c[i * TAKEN + n] == want[i * (N + GAP) + column[n]]);
    free(want);
    arena_release(&arena);
    product_release(&p);
}

TEST(quant_gather_takes_columns_to_the_bit) { at_every_level(check_gather); }

TEST(quant_weights_rounds_to_the_nearest_step_of_the_largest)
{
    const real w[] = {(real)0.5, 99, -1, 99, (real)0.2501, 99, 0, 99};
    int8_t q[8] = {0};
    float scale;
    quant_weights(w, 2, 4, q, 2, &scale);
    assert_near((double)scale, 1.0 / 127, 1e-9);
    const int8_t want[8] = {64, 0, -127, 0, 32, 0, 0, 0};
    assert_memory_equal(q, want, sizeof want);
}

static void check_least(void)
{
    int8_t q[301];
    for (int n = 0; n <= 301; n += 43)
        for (int at = 0; at < n; at++) {
            for (int i = 0; i < n; i++)
                q[i] = (int8_t)(i % 100);
            assert_int_equal(quant_least(q, (size_t)n), 0);
            q[at] = -128;
            assert_int_equal(quant_least(q, (size_t)n), -128);
        }
    assert_int_equal(quant_least(NULL, 0), 0);
}

TEST(quant_least_finds_the_smallest_weight_anywhere) { at_every_level(check_least); }

TEST(quant_weights_of_zeros_and_of_extremes_stay_in_range)
{
    const real all[][3] = {{0, 0, 0},
                           {(real)FLT_MAX, -(real)FLT_MAX, 1},
                           {(real)FLT_MIN, -(real)FLT_MIN, 0},
                           {(real)-3e-20, (real)1e-20, (real)3e-20}};
    const int8_t want[][3] = {{0, 0, 0}, {127, -127, 0}, {0, 0, 0}, {-127, 42, 127}};
    for (int i = 0; i < 4; i++) {
        int8_t q[3];
        float scale;
        quant_weights(all[i], 1, 3, q, 1, &scale);
        assert_memory_equal(q, want[i], 3);
        assert_true(isfinite(scale) && scale >= 0);
    }
}

TEST(quant_expand_gives_the_weights_back_within_half_a_step)
{
    real w[67], back[67];
    int8_t q[67];
    float scale;
    for (int i = 0; i < 67; i++)
        w[i] = (real)rng_normal(9, (uint64_t)i);
    quant_weights(w, 1, 67, q, 1, &scale);
    quant_expand(q, scale, 67, back);
    for (int i = 0; i < 67; i++)
        assert_near((double)back[i], (double)w[i], 0.501 * (double)scale);
}

/* The product of quantized numbers is close to the product of the original ones. */
TEST(quant_product_is_close_to_the_float_product)
{
    enum { M = 9, N = 31, K = 200 };
    struct product p = product_new(M, N, K, false);
    real *w = room(K * N, sizeof *w), *want = room(M * N, sizeof *want);
    double error = 0, size = 0;
    for (int i = 0; i < K * N; i++)
        w[i] = (real)rng_normal(7, (uint64_t)i);
    for (int j = 0; j < N; j++)
        quant_weights(w + j, N, K, p.q + j, N, &p.scale[j]);
    gemm_plain(view_of(p.a, M, K), view_of(w, K, N), view_of(want, M, N), false);
    real *got = run(&p, false, 1);
    for (int i = 0; i < M; i++)
        for (int j = 0; j < N; j++) {
            error += pow((double)got[i * (N + GAP) + j] - (double)want[i * N + j], 2);
            size += pow((double)want[i * N + j], 2);
        }
    assert_true(sqrt(error / size) < 0.01);
    free(w);
    free(want);
    free(got);
    product_release(&p);
}
