/* Elementary functions and loops over vectors.
 *
 * The inline functions are for SIMD bodies: plain C without branches, so that the compiler
 * vectorizes a loop over them. Their errors in float, measured by vec_test.c: tanh and sigmoid 4e-7
 * absolute; exp 3e-7 relative down to exp(-87), below which the result stays at 1.6e-38; log 3e-7
 * relative from 1.2e-38 to 1e38. In double they are libm's functions. */
#ifndef ATTEND_TENSOR_VEC_H
#define ATTEND_TENSOR_VEC_H

#include "tensor/real.h"
#include "tensor/simd.h"

#include <math.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#ifdef ATTEND_REAL_DOUBLE

SIMD_BODY real fast_tanh(real x) { return tanh(x); }
SIMD_BODY real fast_exp(real x) { return exp(x); }
SIMD_BODY real fast_log(real x) { return log(x); }
SIMD_BODY real fast_sigmoid(real x) { return 1 / (1 + exp(-x)); }

#else

/* x P(x^2) / Q(x^2) with P and Q of degree 4, the minimax fit of tanh on [-9, 9] for relative error
 * (2e-8 before rounding); beyond 9 tanh is 1 in float. */
SIMD_BODY real fast_tanh(real x)
{
    x = x < -9.0f ? -9.0f : x;
    x = x > 9.0f ? 9.0f : x;
    const real u = x * x;
    real p = 1.335468092e-08f * u + 2.060910083e-05f;
    p = (p * u + 3.495589364e-03f) * u + 1.338102669e-01f;
    p = (p * u + 1.0f) * x;
    real q = 7.776567372e-07f * u + 3.285636776e-04f;
    q = (q * u + 2.587698773e-02f) * u + 4.671434164e-01f;
    q = q * u + 1.0f;
    const real y = p / q;
    return y > 1.0f ? 1.0f : y < -1.0f ? -1.0f : y;
}

SIMD_BODY real fast_sigmoid(real x) { return 0.5f * fast_tanh(0.5f * x) + 0.5f; }

/* exp(x) = 2^n exp(r), where n is the integer nearest to x / ln 2 and |r| <= ln 2 / 2. exp(r) is a
 * polynomial of degree 6, and n goes directly into the exponent. Adding 1.5 * 2^23 rounds to an
 * integer and leaves it in the low bits. */
SIMD_BODY real fast_exp(real x)
{
    x = x < -87.0f ? -87.0f : x;
    x = x > 88.0f ? 88.0f : x;
    const real shifted = x * 1.44269504f + 12582912.0f;
    const real n = shifted - 12582912.0f;
    real r = x - n * 0.693359375f; /* ln 2 in two parts; the first is exact in few bits */
    r = r + n * 2.12194440e-4f;
    real p = 1.0f / 720 * r + 1.0f / 120;
    p = (p * r + 1.0f / 24) * r + 1.0f / 6;
    p = (p * r + 0.5f) * r + 1.0f;
    p = p * r + 1.0f;
    int32_t bits;
    memcpy(&bits, &shifted, sizeof bits);
    bits = (int32_t)(((uint32_t)bits << 23) + 0x3f800000u);
    real scale;
    memcpy(&scale, &bits, sizeof scale);
    return p * scale;
}

/* log(x) = n ln 2 + log(m), where m = x / 2^n lies between sqrt(1/2), whose bits are 0x3f3504f3,
 * and sqrt(2). log(m) = 2 artanh(s), s = (m - 1) / (m + 1), by the series of artanh up to s^9. */
SIMD_BODY real fast_log(real x)
{
    uint32_t bits;
    memcpy(&bits, &x, sizeof bits);
    const int32_t n = (int32_t)(bits - 0x3f3504f3u) >> 23;
    const uint32_t inverse = (uint32_t)(127 - n) << 23;
    real scale;
    memcpy(&scale, &inverse, sizeof scale);
    const real m = x * scale;
    const real s = (m - 1) / (m + 1), u = s * s;
    real p = 1.0f / 9 * u + 1.0f / 7;
    p = (p * u + 1.0f / 5) * u + 1.0f / 3;
    p = (p * u + 1.0f) * s;
    return 2 * p + (real)n * 0.693147181f;
}

#endif

/* x = tanh(x), and so on, n elements. */
void vec_tanh(real *x, size_t n);
void vec_sigmoid(real *x, size_t n);
void vec_exp(real *x, size_t n);
void vec_log(real *x, size_t n);

/* x = 0; y += x. */
void vec_zero(real *x, size_t n);
void vec_add(real *y, const real *x, size_t n);

/* Sum of squares, in double. */
double vec_square_sum(const real *x, size_t n);

/* Whether all are finite: no NaN, no infinity. */
bool vec_finite(const real *x, size_t n);

/* x = softmax(x), in place. */
void vec_softmax(real *x, int n);

#endif
