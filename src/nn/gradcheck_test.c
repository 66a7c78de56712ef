/* The check itself: it must find errors, otherwise every test that uses it is worthless. */
#include "nn/gradcheck.h"

#include "test.h"

#include <math.h>
#include <string.h>

enum { N = 5 };

/* f = sum_i (i + 1) x_i^3 */
static double cubes(void *context)
{
    const real *x = context;
    double sum = 0;
    for (int i = 0; i < N; i++)
        sum += (i + 1) * pow((double)x[i], 3);
    return sum;
}

static void start(real *x, real *d)
{
    for (int i = 0; i < N; i++) {
        x[i] = (real)(0.3 * i - 0.7);
        d[i] = (real)(3 * (i + 1)) * x[i] * x[i];
    }
}

TEST(gradcheck_accepts_the_right_gradient)
{
    if (sizeof(real) < sizeof(double))
        skip();
    real x[N], d[N];
    start(x, d);
    assert_true(gradcheck(cubes, x, x, d, N).worst < 1e-8);
}

/* f = 1000 + x / 1e5: with the smaller step, round-off is as large as the tolerance. */
static double far_from_zero(void *context) { return 1000 + (double)*(const real *)context * 1e-5; }

TEST(gradcheck_sees_a_small_gradient_of_a_large_loss)
{
    if (sizeof(real) < sizeof(double))
        skip();
    for (int i = 0; i < 100; i++) {
        real x = (real)(0.01 * i), d = (real)1e-5, wrong = (real)(1e-5 + 2e-8);
        assert_true(gradcheck(far_from_zero, &x, &x, &d, 1).worst < 2.5e-6);
        assert_true(gradcheck(far_from_zero, &x, &x, &wrong, 1).worst > 1e-5);
    }
}

TEST(gradcheck_leaves_x_as_it_was)
{
    real x[N], before[N], d[N];
    start(x, d);
    memcpy(before, x, sizeof x);
    gradcheck(cubes, x, x, d, N);
    assert_memory_equal(x, before, sizeof x);
}

TEST(gradcheck_finds_a_wrong_element_and_says_where)
{
    if (sizeof(real) < sizeof(double))
        skip();
    for (size_t at = 0; at < N; at++) {
        real x[N], d[N];
        start(x, d);
        const double right = (double)d[at];
        d[at] += (real)1e-3;
        const struct gradcheck_result r = gradcheck(cubes, x, x, d, N);
        assert_true(r.worst > 1e-6);
        assert_int_equal(r.at, at);
        assert_near(r.numeric, right, 1e-8);
        assert_near(r.analytic, right + 1e-3, 1e-12);
    }
}

TEST(gradcheck_finds_nan_wherever_it_stands)
{
    for (size_t at = 0; at < N; at++) {
        real x[N], d[N];
        start(x, d);
        d[at] = (real)NAN;
        const struct gradcheck_result r = gradcheck(cubes, x, x, d, N);
        assert_false(r.worst <= 1e-6); /* the threshold of the layer tests */
        assert_int_equal(r.at, at);
    }
}

TEST(gradcheck_of_nothing_finds_nothing)
{
    real x[N] = {0};
    assert_true(gradcheck(cubes, x, x, x, 0).worst == 0);
}
