#include "nn/cross_entropy.h"

#include "base/arena.h"
#include "base/rng.h"
#include "nn/gradcheck.h"
#include "tensor/simd.h"
#include "test.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { R = 7, MAX_TEAM = 3, GAP = 2 }; /* rows of o and d_o are followed by GAP unused columns */
enum { EXACT = sizeof(real) == sizeof(double) };

struct fixture {
    int N, V, threads;
    struct cross_entropy layer;
    struct cross_entropy_tape tape;
    struct param_set set;
    struct arena arena;
    struct team *team;
    struct gemm_scratch scratch[MAX_TEAM];
    struct cross_entropy_job job;
    real *values, *grads, *o, *d_o;
    int *target;
    double loss[MAX_TEAM]; /* as returned to each member */
};

static void *memory(size_t each, size_t count)
{
    void *p = calloc(count, each);
    assert_non_null(p);
    return p;
}

static void bind(struct fixture *f, struct arena *arena)
{
    cross_entropy_bind(&f->layer, arena, PACKING_TRAIN);
    cross_entropy_tape_bind(&f->tape, arena, &f->layer, f->N, f->threads);
    for (int i = 0; i < f->threads; i++)
        gemm_scratch_bind(&f->scratch[i], arena);
}

static void fill_random(real *x, size_t n, uint64_t key, double scale)
{
    for (size_t i = 0; i < n; i++)
        x[i] = (real)(scale * (2 * rng_uniform(key, i) - 1));
}

/* `scale` is that of o; logits grow with it. */
static void fixture_init(struct fixture *f, int N, int V, int threads, double scale)
{
    struct arena count = {0};
    *f = (struct fixture){.N = N, .V = V, .threads = threads};
    cross_entropy_declare(&f->layer, &f->set, "decoder.output", R, V, NULL);
    f->values = memory(sizeof(real), f->set.size);
    f->grads = memory(sizeof(real), f->set.size);
    f->o = memory(sizeof(real), (size_t)N * (R + GAP));
    f->d_o = memory(sizeof(real), (size_t)N * (R + GAP));
    f->target = memory(sizeof(int), (size_t)N);
    param_bind(&f->set, f->values, f->grads);
    fill_random(f->values, f->set.size, 1, 1);
    fill_random(f->o, (size_t)N * (R + GAP), 2, scale);
    memset(f->d_o, 0xff, (size_t)N * (R + GAP) * sizeof(real)); /* NaN: must be overwritten */
    for (int i = 0; i < N; i++)
        f->target[i] = (int)rng_below(3, (uint64_t)i, (uint32_t)V);
    bind(f, &count);
    assert_int_equal(arena_reserve(&f->arena, count.used, NULL), ATTEND_OK);
    memset(f->arena.block, 0xff, f->arena.size);
    bind(f, &f->arena);
    assert_int_equal(team_new(&f->team, threads, NULL), ATTEND_OK);
    f->job = (struct cross_entropy_job){.o = view_strided(f->o, N, R, R + GAP),
                                        .target = f->target,
                                        .scale = 1,
                                        .d_o = view_strided(f->d_o, N, R, R + GAP)};
}

static void fixture_release(struct fixture *f)
{
    team_free(f->team);
    arena_release(&f->arena);
    free(f->values);
    free(f->grads);
    free(f->o);
    free(f->d_o);
    free(f->target);
}

static void run_worker(struct worker *w, void *job)
{
    struct fixture *f = job;
    struct compute c = {.worker = w, .gemm = f->scratch[w->index]};
    cross_entropy_pack(&f->layer, &c, true);
    worker_meet(w);
    f->loss[w->index] = cross_entropy_run(&f->layer, &f->tape, &c, &f->job);
}

static double run(void *context)
{
    struct fixture *f = context;
    team_run(f->team, run_worker, f);
    return f->loss[0];
}

/* ---- Against plain loops in double ---- */

struct plain {
    double loss, *d_W, *d_b, *d_o; /* (R, V), (V), (N, R) */
};

