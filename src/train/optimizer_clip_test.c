/* The norm of the gradient: clipping, and gradients with NaN or infinity. */
#include "optimizer_fixture.h"

/* ---- Clipping ---- */

/* An optimizer that exposes the gradient it receives. */
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

/* For every optimizer, a clipped step equals the step of the scaled gradient. */
TEST(optimizer_clipped_step_is_the_step_of_a_scaled_gradient)
{
    for (int o = 0; optimizers[o]; o++) {
        struct fixture clipped, scaled;
        fixture_init(&clipped, optimizers[o], 37, 1);
        fixture_init(&scaled, optimizers[o], 37, 1);
        clipped.clip = 0.5;
        /* decay is not clipped */
        clipped.optimizer.weight_decay = scaled.optimizer.weight_decay = 0.1;
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
                            (double)scaled.optimizer.state[s][i], EXACT ? 1e-14 : 1e-7);
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
