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

static real *zeros(size_t n)
{
    real *x = calloc(n, sizeof *x);
    assert_non_null(x);
    return x;
}

static void fixture_init(struct fixture *f, const struct optimizer_ops *ops, size_t n, int threads)
{
    struct arena count = {0};
    *f = (struct fixture){.n = n, .lr = 0.01, .values = zeros(n), .grads = zeros(n)};
    optimizer_bind(&f->optimizer, &count, ops, n);
    assert_int_equal(arena_reserve(&f->arena, count.used, NULL), ATTEND_OK);
    memset(f->arena.block, 0xff, f->arena.size); /* NaN: reset must clear it */
    optimizer_bind(&f->optimizer, &f->arena, ops, n);
    optimizer_reset(&f->optimizer);
    assert_int_equal(team_new(&f->team, threads, NULL), ATTEND_OK);
    for (size_t i = 0; i < n; i++)
        f->values[i] = (real)rng_normal(1, i);
}

static void fixture_release(struct fixture *f)
{
    team_free(f->team);
    arena_release(&f->arena);
    free(f->values);
    free(f->grads);
}

static void step_worker(struct worker *w, void *job)
{
    struct fixture *f = job;
    optimizer_step(&f->optimizer, w, f->values, f->grads, f->lr, f->clip);
}

static double gradient_at(size_t i, long step) { return rng_normal((uint64_t)(100 + step), i); }

/* One step with a gradient drawn for it. */
static void step(struct fixture *f)
{
    for (size_t i = 0; i < f->n; i++)
        f->grads[i] = (real)gradient_at(i, f->optimizer.step);
    team_run(f->team, step_worker, f);
}

/* ---- Adam ---- */

/* Ten steps of one element by the paper's formula, in double. */
static double plain_adam(double w, size_t i, double lr, int steps)
{
    double m = 0, v = 0;
    for (int t = 1; t <= steps; t++) {
        const double g = (double)(real)gradient_at(i, t - 1);
        m = 0.9 * m + 0.1 * g;
        v = 0.999 * v + 0.001 * g * g;
        w -= lr * (m / (1 - pow(0.9, t))) / (sqrt(v / (1 - pow(0.999, t))) + 1e-8);
    }
    return w;
}

TEST(adam_matches_its_formula)
{
    struct fixture f;
    fixture_init(&f, &optimizer_adam, 37, 1);
    for (int t = 0; t < 10; t++)
        step(&f);
    assert_int_equal(f.optimizer.step, 10);
    for (size_t i = 0; i < f.n; i++)
        assert_near((double)f.values[i], plain_adam((double)(real)rng_normal(1, i), i, 0.01, 10),
                    EXACT ? 1e-13 : 1e-6);
    fixture_release(&f);
}

/* With eps = 1e-8 a tiny gradient still moves by about lr; and one of 0 does not move. */
TEST(adam_first_step_is_the_rate_whatever_the_size)
{
    static const double sizes[] = {1e-3, -1e-3, 1, -100, 1e6, 0};
    struct fixture f;
    fixture_init(&f, &optimizer_adam, 6, 1);
    for (int i = 0; i < 6; i++) {
        f.values[i] = 1;
        f.grads[i] = (real)sizes[i];
    }
    team_run(f.team, step_worker, &f);
    for (int i = 0; i < 6; i++) {
        const double sign = sizes[i] > 0 ? 1 : sizes[i] < 0 ? -1 : 0;
        assert_near((double)f.values[i], 1 - 0.01 * sign, 1e-6);
    }
    fixture_release(&f);
}

TEST(adam_levels_agree)
{
    if (simd_level_available() == 0)
        skip();
    struct fixture f[2];
    for (int level = 0; level < 2; level++) {
        fixture_init(&f[level], &optimizer_adam, 101, 1);
        simd_cap(level);
        for (int t = 0; t < 3; t++)
            step(&f[level]);
    }
    simd_cap(1);
    for (size_t i = 0; i < 101; i++)
        assert_near((double)f[1].values[i], (double)f[0].values[i], EXACT ? 1e-14 : 1e-5);
    assert_near(f[1].optimizer.norm, f[0].optimizer.norm, 1e-12);
    fixture_release(&f[0]);
    fixture_release(&f[1]);
}