/* The loss of one row; its logits are replaced by their gradient. */
static double plain_row(double *logit, int V, int y, double eps, double scale)
{
    double max = -HUGE_VAL, sum = 0, loss = 0;
    for (int k = 0; k < V; k++)
        max = fmax(max, logit[k]);
    for (int k = 0; k < V; k++)
        sum += exp(logit[k] - max);
    const double lse = max + log(sum);
    for (int k = 0; k < V; k++) {
        const double want = (k == y ? 1 - eps : 0) + eps / V;
        loss += want * (lse - logit[k]);
        logit[k] = scale * (exp(logit[k] - lse) - want);
    }
    return loss;
}

static void plain_add(struct plain *p, const struct fixture *f, int i, double *logit)
{
    const real *o = f->o + i * (R + GAP), *W = f->layer.W.value;
    for (int k = 0; k < f->V; k++) {
        logit[k] = (double)f->layer.b.value[k];
        for (int r = 0; r < R; r++)
            logit[k] += (double)o[r] * (double)W[r * f->V + k];
    }
    p->loss += plain_row(logit, f->V, f->target[i], f->job.smoothing, f->job.scale);
    for (int k = 0; k < f->V; k++) {
        p->d_b[k] += logit[k];
        for (int r = 0; r < R; r++) {
            p->d_W[r * f->V + k] += (double)o[r] * logit[k];
            p->d_o[i * R + r] += (double)W[r * f->V + k] * logit[k];
        }
    }
}

static struct plain plain_new(const struct fixture *f)
{
    struct plain p = {.d_W = memory(sizeof(double), (size_t)(R * f->V)),
                      .d_b = memory(sizeof(double), (size_t)f->V),
                      .d_o = memory(sizeof(double), (size_t)(f->N * R))};
    double *logit = memory(sizeof(double), (size_t)f->V);
    for (int i = 0; i < f->N; i++)
        plain_add(&p, f, i, logit);
    free(logit);
    return p;
}

static void plain_free(struct plain *p)
{
    free(p->d_W);
    free(p->d_b);
    free(p->d_o);
}

/* Gradients of weights are sums over rows, so in float the error grows with them. `was` is their
 * initial value. */
static void check_gradients(const struct fixture *f, const struct plain *p, double was)
{
    const double row = EXACT ? 1e-12 : 1e-5, sum = row * fmax(1, sqrt(f->N));
    for (int i = 0; i < R * f->V; i++)
        assert_near((double)f->layer.W.grad[i], was + p->d_W[i], sum);
    for (int k = 0; k < f->V; k++)
        assert_near((double)f->layer.b.grad[k], was + p->d_b[k], sum);
    for (int i = 0; i < f->N; i++) {
        for (int r = 0; r < R; r++)
            assert_near((double)f->d_o[i * (R + GAP) + r], p->d_o[i * R + r], row);
        for (int r = R; r < R + GAP; r++)
            assert_true(isnan(f->d_o[i * (R + GAP) + r]));
    }
}

static void check_plain(int N, int V, int threads, double smoothing)
{
    struct fixture f;
    fixture_init(&f, N, V, threads, 1);
    f.job.smoothing = smoothing;
    f.job.scale = 0.5;
    for (size_t i = 0; i < f.set.size; i++)
        f.grads[i] = 3;
    struct plain p = plain_new(&f);
    run(&f);
    for (int i = 0; i < threads; i++) {
        assert_near(f.loss[i], p.loss, EXACT ? 1e-13 : 1e-6);
        assert_true(f.loss[i] == f.loss[0]);
    }
    check_gradients(&f, &p, 3);
    plain_free(&p);
    fixture_release(&f);
}

static void check_rows(int N)
{
    static const int sizes[] = {1, 5, 37, 101};
    for (int v = 0; v < 4; v++)
        for (int threads = 1; threads <= MAX_TEAM; threads++) {
            check_plain(N, sizes[v], threads, 0);
            check_plain(N, sizes[v], threads, 0.1);
        }
}

TEST(cross_entropy_of_one_row_matches_plain_loops) { check_rows(1); }
TEST(cross_entropy_of_nearly_a_chunk_matches_plain_loops) { check_rows(511); }
TEST(cross_entropy_of_a_chunk_matches_plain_loops) { check_rows(512); }
TEST(cross_entropy_of_a_chunk_and_a_row_matches_plain_loops) { check_rows(513); }

