/* Adam with decoupled weight decay (Loshchilov and Hutter 2019), as PyTorch computes it:
 *
 *     w = w - lr decay w
 *
 * and then Adam's step, whose moments never see the decay. */
#include "tensor/vec.h"
#include "train/optimizer.h"

SIMD_BODY void shrink_body(real *w, real by, size_t n)
{
#pragma omp simd
    for (size_t i = 0; i < n; i++)
        w[i] -= by * w[i];
}
SIMD_STATIC(shrink, (real * w, real by, size_t n), (w, by, n))

static void update(const struct optimizer_update *u, size_t n)
{
    shrink(u->value, (real)(u->lr * u->weight_decay), n);
    optimizer_adam.update(u, n);
}

const struct optimizer_ops optimizer_adamw = {
    .name = "adamw",
    .help = "Adam with decoupled weight decay (Loshchilov and Hutter 2019); learning rate 0.002",
    .lr = 0.002,
    .states = 2,
    .decoupled = true,
    .update = update,
};