/* ---- Every optimiser ---- */

TEST(optimizer_find_knows_the_table_and_nothing_else)
{
    assert_ptr_equal(optimizer_find("adam"), &optimizer_adam);
    for (int i = 0; optimizers[i]; i++) {
        assert_ptr_equal(optimizer_find(optimizers[i]->name), optimizers[i]);
        assert_true(optimizers[i]->states >= 0 && optimizers[i]->states <= 2);
        assert_true(optimizers[i]->help[0] != '\0');
    }
    assert_null(optimizer_find("Adam"));
    assert_null(optimizer_find(""));
}

TEST(optimizer_first_step_goes_downhill)
{
    for (int o = 0; optimizers[o]; o++) {
        struct fixture f;
        fixture_init(&f, optimizers[o], 37, 1);
        real before[37];
        memcpy(before, f.values, sizeof before);
        step(&f);
        for (size_t i = 0; i < 37; i++)
            assert_true(((double)f.values[i] - (double)before[i]) * gradient_at(i, 0) < 0);
        fixture_release(&f);
    }
}

/* From a reset on, a run repeats itself bit for bit. */
TEST(optimizer_reset_starts_again)
{
    for (int o = 0; optimizers[o]; o++) {
        struct fixture f;
        real first[37];
        fixture_init(&f, optimizers[o], 37, 1);
        for (int t = 0; t < 3; t++)
            step(&f);
        memcpy(first, f.values, sizeof first);
        optimizer_reset(&f.optimizer);
        assert_int_equal(f.optimizer.step, 0);
        for (size_t i = 0; i < 37; i++)
            f.values[i] = (real)rng_normal(1, i);
        for (int t = 0; t < 3; t++)
            step(&f);
        assert_memory_equal(f.values, first, sizeof first);
        fixture_release(&f);
    }
}

TEST(optimizer_step_sets_the_gradient_to_zero)
{
    for (int o = 0; optimizers[o]; o++) {
        struct fixture f;
        fixture_init(&f, optimizers[o], LARGE, 2);
        step(&f);
        for (size_t i = 0; i < f.n; i++)
            assert_true(f.grads[i] == 0);
        fixture_release(&f);
    }
}

TEST(optimizer_does_not_depend_on_the_number_of_threads)
{
    for (int o = 0; optimizers[o]; o++) {
        struct fixture f[3];
        for (int i = 0; i < 3; i++) {
            fixture_init(&f[i], optimizers[o], LARGE, i + 1);
            f[i].clip = 50;
            for (int t = 0; t < 3; t++)
                step(&f[i]);
        }
        for (int i = 1; i < 3; i++) {
            assert_true(f[i].optimizer.norm == f[0].optimizer.norm);
            assert_memory_equal(f[i].values, f[0].values, LARGE * sizeof(real));
            for (int s = 0; s < optimizers[o]->states; s++)
                assert_memory_equal(f[i].optimizer.state[s], f[0].optimizer.state[s],
                                    LARGE * sizeof(real));
        }
        for (int i = 0; i < 3; i++)
            fixture_release(&f[i]);
    }
}

/* ---- Clipping ---- */

/* An optimiser that shows the gradient it is given. */
static void show(const struct optimizer_update *u, size_t n)
{
    for (size_t i = 0; i < n; i++)
        u->state[0][i] = (real)((double)u->grad[i] * u->factor);
    u->state[1][0] = (real)u->step;
}
static const struct optimizer_ops SHOW = {.name = "show", .help = "", .states = 2, .update = show};

/* A gradient of norm 5, clipped. */
static void check_clip(double clip, double factor)
{
    struct fixture f;
    fixture_init(&f, &SHOW, 2, 1);
    f.clip = clip;
    f.grads[0] = 3;
    f.grads[1] = -4;
    team_run(f.team, step_worker, &f);
    assert_near(f.optimizer.norm, 5, 1e-12);
    assert_near((double)f.optimizer.state[0][0], 3 * factor, 1e-7);
    assert_near((double)f.optimizer.state[0][1], -4 * factor, 1e-7);
    fixture_release(&f);
}

