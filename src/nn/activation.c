#include "nn/activation.h"

#include "tensor/vec.h"

#include <string.h>

/* ---- max(x, 0) ---- */

SIMD_BODY void relu_body(const real *x, real *y, size_t n)
{
    for (size_t i = 0; i < n; i++)
        y[i] = x[i] > 0 ? x[i] : 0;
}
SIMD_STATIC(relu, (const real *x, real *y, size_t n), (x, y, n))

SIMD_BODY void relu_backward_body(const real *x, real *d, size_t n)
{
    for (size_t i = 0; i < n; i++)
        d[i] = x[i] > 0 ? d[i] : 0;
}
SIMD_STATIC(relu_backward, (const real *x, real *d, size_t n), (x, d, n))

const struct activation_ops activation_relu = {
    .name = "relu", .help = "max(x, 0)", .forward = relu, .backward = relu_backward};

/* ---- x Phi(x) ---- */

static const real SLOPE = (real)0.7978845608028654, CUBE = (real)0.044715;

SIMD_BODY void gelu_body(const real *x, real *y, size_t n)
{
    for (size_t i = 0; i < n; i++) {
        const real u = SLOPE * (x[i] + CUBE * x[i] * x[i] * x[i]);
        y[i] = (real)0.5 * x[i] * (1 + fast_tanh(u));
    }
}
SIMD_STATIC(gelu, (const real *x, real *y, size_t n), (x, y, n))

/* f' = (1 + t) / 2 + x (1 - t^2) u' / 2, t = tanh(u) */
SIMD_BODY void gelu_backward_body(const real *x, real *d, size_t n)
{
    for (size_t i = 0; i < n; i++) {
        const real square = x[i] * x[i], t = fast_tanh(SLOPE * (x[i] + CUBE * x[i] * square));
        const real du = SLOPE * (1 + 3 * CUBE * square);
        d[i] *= (real)0.5 * (1 + t + x[i] * (1 - t * t) * du);
    }
}
SIMD_STATIC(gelu_backward, (const real *x, real *d, size_t n), (x, d, n))

const struct activation_ops activation_gelu = {
    .name = "gelu", .help = "x Phi(x), a smooth relu", .forward = gelu, .backward = gelu_backward};

/* ---- The table ---- */

#define ROW(name) &activation_##name,
const struct activation_ops *const activations[] = {ACTIVATION_LIST(ROW) NULL};
#undef ROW

const struct activation_ops *activation_find(const char *name)
{
    for (const struct activation_ops *const *a = activations; *a; a++)
        if (strcmp((*a)->name, name) == 0)
            return *a;
    return NULL;
}
