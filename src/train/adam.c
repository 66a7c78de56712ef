/* Adam (Kingma and Ba 2015), as PyTorch computes it:
 *
 *     m = b1 m + (1 - b1) g      v = b2 v + (1 - b2) g^2
 *     w = w - lr / (1 - b1^t) m / (sqrt(v) / sqrt(1 - b2^t) + eps) */
#include "tensor/vec.h"
#include "train/optimizer.h"

static const double BETA1 = 0.9, BETA2 = 0.999, EPSILON = 1e-8;

struct adam {
    real rate, root, factor; /* lr / (1 - b1^t), 1 / sqrt(1 - b2^t), clipping */
};

SIMD_BODY void adam_body(real *restrict w, const real *restrict g, real *restrict m,
                         real *restrict v, struct adam a, size_t n)
{
    const real b1 = (real)BETA1, b2 = (real)BETA2, eps = (real)EPSILON;
#pragma omp simd
    for (size_t i = 0; i < n; i++) {
        const real d = g[i] * a.factor;
        m[i] = b1 * m[i] + (1 - b1) * d;
        v[i] = b2 * v[i] + (1 - b2) * d * d;
#ifdef ATTEND_REAL_DOUBLE
        w[i] -= a.rate * m[i] / (sqrt(v[i]) * a.root + eps);
#else
        w[i] -= a.rate * m[i] / (sqrtf(v[i]) * a.root + eps);
#endif
    }
}
SIMD_STATIC(adam, (real * w, const real *g, real *m, real *v, struct adam a, size_t n),
            (w, g, m, v, a, n))

static void update(const struct optimizer_update *u, size_t n)
{
    const double t = (double)u->step;
    const struct adam a = {
        .rate = (real)(u->lr / (1 - pow(BETA1, t))),
        .root = (real)(1 / sqrt(1 - pow(BETA2, t))),
        .factor = (real)u->factor,
    };
    adam(u->value, u->grad, u->state[0], u->state[1], a, n);
}

const struct optimizer_ops optimizer_adam = {
    .name = "adam",
    .help = "Adam (Kingma and Ba 2015); learning rate 0.002",
    .lr = 0.002,
    .states = 2,
    .update = update,
};
