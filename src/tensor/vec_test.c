/* Elementary functions against libm in double, at every SIMD level, and the loops over vectors. */
#include "tensor/vec.h"

#include "base/rng.h"
#include "test.h"

#include <float.h>
#include <stdlib.h>

enum { EXACT = sizeof(real) == sizeof(double) };
static const real INF = (real)INFINITY, NOT_A_NUMBER = (real)NAN;

static real *numbers(uint64_t key, size_t n, double scale)
{
    real *x = malloc((n ? n : 1) * sizeof *x);
    assert_non_null(x);
    for (size_t i = 0; i < n; i++)
        x[i] = (real)(scale * (2 * rng_uniform(key, i) - 1));
    return x;
}

static void at_each_level(void (*check)(void))
{
    for (int level = 0; level <= (int)simd_level_available(); level++) {
        simd_cap(level);
        check();
    }
    simd_cap(SIMD_LEVELS);
}

/* ---- Elementary functions ---- */

static double sigmoid(double x) { return 1 / (1 + exp(-x)); }

/* A function, its reference, and the range and errors that vec.h promises. */
struct elementary {
    void (*run)(real *, size_t);
    double (*want)(double);
    double low, high;          /* arguments with a promised error */
    double absolute, relative; /* errors in float; HUGE_VAL: none promised */
    double least, most;        /* bounds of all results */
};

static const struct elementary TANH = {vec_tanh, tanh, -HUGE_VAL, HUGE_VAL, 4e-7, 4e-7, -1, 1};
static const struct elementary SIGMOID = {vec_sigmoid, sigmoid,  -HUGE_VAL, HUGE_VAL,
                                          4e-7,        HUGE_VAL, 0,         1};
static const struct elementary EXP = {vec_exp, exp, -87, 88, HUGE_VAL, 3e-7, 0, HUGE_VAL};

/* One result must be as accurate as vec.h promises; in double it is libm's, up to the last bit in
 * sigmoid. */
static void check_value(const struct elementary *f, real x, real got)
{
    const double want = f->want((double)x), error = fabs((double)got - want);
    const double absolute = EXACT ? HUGE_VAL : f->absolute, relative = EXACT ? 1e-15 : f->relative;
    if (!((double)got >= f->least && (double)got <= f->most))
        fail_msg("result %.9g at %.9g is out of range", (double)got, (double)x);
    if ((double)x < f->low || (double)x > f->high || error == 0)
        return;
    if (!(error <= absolute && error <= relative * fabs(want)))
        fail_msg("result %.9g at %.9g, should be %.17g", (double)got, (double)x, want);
}

static void check_all(const struct elementary *f, const real *x, size_t n)
{
    real got[1000];
    assert_true(n <= 1000);
    memcpy(got, x, n * sizeof *x);
    f->run(got, n);
    for (size_t i = 0; i < n; i++)
        check_value(f, x[i], got[i]);
}

/* Every 257th float between two bit patterns; with 2 signs also the negative ones. */
static void check_bit_patterns(const struct elementary *f, uint32_t from, uint32_t to, int signs)
{
    real x[1000];
    size_t n = 0;
    for (uint32_t bits = from; bits < to; bits += 257) {
        float value;
        memcpy(&value, &bits, sizeof value);
        x[n++] = (real)value;
        if (signs == 2)
            x[n++] = (real)-value;
        if (n < 1000)
            continue;
        check_all(f, x, n);
        n = 0;
    }
    check_all(f, x, n);
}

/* Even steps, because bit patterns are coarse where the function still changes. */
static void check_even_steps(const struct elementary *f)
{
    for (int block = -200; block < 200; block++) {
        real x[1000];
        for (int i = 0; i < 1000; i++)
            x[i] = (real)(block * 0.1 + i * 1e-4);
        check_all(f, x, 1000);
    }
}

