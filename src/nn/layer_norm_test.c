#include "nn/layer_norm.h"

#include "base/rng.h"
#include "nn/gradcheck.h"
#include "tensor/simd.h"
#include "test.h"

#include <math.h>
#include <string.h>

/* Slabs are wider than what may be touched. H is two float vectors and a remainder. */
enum { M = 4, G = 3, H = 19, F = G * H, WIDE = F + 5, SCALE = G + 2 };
struct fixture {
    struct layer_norm layer;
    struct param_set set;
    real gain[F], d_gain[F], bias[F], d_bias[F];
    real input[M * WIDE], x[M * WIDE], normal[M * WIDE], scale[M * SCALE];
    real ask[M * WIDE], d[M * WIDE];
};

static void fill_random(real *x, size_t n, uint64_t key, double scale)
{
    for (size_t i = 0; i < n; i++)
        x[i] = (real)(scale * (2 * rng_uniform(key, i) - 1));
}

static void fixture_init(struct fixture *f, double scale)
{
    *f = (struct fixture){0};
    layer_norm_declare(&f->layer, &f->set, "encoder.norm", G, H);
    param_bind(&f->set, f->gain, f->d_gain);
    assert_int_equal(param_initialize(&f->set, 1, NULL), ATTEND_OK);
    fill_random(f->input, M * WIDE, 1, scale);
    fill_random(f->ask, M * WIDE, 2, 1);
    fill_random(f->normal, M * WIDE, 3, 1);
    fill_random(f->scale, M * SCALE, 4, 1);
}

static void fill_gain_and_bias(struct fixture *f)
{
    fill_random(f->gain, F, 5, 2);
    fill_random(f->bias, F, 6, 1);
}

static struct view wide(real *at) { return view_strided(at, M, F, WIDE); }
static struct view scales(struct fixture *f) { return view_strided(f->scale, M, G, SCALE); }

static double forward(void *context)
{
    struct fixture *f = context;
    double sum = 0;
    memcpy(f->x, f->input, sizeof f->x);
    layer_norm_forward(&f->layer, f->bias, wide(f->x), wide(f->normal), scales(f));
    for (int i = 0; i < M; i++)
        for (int j = 0; j < F; j++)
            sum += (double)f->ask[i * WIDE + j] * (double)f->x[i * WIDE + j];
    return sum;
}

static void backward(struct fixture *f)
{
    memcpy(f->d, f->ask, sizeof f->d);
    layer_norm_backward(&f->layer, wide(f->normal), scales(f), wide(f->d), f->d_gain, f->d_bias);
}

/* ---- Forward ---- */

TEST(layer_norm_declares_a_gain_of_one)
{
    struct fixture f;
    fixture_init(&f, 1);
    assert_int_equal(f.set.count, 1);
    assert_string_equal(f.layer.gain.path, "encoder.norm.gain");
    assert_true(f.layer.gain.rows == 1 && f.layer.gain.cols == F);
    for (int j = 0; j < F; j++)
        assert_true(f.gain[j] == 1);
}

TEST(layer_norm_gives_every_group_mean_zero_and_variance_one)
{
    struct fixture f;
    fixture_init(&f, 100);
    for (int i = 0; i < M * WIDE; i++)
        f.input[i] += 300;
    forward(&f);
    for (int i = 0; i < M; i++)
        for (int g = 0; g < G; g++) {
            double sum = 0, square = 0;
            for (int h = 0; h < H; h++) {
                const double y = (double)f.x[i * WIDE + g * H + h];
                sum += y;
                square += y * y;
            }
            assert_near(sum / H, 0, 1e-5);
            assert_near(square / H, 1, 1e-4);
        }
}

