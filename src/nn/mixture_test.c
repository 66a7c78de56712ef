#include "nn/mixture.h"

#include "base/arena.h"
#include "base/rng.h"
#include "nn/gradcheck.h"
#include "tensor/simd.h"
#include "test.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { N = 6, R = 7, K = 5, Y = 6 * K + 2, MAX_TEAM = 3 };
enum { EXACT = sizeof(real) == sizeof(double) };
static const double FLOOR = 0.05;

struct fixture {
    struct mixture layer;
    struct mixture_tape tape;
    struct param_set set;
    struct arena arena;
    struct team *team;
    struct gemm_scratch scratch[MAX_TEAM];
    struct mixture_job job;
    real values[R * Y + Y], grads[R * Y + Y], o[N * R], d_o[N * R], stroke[N * MIXTURE_STROKE];
    int end[N];
    double loss[MAX_TEAM]; /* as returned to each member */
};

static void bind(struct fixture *f, struct arena *arena, int threads)
{
    mixture_bind(&f->layer, arena, PACKING_TRAIN);
    mixture_tape_bind(&f->tape, arena, &f->layer, N);
    for (int i = 0; i < threads; i++)
        gemm_scratch_bind(&f->scratch[i], arena);
}

/* Row 4 is an end; its stroke must not be read. */
static void fixture_init(struct fixture *f, int threads, double scale)
{
    struct arena count = {0};
    *f = (struct fixture){.end = {[4] = 1}};
    mixture_declare(&f->layer, &f->set, "decoder.output", R, K, FLOOR);
    assert_int_equal(f->set.size, R * Y + Y);
    param_bind(&f->set, f->values, f->grads);
    for (int i = 0; i < R * Y + Y; i++)
        f->values[i] = (real)(scale * (2 * rng_uniform(1, (uint64_t)i) - 1));
    for (int i = 0; i < N * R; i++)
        f->o[i] = (real)(2 * rng_uniform(2, (uint64_t)i) - 1);
    for (int i = 0; i < N * MIXTURE_STROKE; i++)
        f->stroke[i] = (real)(i % 3 < 2 ? rng_normal(3, (uint64_t)i) : i / 3 % 2);
    f->stroke[4 * MIXTURE_STROKE] = f->stroke[4 * MIXTURE_STROKE + 1] = (real)NAN;
    memset(f->d_o, 0xff, sizeof f->d_o); /* NaN: must be overwritten */
    bind(f, &count, threads);
    assert_int_equal(arena_reserve(&f->arena, count.used, NULL), ATTEND_OK);
    memset(f->arena.block, 0xff, f->arena.size);
    bind(f, &f->arena, threads);
    assert_int_equal(team_new(&f->team, threads, NULL), ATTEND_OK);
    f->job = (struct mixture_job){.o = view_of(f->o, N, R),
                                  .stroke = view_of(f->stroke, N, MIXTURE_STROKE),
                                  .end = f->end,
                                  .scale = 1,
                                  .d_o = view_of(f->d_o, N, R)};
}

static void fixture_release(struct fixture *f)
{
    team_free(f->team);
    arena_release(&f->arena);
}

static void run_worker(struct worker *w, void *job)
{
    struct fixture *f = job;
    struct compute c = {.worker = w, .gemm = f->scratch[w->index]};
    mixture_pack(&f->layer, &c);
    worker_meet(w);
    f->loss[w->index] = mixture_run(&f->layer, &f->tape, &c, &f->job);
}

static double run(void *context)
{
    struct fixture *f = context;
    team_run(f->team, run_worker, f);
    return f->loss[0];
}

/* ---- Against the formula, as the paper has it ---- */

static double sigmoid(double x) { return 1 / (1 + exp(-x)); }

static double plain_density(const double *y, double dx, double dy)
{
    double all = 0, sum = 0;
    for (int k = 0; k < K; k++)
        all += exp(y[k]);
    for (int k = 0; k < K; k++) {
        const double sx = FLOOR + exp(y[3 * K + k]), sy = FLOOR + exp(y[4 * K + k]);
        const double zx = (dx - y[K + k]) / sx, zy = (dy - y[2 * K + k]) / sy;
        const double rho = 0.99 * tanh(y[5 * K + k]);
        const double Z = zx * zx + zy * zy - 2 * rho * zx * zy;
        sum += exp(y[k]) / all * exp(-Z / (2 * (1 - rho * rho))) /
               (2 * acos(-1) * sx * sy * sqrt(1 - rho * rho));
    }
    return sum;
}