static void check_special(const struct elementary *f)
{
    const real huge = EXACT ? (real)DBL_MAX : (real)FLT_MAX;
    const real tiny = EXACT ? (real)DBL_MIN : (real)FLT_MIN;
    const real x[] = {
        0,     (real)-0.0, 1,    -1,   9,     -9,       (real)9.001, 100,   -100,         huge,
        -huge, INF,        -INF, tiny, -tiny, tiny / 8, -tiny / 8,   -1000, (real)-86.99, -87,
        88};
    const size_t n = sizeof x / sizeof *x;
    check_all(f, x, n);
    for (size_t i = 0; i < n; i++) /* one at a time, for the tail of the vector loop */
        check_all(f, &x[i], 1);
    for (size_t at = 0; at < 17; at++) { /* a NaN stays NaN at any position and does not spread */
        real y[17] = {0};
        y[at] = NOT_A_NUMBER;
        f->run(y, 17);
        for (size_t i = 0; i < 17; i++)
            assert_true(isnan(y[i]) ? i == at : i != at && (double)y[i] == f->want(0));
    }
}

static void check_elementary(const struct elementary *f)
{
    /* From 2^-31 to 100: 1.2 million of each sign. (All floats in this range were measured once;
     * the bounds hold.) */
    check_bit_patterns(f, 0x30000000u, 0x42c80000u, 2);
    check_even_steps(f);
    check_special(f);
}

static void check_tanh(void) { check_elementary(&TANH); }
static void check_sigmoid(void) { check_elementary(&SIGMOID); }
static void check_exp(void) { check_elementary(&EXP); }

/* From 1.2e-38 to 1e38, and NaN, which stays NaN. */
static void check_log(void)
{
    static const struct elementary LOG = {vec_log,  log,  1.2e-38,   1e38,
                                          HUGE_VAL, 3e-7, -HUGE_VAL, HUGE_VAL};
    check_bit_patterns(&LOG, 0x00830000u, 0x7e960000u, 1);
    real y[] = {1, NOT_A_NUMBER, 1};
    vec_log(y, 3);
    assert_true(y[0] == 0 && isnan(y[1]) && y[2] == 0);
}

TEST(vec_tanh_keeps_its_bounds) { at_each_level(check_tanh); }
TEST(vec_sigmoid_keeps_its_bounds) { at_each_level(check_sigmoid); }
TEST(vec_exp_keeps_its_bounds) { at_each_level(check_exp); }
TEST(vec_log_keeps_its_bounds) { at_each_level(check_log); }

static void check_saturation(void)
{
    real t[] = {INF, -INF, 50, -50}, s[] = {INF, -INF, 50, -800};
    vec_tanh(t, 4);
    vec_sigmoid(s, 4);
    for (int i = 0; i < 4; i++) {
        assert_true(t[i] == (i % 2 ? -1 : 1));
        assert_true(s[i] == (i % 2 ? 0 : 1));
    }
}
TEST(vec_tanh_and_sigmoid_saturate_exactly) { at_each_level(check_saturation); }

static void check_exp_ends(void)
{
    real e[] = {-87, -88, -INF, 88, 89, INF};
    vec_exp(e, 6);
    if (EXACT) {
        assert_true(e[2] == 0 && isinf(e[5]));
        return;
    }
    assert_true((double)e[0] > 1.6e-38 && (double)e[0] < 1.7e-38);
    assert_true(e[1] == e[0] && e[2] == e[0]);
    assert_true(isfinite(e[3]) && e[4] == e[3] && e[5] == e[3]);
}
TEST(vec_exp_stays_at_its_ends_beyond_them) { at_each_level(check_exp_ends); }

static void check_signs(void)
{
    real x[] = {(real)-0.0, 0, (real)0.3, (real)-0.3};
    vec_tanh(x, 4);
    assert_true(signbit(x[0]) && !signbit(x[1]));
    assert_true(x[2] == -x[3]);
}
TEST(vec_tanh_is_odd) { at_each_level(check_signs); }

/* ---- Softmax ---- */

/* Against the plain formula in double. */
static void check_softmax_of(const real *x, int n)
{
    real got[64];
    double max = -HUGE_VAL, total = 0, sum = 0;
    memcpy(got, x, (size_t)n * sizeof *x);
    vec_softmax(got, n);
    for (int i = 0; i < n; i++)
        max = larger(max, (double)x[i]);
    for (int i = 0; i < n; i++)
        total += exp((double)x[i] - max);
    for (int i = 0; i < n; i++) {
        assert_near((double)got[i], exp((double)x[i] - max) / total, EXACT ? 1e-14 : 1e-6);
        sum += (double)got[i];
    }
    assert_near(sum, 1, EXACT ? 1e-14 : 1e-6);
}

