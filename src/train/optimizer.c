#include "train/optimizer.h"

#include "base/arena.h"
#include "tensor/vec.h"

#include <math.h>
#include <string.h>

#define ROW(name) &optimizer_##name,
const struct optimizer_ops *const optimizers[] = {OPTIMIZER_LIST(ROW) NULL};
#undef ROW

const struct optimizer_ops *optimizer_find(const char *name)
{
    for (const struct optimizer_ops *const *ops = optimizers; *ops; ops++)
        if (strcmp((*ops)->name, name) == 0)
            return *ops;
    return NULL;
}

/* Elements per block: value, gradient and state of a block fit in the L2 cache. */
enum { BLOCK = 1 << 14 };

static int block_count(const struct optimizer *o) { return (int)((o->size + BLOCK - 1) / BLOCK); }

void optimizer_bind(struct optimizer *o, struct arena *arena, const struct optimizer_ops *ops,
                    size_t size)
{
    *o = (struct optimizer){.ops = ops, .size = size};
    for (int i = 0; i < ops->states; i++)
        o->state[i] = arena_take(arena, sizeof(real), size);
    o->squares = arena_take(arena, sizeof(double), (size_t)block_count(o));
}

void optimizer_bind_average(struct optimizer *o, struct arena *arena, double decay)
{
    o->average = arena_take(arena, sizeof(real), o->size);
    o->average_decay = decay;
}

void optimizer_reset(struct optimizer *o, const real *values)
{
    if (o->average)
        memcpy(o->average, values, o->size * sizeof *values);
    for (int i = 0; i < o->ops->states; i++)
        vec_zero(o->state[i], o->size);
    o->step = 0;
}

static size_t block_size(const struct optimizer *o, int block)
{
    const size_t left = o->size - (size_t)block * BLOCK;
    return left < BLOCK ? left : BLOCK;
}

static double gradient_norm(const struct optimizer *o, struct worker *w, const real *grads)
{
    int from, to;
    double sum = 0;
    worker_share(w, block_count(o), 1, &from, &to);
    for (int i = from; i < to; i++)
        o->squares[i] = vec_square_sum(grads + (size_t)i * BLOCK, block_size(o, i));
    worker_meet(w);
    for (int i = 0; i < block_count(o); i++)
        sum += o->squares[i];
    return sqrt(sum);
}

SIMD_BODY void add_decay_body(real *restrict g, const real *restrict w, real factor, real decay,
                              size_t n)
{
#pragma omp simd
    for (size_t i = 0; i < n; i++)
        g[i] = factor * g[i] + decay * w[i];
}
SIMD_STATIC(add_decay, (real * g, const real *w, real factor, real decay, size_t n),
            (g, w, factor, decay, n))

SIMD_BODY void follow_body(real *restrict average, const real *restrict value, real share, size_t n)
{
#pragma omp simd
    for (size_t i = 0; i < n; i++)
        average[i] += share * (value[i] - average[i]);
}
SIMD_STATIC(follow, (real * average, const real *value, real share, size_t n),
            (average, value, share, n))

static void update_block(const struct optimizer *o, int block, real *values, real *grads,
                         struct optimizer_update update)
{
    const size_t at = (size_t)block * BLOCK, n = block_size(o, block);
    update.value = values + at;
    update.grad = grads + at;
    for (int i = 0; i < o->ops->states; i++)
        update.state[i] = o->state[i] + at;
    if (update.weight_decay > 0 && !o->ops->decoupled) {
        add_decay(grads + at, update.value, (real)update.factor, (real)update.weight_decay, n);
        update.factor = 1;
    }
    o->ops->update(&update, n);
    vec_zero(grads + at, n);
    if (o->average) {
        const double young = (1.0 + (double)update.step) / (10.0 + (double)update.step);
        const double d = young < o->average_decay ? young : o->average_decay;
        follow(o->average + at, values + at, (real)(1 - d), n);
    }
}

void optimizer_step(struct optimizer *o, struct worker *w, real *values, real *grads, double lr,
                    double clip)
{
    const double norm = gradient_norm(o, w, grads);
    /* PyTorch's rule, with its guard against a norm of 0. */
    const double factor = clip > 0 && norm > clip ? clip / (norm + 1e-6) : 1;
    const struct optimizer_update update = {.factor = factor,
                                            .lr = lr,
                                            .weight_decay = o->weight_decay,
                                            .momentum = o->momentum,
                                            .step = o->step + 1};
    int from, to;
    worker_share(w, isfinite(norm) ? block_count(o) : 0, 1, &from, &to);
    for (int i = from; i < to; i++)
        update_block(o, i, values, grads, update);
    worker_meet(w);
    if (w->index == 0) {
        o->norm = norm;
        o->step += isfinite(norm);
    }
    worker_meet(w);
}
