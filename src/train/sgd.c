/* Gradient descent with momentum, as PyTorch computes it:
 *
 *     v = mu v + g      w = w - lr v
 *
 * The rate multiplies the whole velocity, so a change of the rate acts at once. With mu = 0 it is
 * plain gradient descent. */
#include "tensor/vec.h"
#include "train/optimizer.h"

struct sgd {
    real rate, momentum, factor;
};

SIMD_BODY void sgd_body(real *restrict w, const real *restrict g, real *restrict v, struct sgd a,
                        size_t n)
{
#pragma omp simd
    for (size_t i = 0; i < n; i++) {
        v[i] = a.momentum * v[i] + a.factor * g[i];
        w[i] -= a.rate * v[i];
    }
}
SIMD_STATIC(sgd, (real * w, const real *g, real *v, struct sgd a, size_t n), (w, g, v, a, n))

static void update(const struct optimizer_update *u, size_t n)
{
    const struct sgd a = {
        .rate = (real)u->lr, .momentum = (real)u->momentum, .factor = (real)u->factor};
    sgd(u->value, u->grad, u->state[0], a, n);
}

const struct optimizer_ops optimizer_sgd = {
    .name = "sgd",
    .help = "gradient descent with momentum; learning rate 0.3",
    .lr = 0.3,
    .states = 1,
    .update = update,
};