static void check_softmax(void)
{
    for (int n = 1; n <= 64; n++) {
        real *x = numbers((uint64_t)n, (size_t)n, 5);
        check_softmax_of(x, n);
        free(x);
    }
    const real large[] = {10000, 9999, -10000, 10000, 3}, one = 7;
    const real negative[] = {-10000, -10001, -10002};
    check_softmax_of(large, 5);
    check_softmax_of(negative, 3);
    check_softmax_of(&one, 1);
    vec_softmax(NULL, 0);
}
TEST(vec_softmax_sums_to_one_for_small_and_large_values) { at_each_level(check_softmax); }

static void check_infinities(void)
{
    const real x[] = {-INF, 1, -INF, 2, -INF, -INF, 0, -INF, -INF};
    real got[9];
    memcpy(got, x, sizeof x);
    vec_softmax(got, 9);
    check_softmax_of(x, 9);
    for (int i = 0; i < 9; i++)
        assert_true(isfinite(x[i]) || (double)got[i] <= (EXACT ? 0 : 1.7e-38));
}
TEST(vec_softmax_gives_nothing_to_minus_infinity) { at_each_level(check_infinities); }

static void check_nan(void)
{
    for (int at = 0; at < 11; at++) {
        real x[11] = {1, 2, 3};
        x[at] = NOT_A_NUMBER;
        vec_softmax(x, 11);
        for (int i = 0; i < 11; i++)
            assert_true(isnan(x[i]));
    }
}
TEST(vec_softmax_of_nan_is_nan) { at_each_level(check_nan); }

/* ---- Loops ---- */

static void check_square_sum(void)
{
    for (size_t n = 0; n < 70; n++) {
        real *x = numbers(n, n, 3);
        double want = 0;
        for (size_t i = 0; i < n; i++)
            want += (double)x[i] * (double)x[i];
        assert_near(vec_square_sum(x, n), want, 1e-14);
        free(x);
    }
    const real large[] = {(real)1e30, (real)1e30, 1};
    assert_near(vec_square_sum(large, 3) / 2e60, 1, 1e-6); /* beyond float's range */
    const real broken[] = {1, NOT_A_NUMBER, 2};
    assert_true(isnan(vec_square_sum(broken, 3)));
}
static void check_finite(void)
{
    const real good[] = {0, (real)-0.0, (real)1e-40, (real)3e38, (real)-3e38, 1};
    const real bad[] = {(real)NAN, -(real)NAN, (real)INFINITY, -(real)INFINITY};
    enum { LONGEST = 70 };
    real x[LONGEST] = {0};
    for (size_t n = 0; n <= LONGEST; n++) {
        for (size_t i = 0; i < n; i++)
            x[i] = good[i % 6];
        assert_true(vec_finite(x, n));
        for (size_t i = 0; i < n; i++) {
            const real kept = x[i];
            x[i] = bad[i % 4];
            assert_false(vec_finite(x, n));
            x[i] = kept;
        }
    }
}
TEST(vec_finite_finds_each_number_that_is_not) { at_each_level(check_finite); }

TEST(vec_square_sum_is_summed_in_double) { at_each_level(check_square_sum); }

/* The memory after the n elements must not change. */
static void check_loops(void)
{
    for (size_t n = 0; n < 40; n++) {
        real *x = numbers(1, n + 1, 1), *y = numbers(2, n + 1, 1), *z = numbers(2, n + 1, 1);
        vec_add(y, x, n);
        for (size_t i = 0; i <= n; i++)
            assert_true(y[i] == (i < n ? z[i] + x[i] : z[i]));
        vec_zero(z, n);
        for (size_t i = 0; i <= n; i++)
            assert_true((z[i] == 0) == (i < n));
        free(x);
        free(y);
        free(z);
    }
}
TEST(vec_loops_change_their_elements_and_no_other) { at_each_level(check_loops); }