static double plain_row(const struct fixture *f, int i)
{
    double y[Y];
    for (int j = 0; j < Y; j++) {
        y[j] = (double)f->layer.b.value[j];
        for (int r = 0; r < R; r++)
            y[j] += (double)f->o[i * R + r] * (double)f->layer.W.value[r * Y + j];
    }
    const real *s = f->stroke + i * MIXTURE_STROKE;
    if (f->end[i])
        return -log(sigmoid(y[6 * K + 1]));
    return -log(plain_density(y, (double)s[0], (double)s[1])) -
           log(sigmoid(s[2] > 0 ? y[6 * K] : -y[6 * K])) - log(sigmoid(-y[6 * K + 1]));
}

TEST(mixture_loss_is_that_of_the_formula_whatever_the_team)
{
    for (int threads = 1; threads <= MAX_TEAM; threads++) {
        struct fixture f;
        double rows[N], sum = 0;
        fixture_init(&f, threads, 0.5);
        f.job.row_loss = rows;
        run(&f);
        for (int i = 0; i < N; i++) {
            assert_near(rows[i], plain_row(&f, i), EXACT ? 1e-12 : 2e-5);
            sum += rows[i];
        }
        for (int i = 0; i < threads; i++)
            assert_true(f.loss[i] == sum);
        fixture_release(&f);
    }
}

/* ---- Against finite differences ---- */

TEST(mixture_gradients_match_finite_differences)
{
    if (!EXACT)
        skip();
    for (int level = 0; level <= (int)simd_level_available(); level++) {
        struct fixture f;
        fixture_init(&f, 1 + level % 2, 0.5);
        simd_cap(level);
        run(&f);
        f.job.d_o.at = NULL;
        assert_true(gradcheck(run, &f, f.values, f.grads, R * Y + Y).worst <= 1e-6);
        assert_true(gradcheck(run, &f, f.o, f.d_o, N * R).worst <= 1e-6);
        simd_cap(SIMD_LEVELS);
        fixture_release(&f);
    }
}

TEST(mixture_gradients_are_scaled_and_added)
{
    struct fixture f[2];
    for (int i = 0; i < 2; i++) {
        fixture_init(&f[i], 1, 0.5);
        f[i].job.scale = i ? 0.25 : 1;
        for (int j = 0; j < R * Y + Y; j++)
            f[i].grads[j] = (real)(3 * i);
        run(&f[i]);
    }
    for (int j = 0; j < R * Y + Y; j++)
        assert_near((double)f[1].grads[j], 3 + 0.25 * (double)f[0].grads[j], EXACT ? 1e-12 : 1e-5);
    for (int j = 0; j < N * R; j++)
        assert_near((double)f[1].d_o[j], 0.25 * (double)f[0].d_o[j], EXACT ? 1e-12 : 1e-5);
    for (int i = 0; i < 2; i++)
        fixture_release(&f[i]);
}

TEST_LEVELS(mixture_levels_agree)
{
    struct fixture f[2];
    for (int level = 0; level < 2; level++) {
        fixture_init(&f[level], 1, 0.5);
        simd_cap(level ? high : SIMD_PLAIN);
        run(&f[level]);
    }
    simd_cap(SIMD_LEVELS);
    assert_near(f[1].loss[0], f[0].loss[0], 1e-5);
    for (int i = 0; i < R * Y + Y; i++)
        assert_near((double)f[1].grads[i], (double)f[0].grads[i], 2e-5);
    for (int i = 0; i < N * R; i++)
        assert_near((double)f[1].d_o[i], (double)f[0].d_o[i], 2e-5);
    fixture_release(&f[0]);
    fixture_release(&f[1]);
}

/* ---- Numbers that no model should see ---- */