TEST(layer_norm_forward_matches_its_formula)
{
    struct fixture f;
    fixture_init(&f, 0.01); /* so small that the 1e-5 matters */
    fill_gain_and_bias(&f);
    forward(&f);
    for (int i = 0; i < M; i++)
        for (int g = 0; g < G; g++) {
            const real *x = f.input + i * WIDE + g * H;
            double mean = 0, variance = 0;
            for (int h = 0; h < H; h++)
                mean += (double)x[h] / H;
            for (int h = 0; h < H; h++)
                variance += pow((double)x[h] - mean, 2) / H;
            const double sd = sqrt(variance + 1e-5);
            assert_near((double)f.scale[i * SCALE + g] * sd, 1, 1e-5);
            for (int h = 0; h < H; h++) {
                const int j = g * H + h;
                assert_near((double)f.x[i * WIDE + j],
                            (double)f.gain[j] * ((double)x[h] - mean) / sd + (double)f.bias[j],
                            sizeof(real) == sizeof(double) ? 1e-12 : 1e-5);
            }
        }
}

TEST(layer_norm_of_a_constant_is_the_bias)
{
    struct fixture f;
    fixture_init(&f, 0);
    fill_gain_and_bias(&f);
    forward(&f);
    backward(&f);
    for (int i = 0; i < M; i++)
        for (int j = 0; j < F; j++) {
            assert_true(f.x[i * WIDE + j] == f.bias[j]);
            assert_true(isfinite(f.d[i * WIDE + j]));
        }
}

/* ---- Backward ---- */

TEST(layer_norm_backward_matches_finite_differences)
{
    if (sizeof(real) < sizeof(double))
        skip();
    struct fixture f;
    fixture_init(&f, 1);
    fill_gain_and_bias(&f);
    forward(&f);
    backward(&f);
    for (int i = 0; i < M; i++)
        assert_true(gradcheck(forward, &f, f.input + i * WIDE, f.d + i * WIDE, F).worst <= 1e-6);
    assert_true(gradcheck(forward, &f, f.gain, f.d_gain, F).worst <= 1e-6);
    assert_true(gradcheck(forward, &f, f.bias, f.d_bias, F).worst <= 1e-6);
}

TEST(layer_norm_backward_adds_to_d_gain_and_d_bias)
{
    struct fixture once, twice;
    fixture_init(&once, 1);
    fixture_init(&twice, 1);
    forward(&once);
    forward(&twice);
    backward(&once);
    backward(&twice);
    backward(&twice);
    for (int j = 0; j < F; j++) {
        assert_near((double)twice.d_gain[j], 2 * (double)once.d_gain[j], 1e-6);
        assert_near((double)twice.d_bias[j], 2 * (double)once.d_bias[j], 1e-6);
    }
    assert_memory_equal(twice.d, once.d, sizeof once.d);
}

TEST(layer_norm_touches_nothing_past_its_columns)
{
    struct fixture f, before;
    fixture_init(&f, 1);
    before = f;
    forward(&f);
    backward(&f);
    for (int i = 0; i < M; i++) {
        const int end = i * WIDE + F, scale_end = i * SCALE + G;
        const size_t rest = (WIDE - F) * sizeof(real);
        assert_memory_equal(f.x + end, before.input + end, rest);
        assert_memory_equal(f.normal + end, before.normal + end, rest);
        assert_memory_equal(f.d + end, before.ask + end, rest);
        assert_memory_equal(f.scale + scale_end, before.scale + scale_end,
                            (SCALE - G) * sizeof(real));
    }
}

static void assert_close(const real *got, const real *want, size_t n)
{
    for (size_t i = 0; i < n; i++)
        assert_near((double)got[i], (double)want[i], sizeof(real) == sizeof(double) ? 1e-13 : 1e-5);
}

TEST_LEVELS(layer_norm_levels_agree)
{
    struct fixture f[2];
    for (int level = 0; level < 2; level++) {
        fixture_init(&f[level], 3);
        fill_gain_and_bias(&f[level]);
        simd_cap(level ? high : SIMD_PLAIN);
        forward(&f[level]);
        backward(&f[level]);
    }
    simd_cap(SIMD_LEVELS);
    assert_close(f[1].x, f[0].x, M * WIDE);
    assert_close(f[1].d, f[0].d, M * WIDE);
    assert_close(f[1].d_gain, f[0].d_gain, F);
    assert_close(f[1].d_bias, f[0].d_bias, F);
}