TEST(optimizer_clips_to_the_norm_asked_for)
{
    check_clip(0, 1);
    check_clip(10, 1);
    check_clip(5, 1);
    check_clip(1, 1 / (5 + 1e-6));
    check_clip(0.01, 0.01 / (5 + 1e-6));
    check_clip(4.999, 4.999 / (5 + 1e-6));
}

/* A clipped step is the step of the shorter gradient, for every optimiser. */
TEST(optimizer_clipped_step_is_the_step_of_a_scaled_gradient)
{
    for (int o = 0; optimizers[o]; o++) {
        struct fixture clipped, scaled;
        fixture_init(&clipped, optimizers[o], 37, 1);
        fixture_init(&scaled, optimizers[o], 37, 1);
        clipped.clip = 0.5;
        for (int t = 0; t < 3; t++) {
            step(&clipped);
            const double factor = 0.5 / (clipped.optimizer.norm + 1e-6);
            for (size_t i = 0; i < 37; i++)
                scaled.grads[i] = (real)(factor * (double)(real)gradient_at(i, t));
            team_run(scaled.team, step_worker, &scaled);
        }
        for (size_t i = 0; i < 37; i++) {
            assert_near((double)clipped.values[i], (double)scaled.values[i], 1e-6);
            for (int s = 0; s < optimizers[o]->states; s++)
                assert_near((double)clipped.optimizer.state[s][i],
                            (double)scaled.optimizer.state[s][i], 1e-8);
        }
        fixture_release(&clipped);
        fixture_release(&scaled);
    }
}

TEST(optimizer_norm_is_over_all_blocks_and_steps_count_from_one)
{
    struct fixture f;
    fixture_init(&f, &SHOW, LARGE, 3);
    f.clip = 1;
    double squares = 0;
    step(&f);
    for (size_t i = 0; i < LARGE; i++)
        squares += pow((double)(real)gradient_at(i, 0), 2);
    assert_near(f.optimizer.norm, sqrt(squares), 1e-10);
    assert_true(f.optimizer.state[1][0] == 1);
    squares = 0;
    for (size_t i = 0; i < LARGE; i++)
        squares += pow((double)f.optimizer.state[0][i], 2);
    assert_near(sqrt(squares), 1, 1e-6);
    step(&f);
    assert_true(f.optimizer.state[1][0] == 2);
    fixture_release(&f);
}

TEST(optimizer_of_a_zero_gradient_does_not_divide_by_its_norm)
{
    struct fixture f;
    fixture_init(&f, &optimizer_adam, 5, 1);
    f.clip = 1;
    team_run(f.team, step_worker, &f);
    assert_true(f.optimizer.norm == 0);
    for (size_t i = 0; i < 5; i++)
        assert_true(f.values[i] == (real)rng_normal(1, i));
    fixture_release(&f);
}

/* ---- A gradient that is not finite ---- */

static void check_not_finite(real bad, size_t at, int threads)
{
    struct fixture f;
    fixture_init(&f, &optimizer_adam, LARGE, threads);
    f.clip = 1;
    step(&f);
    real *values = zeros(LARGE), *moment = zeros(LARGE);
    memcpy(values, f.values, LARGE * sizeof(real));
    memcpy(moment, f.optimizer.state[1], LARGE * sizeof(real));
    for (size_t i = 0; i < LARGE; i++)
        f.grads[i] = 1;
    f.grads[at] = bad;
    team_run(f.team, step_worker, &f);
    assert_false(isfinite(f.optimizer.norm));
    assert_int_equal(f.optimizer.step, 1);
    assert_memory_equal(f.values, values, LARGE * sizeof(real));
    assert_memory_equal(f.optimizer.state[1], moment, LARGE * sizeof(real));
    free(values);
    free(moment);
    fixture_release(&f);
}

TEST(optimizer_leaves_values_and_state_when_the_norm_is_not_finite)
{
    check_not_finite((real)NAN, 0, 1);
    check_not_finite((real)INFINITY, LARGE - 1, 1);
    check_not_finite((real)NAN, LARGE / 2, 3);
    check_not_finite((real)-INFINITY, 7, 2);
}