TEST(cross_entropy_loss_is_the_same_for_every_team)
{
    for (int smooth = 0; smooth < 2; smooth++) {
        double loss[MAX_TEAM];
        for (int threads = 1; threads <= MAX_TEAM; threads++) {
            struct fixture f;
            fixture_init(&f, 513, 37, threads, 1);
            f.job.smoothing = 0.1 * smooth;
            loss[threads - 1] = run(&f);
            fixture_release(&f);
        }
        assert_near(loss[1], loss[0], EXACT ? 1e-13 : 1e-6);
        assert_near(loss[2], loss[0], EXACT ? 1e-13 : 1e-6);
    }
}

/* Independent of any formula: equal logits give log V per row, with any smoothing. */
TEST(cross_entropy_of_equal_logits_is_log_v)
{
    struct fixture f;
    fixture_init(&f, 3, 37, 2, 1);
    for (size_t i = 0; i < f.set.size; i++)
        f.values[i] = 0;
    f.job.smoothing = 0.3;
    assert_near(run(&f), 3 * log(37), 1e-6);
    fixture_release(&f);
}

TEST(cross_entropy_without_d_o_gives_the_loss_and_no_gradient)
{
    struct fixture f;
    fixture_init(&f, 513, 37, 3, 1);
    f.job.smoothing = 0.1;
    const double with = run(&f);
    memset(f.grads, 0, f.set.size * sizeof(real));
    f.job.d_o.at = NULL;
    assert_true(run(&f) == with);
    for (size_t i = 0; i < f.set.size; i++)
        assert_true(f.grads[i] == 0);
    fixture_release(&f);
}

/* ---- Large logits and NaN ---- */

static void check_large(double scale, int threads)
{
    struct fixture f;
    fixture_init(&f, 5, 37, threads, scale);
    for (int k = 0; k < 37; k++)
        f.layer.b.value[k] = (real)(scale * (k % 3 - 1));
    struct plain p = plain_new(&f);
    run(&f);
    assert_true(isfinite(f.loss[0]));
    assert_near(f.loss[0], p.loss, 1e-5); /* relative, since it is as large as the logits */
    for (int i = 0; i < 5 * (R + GAP); i++)
        assert_true(i % (R + GAP) >= R || isfinite(f.d_o[i]));
    for (size_t i = 0; i < f.set.size; i++)
        assert_true(isfinite(f.grads[i]));
    for (int i = 0; i < 5; i++)
        for (int r = 0; r < R; r++) /* a probability changes with the rounding of its logit */
            assert_near((double)f.d_o[i * (R + GAP) + r], p.d_o[i * R + r], EXACT ? 1e-6 : 1e-3);
    plain_free(&p);
    fixture_release(&f);
}

TEST(cross_entropy_of_huge_logits_does_not_overflow)
{
    for (int threads = 1; threads <= MAX_TEAM; threads++) {
        check_large(100, threads);
        check_large(1e4, threads);
        check_large(1e9, threads);
        check_large(1e18, threads);
    }
}

TEST(cross_entropy_of_nan_is_nan)
{
    for (int threads = 1; threads <= MAX_TEAM; threads++)
        for (int k = 0; k < 37; k += 9) {
            struct fixture f;
            fixture_init(&f, 2, 37, threads, 1);
            f.layer.b.value[k] = (real)NAN;
            assert_true(isnan(run(&f)));
            fixture_release(&f);
        }
}

/* ---- Against finite differences ---- */

static void check_finite_differences(double smoothing, int threads)
{
    if (!EXACT)
        skip();
    struct fixture f;
    fixture_init(&f, 4, 37, threads, 1);
    f.job.smoothing = smoothing;
    run(&f);
    f.job.d_o.at = NULL;
    const struct param *W = &f.layer.W, *b = &f.layer.b;
    assert_true(gradcheck(run, &f, W->value, W->grad, R * 37).worst <= 1e-6);
    assert_true(gradcheck(run, &f, b->value, b->grad, 37).worst <= 1e-6);
    for (int i = 0; i < 4; i++) {
        real *o = f.o + i * (R + GAP);
        assert_true(gradcheck(run, &f, o, f.d_o + i * (R + GAP), R).worst <= 1e-6);
    }
    fixture_release(&f);
}

TEST(cross_entropy_gradients_match_finite_differences) { check_finite_differences(0, 1); }
TEST(cross_entropy_smoothed_gradients_match_finite_differences)
{
    check_finite_differences(0.1, 2);
}

