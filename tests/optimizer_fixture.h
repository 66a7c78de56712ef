/* An optimizer with drawn weights and gradients, for tests of optimizers. */
#ifndef ATTEND_TESTS_OPTIMIZER_FIXTURE_H
#define ATTEND_TESTS_OPTIMIZER_FIXTURE_H

#include "train/optimizer.h"

#include "base/arena.h"
#include "base/rng.h"
#include "tensor/simd.h"
#include "test.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { EXACT = sizeof(real) == sizeof(double), LARGE = 3 * (1 << 14) + 5 }; /* four blocks */

struct fixture {
    struct optimizer optimizer;
    struct arena arena;
    struct team *team;
    size_t n;
    double lr, clip;
    real *values, *grads;
};

static inline real *zeros(size_t n)
{
    real *x = calloc(n, sizeof *x);
    assert_non_null(x);
    return x;
}

static inline void fixture_init(struct fixture *f, const struct optimizer_ops *ops, size_t n,
                                int threads)
{
    struct arena count = {0};
    *f = (struct fixture){.n = n, .lr = 0.01, .values = zeros(n), .grads = zeros(n)};
    optimizer_bind(&f->optimizer, &count, ops, n);
    assert_int_equal(arena_reserve(&f->arena, count.used, NULL), ATTEND_OK);
    memset(f->arena.block, 0xff, f->arena.size); /* NaN: reset must clear it */
    optimizer_bind(&f->optimizer, &f->arena, ops, n);
    optimizer_reset(&f->optimizer, f->values);
    assert_int_equal(team_new(&f->team, threads, NULL), ATTEND_OK);
    for (size_t i = 0; i < n; i++)
        f->values[i] = (real)rng_normal(1, i);
}

static inline void fixture_release(struct fixture *f)
{
    team_free(f->team);
    arena_release(&f->arena);
    free(f->values);
    free(f->grads);
}

static inline void step_worker(struct worker *w, void *job)
{
    struct fixture *f = job;
    optimizer_step(&f->optimizer, w, f->values, f->grads, f->lr, f->clip);
}

static inline double gradient_at(size_t i, long step)
{
    return rng_normal((uint64_t)(100 + step), i);
}

/* One step with a gradient drawn for it. */
static inline void step(struct fixture *f)
{
    for (size_t i = 0; i < f->n; i++)
        f->grads[i] = (real)gradient_at(i, f->optimizer.step);
    team_run(f->team, step_worker, f);
}

#endif
