#include "tensor/vec.h"

SIMD_BODY void vec_tanh_body(real *x, size_t n)
{
    for (size_t i = 0; i < n; i++)
        x[i] = fast_tanh(x[i]);
}
SIMD_FUNCTION(vec_tanh, (real * x, size_t n), (x, n))

SIMD_BODY void vec_sigmoid_body(real *x, size_t n)
{
    for (size_t i = 0; i < n; i++)
        x[i] = fast_sigmoid(x[i]);
}
SIMD_FUNCTION(vec_sigmoid, (real * x, size_t n), (x, n))

SIMD_BODY void vec_exp_body(real *x, size_t n)
{
    for (size_t i = 0; i < n; i++)
        x[i] = fast_exp(x[i]);
}
SIMD_FUNCTION(vec_exp, (real * x, size_t n), (x, n))

SIMD_BODY void vec_log_body(real *x, size_t n)
{
    for (size_t i = 0; i < n; i++)
        x[i] = fast_log(x[i]);
}
SIMD_FUNCTION(vec_log, (real * x, size_t n), (x, n))

void vec_zero(real *x, size_t n) { memset(x, 0, n * sizeof *x); }

SIMD_BODY void vec_add_body(real *y, const real *x, size_t n)
{
    for (size_t i = 0; i < n; i++)
        y[i] += x[i];
}
SIMD_FUNCTION(vec_add, (real * y, const real *x, size_t n), (y, x, n))

SIMD_BODY void square_sum_body(const real *x, size_t n, double *out)
{
    double sum = 0;
#pragma omp simd reduction(+ : sum)
    for (size_t i = 0; i < n; i++)
        sum += (double)x[i] * (double)x[i];
    *out = sum;
}
SIMD_STATIC(square_sum, (const real *x, size_t n, double *out), (x, n, out))

double vec_square_sum(const real *x, size_t n)
{
    double sum;
    square_sum(x, n, &sum);
    return sum;
}

/* 0 x is 0 for every number, and NaN for NaN and infinity. */
SIMD_BODY void nothing_of_body(const real *x, size_t n, real *out)
{
    real sum = 0;
#pragma omp simd reduction(+ : sum)
    for (size_t i = 0; i < n; i++)
        sum += 0 * x[i];
    *out = sum;
}
SIMD_STATIC(nothing_of, (const real *x, size_t n, real *out), (x, n, out))

bool vec_finite(const real *x, size_t n)
{
    real nothing;
    nothing_of(x, n, &nothing);
    return nothing == 0;
}

SIMD_BODY void vec_softmax_body(real *x, int n)
{
    real max = -(real)INFINITY, sum = 0;
#pragma omp simd reduction(max : max)
    for (int i = 0; i < n; i++)
        max = x[i] > max ? x[i] : max;
#pragma omp simd reduction(+ : sum)
    for (int i = 0; i < n; i++) {
        x[i] = fast_exp(x[i] - max);
        sum += x[i];
    }
    for (int i = 0; i < n; i++)
        x[i] /= sum;
}
SIMD_FUNCTION(vec_softmax, (real * x, int n), (x, n))
