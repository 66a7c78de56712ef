/* Adadelta (Zeiler 2012), as PyTorch computes it; the paper's own form has lr = 1:
 *
 *     v = rho v + (1 - rho) g^2
 *     d = sqrt(u + eps) / sqrt(v + eps) g      u = rho u + (1 - rho) d^2
 *     w = w - lr d
 *
 * v is the mean square of the gradient and u that of the steps taken. */
#include "tensor/vec.h"
#include "train/optimizer.h"

static const double RHO = 0.95, EPSILON = 1e-6;

SIMD_BODY real root(real x)
{
#ifdef ATTEND_REAL_DOUBLE
    return sqrt(x);
#else
    return sqrtf(x);
#endif
}

SIMD_BODY void adadelta_body(real *restrict w, const real *restrict g, real *restrict v,
                             real *restrict u, real rate, real factor, size_t n)
{
    const real rho = (real)RHO, rest = (real)(1 - RHO), eps = (real)EPSILON;
#pragma omp simd
    for (size_t i = 0; i < n; i++) {
        const real x = factor * g[i];
        v[i] = rho * v[i] + rest * x * x;
        const real d = root(u[i] + eps) / root(v[i] + eps) * x;
        u[i] = rho * u[i] + rest * d * d;
        w[i] -= rate * d;
    }
}
SIMD_STATIC(adadelta, (real * w, const real *g, real *v, real *u, real rate, real factor, size_t n),
            (w, g, v, u, rate, factor, n))

static void update(const struct optimizer_update *u, size_t n)
{
    adadelta(u->value, u->grad, u->state[0], u->state[1], (real)u->lr, (real)u->factor, n);
}

const struct optimizer_ops optimizer_adadelta = {
    .name = "adadelta",
    .help = "Adadelta (Zeiler 2012); learning rate 1, as in the paper",
    .lr = 1,
    .states = 2,
    .update = update,
};