/* With more than one chunk, test the derivative along random directions: the loss of so many rows
 * is rounded too much for single elements. */
static void move(struct fixture *f, uint64_t key, double by)
{
    for (size_t i = 0; i < f->set.size; i++)
        f->values[i] += (real)(by * rng_normal(key, i));
    for (size_t i = 0; i < (size_t)f->N * (R + GAP); i++)
        f->o[i] += (real)(by * rng_normal(key + 1, i));
}

static double along(const struct fixture *f, uint64_t key)
{
    double sum = 0;
    for (size_t i = 0; i < f->set.size; i++)
        sum += (double)f->grads[i] * rng_normal(key, i);
    for (int i = 0; i < f->N * (R + GAP); i++)
        if (i % (R + GAP) < R)
            sum += (double)f->d_o[i] * rng_normal(key + 1, (uint64_t)i);
    return sum;
}

TEST(cross_entropy_over_chunks_matches_differences_along_directions)
{
    if (!EXACT)
        skip();
    struct fixture f;
    fixture_init(&f, 1030, 37, 3, 1);
    f.job.smoothing = 0.1;
    run(&f);
    f.job.d_o.at = NULL;
    for (uint64_t key = 10; key < 20; key += 2) {
        const double step = 1e-5;
        move(&f, key, step);
        const double above = run(&f);
        move(&f, key, -2 * step);
        const double below = run(&f);
        move(&f, key, step);
        const double numeric = (above - below) / (2 * step), analytic = along(&f, key);
        assert_true(fabs(analytic) > 1);
        assert_near(numeric, analytic, 1e-6);
    }
    fixture_release(&f);
}

/* ---- Levels ---- */

TEST_LEVELS(cross_entropy_levels_agree)
{
    struct fixture f[2];
    for (int level = 0; level < 2; level++) {
        fixture_init(&f[level], 20, 101, 1, 2);
        f[level].job.smoothing = 0.1;
        simd_cap(level ? high : SIMD_PLAIN);
        run(&f[level]);
    }
    simd_cap(SIMD_LEVELS);
    assert_near(f[1].loss[0], f[0].loss[0], 1e-6);
    for (size_t i = 0; i < f[0].set.size; i++)
        assert_near((double)f[1].grads[i], (double)f[0].grads[i], 1e-5);
    for (int i = 0; i < 20 * (R + GAP); i++)
        if (i % (R + GAP) < R)
            assert_near((double)f[1].d_o[i], (double)f[0].d_o[i], 1e-5);
    fixture_release(&f[0]);
    fixture_release(&f[1]);
}

TEST(cross_entropy_chooses_the_likeliest_word_whatever_the_team)
{
    for (int threads = 1; threads <= MAX_TEAM; threads++) {
        struct fixture f;
        int choice[9];
        fixture_init(&f, 9, 40, threads, 1);
        f.job.choice = choice;
        run(&f);
        for (int i = 0; i < 9; i++) {
            int best = 0;
            double most = -(double)INFINITY;
            for (int k = 0; k < f.V; k++) {
                double logit = (double)f.layer.b.value[k];
                for (int r = 0; r < R; r++)
                    logit += (double)(f.o[i * (R + GAP) + r] * f.layer.W.value[r * f.V + k]);
                best = logit > most ? k : best;
                most = logit > most ? logit : most;
            }
            assert_int_equal(choice[i], best);
        }
        fixture_release(&f);
    }
}

TEST(cross_entropy_tells_the_loss_of_every_row_whatever_the_team)
{
    for (int threads = 1; threads <= MAX_TEAM; threads++) {
        struct fixture f;
        double all[600], one[1], sum = 0;
        fixture_init(&f, 600, 40, threads, 1);
        f.job.smoothing = 0.1;
        f.job.row_loss = all;
        run(&f);
        for (int i = 0; i < 600; i++)
            sum += all[i];
        assert_near(sum, f.loss[0], 1e-9);
        /* Row 550, in the second chunk, alone. */
        f.job.o = view_rows(f.job.o, 550, 1);
        f.job.target += 550;
        f.job.row_loss = one;
        run(&f);
        assert_near(one[0], all[550], EXACT ? 1e-9 : 1e-5);
        fixture_release(&f);
    }
}