TEST(mixture_stays_finite_whatever_the_numbers)
{
    static const double biases[] = {0, 50, -50, 1e4, -1e4};
    static const double strokes[] = {0, 1e3, -1e9};
    for (size_t b = 0; b < sizeof biases / sizeof *biases; b++)
        for (size_t s = 0; s < sizeof strokes / sizeof *strokes; s++) {
            struct fixture f;
            fixture_init(&f, 1, 0.5);
            for (int j = 0; j < Y; j++)
                f.layer.b.value[j] = (real)biases[b];
            for (int i = 0; i < N; i++)
                f.stroke[i * MIXTURE_STROKE] = (real)strokes[s];
            f.end[4] = 0;
            f.stroke[4 * MIXTURE_STROKE + 1] = 0;
            assert_true(isfinite(run(&f)));
            for (int j = 0; j < R * Y + Y; j++)
                assert_true(isfinite(f.grads[j]));
            for (int j = 0; j < N * R; j++)
                assert_true(isfinite(f.d_o[j]));
            fixture_release(&f);
        }
}

/* ---- Sampling ---- */

/* Two components far apart: weights 1/4 and 3/4, correlation 0.8 in the second. */
static void two_components(real *y)
{
    const double two[6][2] = {{0, log(3)},
                              {-10, 10},
                              {5, -5},
                              {log(1 - FLOOR), log(0.5 - FLOOR)},
                              {log(2 - FLOOR), log(1 - FLOOR)},
                              {0, atanh(0.8 / 0.99)}};
    for (int i = 0; i < 12; i++)
        y[i] = (real)two[i / 2][i % 2];
    y[12] = (real)log(0.25 / 0.75);
    y[13] = (real)log(0.1 / 0.9);
}

struct moments {
    int count, second, lifted;
    double x, y, xx, yy, xy; /* of the second component, around its means */
};

static struct moments sample_moments(double bias, int steps)
{
    const struct mixture pen = {.K = 2, .floor = (real)FLOOR};
    real y[14], s[MIXTURE_STROKE];
    struct moments m = {0};
    two_components(y);
    for (int t = 0; t < steps; t++) {
        if (!mixture_sample(&pen, y, bias, rng_seed(5), t, s))
            continue;
        m.count++;
        m.lifted += s[2] > 0;
        if (s[0] < 0)
            continue;
        const double x = (double)s[0] - 10, v = (double)s[1] + 5;
        m.second++;
        m.x += x, m.y += v, m.xx += x * x, m.yy += v * v, m.xy += x * v;
    }
    return m;
}

TEST(mixture_samples_have_the_moments_of_the_distribution)
{
    const struct moments m = sample_moments(0, 40000);
    const double n = m.second;
    assert_near(m.count / 40000.0, 0.9, 0.01);
    assert_near(n / m.count, 0.75, 0.01);
    assert_near((double)m.lifted / m.count, 0.25, 0.01);
    assert_near(m.x / n, 0, 0.02);
    assert_near(m.y / n, 0, 0.02);
    assert_near(sqrt(m.xx / n), 0.5, 0.01);
    assert_near(sqrt(m.yy / n), 1, 0.02);
    assert_near(m.xy / sqrt(m.xx * m.yy), 0.8, 0.01);
}

/* A probability p becomes p^2 / (p^2 + (1 - p)^2). */
TEST(mixture_bias_narrows_the_components_and_prefers_what_is_likely)
{
    const struct moments m = sample_moments(1, 40000);
    assert_near(m.count / 40000.0, 81.0 / 82, 0.002);
    assert_near((double)m.second / m.count, 9.0 / 10, 0.01);
    assert_near(sqrt(m.xx / m.second), 0.5 * exp(-1), 0.01);
    assert_near(m.xy / sqrt(m.xx * m.yy), 0.8, 0.01);
    assert_near((double)m.lifted / m.count, 0.1, 0.01);
}

TEST(mixture_samples_the_same_stroke_for_the_same_key_and_step)
{
    const struct mixture pen = {.K = 2, .floor = (real)FLOOR};
    real y[14], a[MIXTURE_STROKE] = {0}, b[MIXTURE_STROKE] = {0};
    two_components(y);
    y[13] = -50; /* it never ends */
    assert_true(mixture_sample(&pen, y, 0.5, 7, 3, a));
    assert_true(mixture_sample(&pen, y, 0.5, 7, 3, b));
    assert_memory_equal(a, b, sizeof a);
    assert_true(mixture_sample(&pen, y, 0.5, 7, 4, b));
    assert_true(a[0] != b[0]);
    y[13] = 50;
    assert_false(mixture_sample(&pen, y, 0.5, 7, 3, a));
}
