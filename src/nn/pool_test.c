#include "nn/pool.h"

#include "base/rng.h"
#include "nn/gradcheck.h"
#include "tensor/simd.h"
#include "test.h"

#include <math.h>
#include <string.h>

/* Four sentences of 3, 1, 2 and 5 annotations in two lanes; their targets have 2 1 and 4 2 steps.
 * Half of P crosses the block of 64 columns. Slabs are wider than what pooling may touch. */
enum { B = 4, N = 11, T_ROWS = 9, S = 5, P = 134, WEIGHT = 2 * S + 1, VALUE = P + 2, OUT = P + 5 };
enum { LANES = 3, HEADS = 2 }; /* every test runs with one head and with two */
static const int START[B] = {0, 3, 4, 6}, LENGTH[B] = {3, 1, 2, 5};
static const struct steps STEPS[LANES] = {
    {.count = 2, .first = 0, .active = (const int[]){2, 1}, .start = (const int[]){0, 2}},
    {.count = 0, .first = 2},
    {.count = 4,
     .first = 2,
     .active = (const int[]){2, 2, 1, 1},
     .start = (const int[]){3, 5, 7, 8}},
};

struct fixture {
    int heads;
    real weight[T_ROWS * WEIGHT], value[N * VALUE], out[T_ROWS * OUT];
    real d_out[T_ROWS * OUT], d_weight[T_ROWS * WEIGHT], d_value[N * VALUE];
};

static void fill_random(real *x, size_t n, uint64_t key)
{
    for (size_t i = 0; i < n; i++)
        x[i] = (real)(2 * rng_uniform(key, i) - 1);
}

static void fixture_init(struct fixture *f, int heads)
{
    f->heads = heads;
    fill_random(f->weight, T_ROWS * WEIGHT, 1);
    fill_random(f->value, N * VALUE, 2);
    fill_random(f->d_out, T_ROWS * OUT, 3);
    memset(f->out, 0, sizeof f->out);
    memset(f->d_weight, 0xff, sizeof f->d_weight); /* NaN: both must be overwritten */
    memset(f->d_value, 0xff, sizeof f->d_value);
}

static struct attention_rows rows_at(struct fixture *f, const struct steps *steps, int t)
{
    return (struct attention_rows){.start = START,
                                   .length = LENGTH,
                                   .first = steps->first,
                                   .weight = view_strided(f->weight + steps->start[t] * WEIGHT,
                                                          steps->active[t], f->heads * S, WEIGHT)};
}

static struct view slab(real *at, const struct steps *steps, int t, int cols, int stride)
{
    return view_strided(at + steps->start[t] * stride, steps->active[t], cols, stride);
}

static void forward(struct fixture *f)
{
    for (int lane = 0; lane < LANES; lane++)
        for (int t = 0; t < STEPS[lane].count; t++) {
            const struct attention_rows rows = rows_at(f, &STEPS[lane], t);
            pool_forward(&rows, f->heads, view_strided(f->value, N, P, VALUE),
                         slab(f->out, &STEPS[lane], t, P, OUT));
        }
}

static void backward(struct fixture *f)
{
    const struct attention_rows all = {.start = START, .length = LENGTH};
    for (int lane = 0; lane < LANES; lane++) {
        for (int t = STEPS[lane].count - 1; t >= 0; t--) {
            const struct attention_rows rows = rows_at(f, &STEPS[lane], t);
            pool_backward(&rows, f->heads, view_strided(f->value, N, P, VALUE),
                          slab(f->d_out, &STEPS[lane], t, P, OUT),
                          slab(f->d_weight, &STEPS[lane], t, f->heads * S, WEIGHT));
        }
        pool_end(&all, &STEPS[lane], f->heads,
                 view_strided(f->weight, T_ROWS, f->heads * S, WEIGHT),
                 view_strided(f->d_out, T_ROWS, P, OUT), view_strided(f->d_value, N, P, VALUE));
    }
}

/* The sentence of each target row. */
static const int SENTENCE[T_ROWS] = {0, 1, 0, 2, 3, 2, 3, 2, 2};

/* ---- Forward ---- */

/* The weight of the head that owns column p. */
static double weight_of(const struct fixture *f, int i, int j, int p)
{
    return (double)f->weight[i * WEIGHT + p / (P / f->heads) * S + j];
}

static void check_output(const struct fixture *f, int i, int p)
{
    double want = 2;
    for (int j = 0; p < P && j < LENGTH[SENTENCE[i]]; j++)
        want += weight_of(f, i, j, p) * (double)f->value[(START[SENTENCE[i]] + j) * VALUE + p];
    assert_near((double)f->out[i * OUT + p], want, 1e-6);
}

TEST(pool_forward_adds_the_weighted_values_of_each_head)
{
    for (int heads = 1; heads <= HEADS; heads++) {
        struct fixture f;
        fixture_init(&f, heads);
        for (int i = 0; i < T_ROWS * OUT; i++)
            f.out[i] = 2;
        forward(&f);
        for (int i = 0; i < T_ROWS * OUT; i++)
            check_output(&f, i / OUT, i % OUT);
    }
}

TEST(pool_forward_follows_a_list_of_sentences)
{
    static const int list[] = {3, 1, 1};
    struct fixture f;
    fixture_init(&f, 1);
    const struct attention_rows rows = {.start = START,
                                        .length = LENGTH,
                                        .sentence = list,
                                        .weight = view_strided(f.weight, 3, S, WEIGHT)};
    pool_forward(&rows, 1, view_strided(f.value, N, P, VALUE), view_strided(f.out, 3, P, OUT));
    for (int i = 1; i < 3; i++) /* sentence 1 has one annotation */
        for (int p = 0; p < P; p++)
            assert_near((double)f.out[i * OUT + p],
                        (double)f.weight[i * WEIGHT] * (double)f.value[3 * VALUE + p], 1e-6);
}

TEST(pool_reads_no_value_beyond_the_weights_that_are_not_zero)
{
    struct fixture f;
    fixture_init(&f, 1);
    const struct steps *lane = &STEPS[2]; /* row 4 of the slabs belongs to sentence 3, at 6 .. 10 */
    f.weight[4 * WEIGHT] = f.weight[4 * WEIGHT + 3] = f.weight[4 * WEIGHT + 4] = 0;
    f.value[6 * VALUE] = f.value[9 * VALUE] = f.value[10 * VALUE] = (real)NAN;
    const struct attention_rows rows = rows_at(&f, lane, 0);
    pool_forward(&rows, 1, view_strided(f.value, N, P, VALUE), slab(f.out, lane, 0, P, OUT));
    pool_backward(&rows, 1, view_strided(f.value, N, P, VALUE), slab(f.d_out, lane, 0, P, OUT),
                  slab(f.d_weight, lane, 0, S, WEIGHT));
    assert_true(isfinite(f.out[4 * OUT]));
    for (int j = 0; j < 5; j++)
        assert_true((f.d_weight[4 * WEIGHT + j] == 0) == (j == 0 || j > 2));
}

/* ---- Backward ---- */

static double weighted_sum(void *context)
{
    struct fixture *f = context;
    memset(f->out, 0, sizeof f->out);
    forward(f);
    double sum = 0;
    for (int i = 0; i < T_ROWS; i++)
        for (int p = 0; p < P; p++)
            sum += (double)f->out[i * OUT + p] * (double)f->d_out[i * OUT + p];
    return sum;
}

static void check_weights(struct fixture *f, int i, int head)
{
    const int at = i * WEIGHT + head * S;
    assert_true(
        gradcheck(weighted_sum, f, f->weight + at, f->d_weight + at, (size_t)LENGTH[SENTENCE[i]])
            .worst <= 1e-6);
}

TEST(pool_gradients_match_finite_differences)
{
    if (sizeof(real) < sizeof(double))
        skip();
    for (int heads = 1; heads <= HEADS; heads++) {
        struct fixture f;
        fixture_init(&f, heads);
        backward(&f);
        for (int i = 0; i < T_ROWS * heads; i++)
            check_weights(&f, i / heads, i % heads);
        for (int i = 0; i < N * VALUE; i += VALUE)
            assert_true(gradcheck(weighted_sum, &f, f.value + i, f.d_value + i, P).worst <= 1e-6);
    }
}

TEST(pool_backward_writes_nothing_past_its_columns)
{
    for (int heads = 1; heads <= HEADS; heads++) {
        struct fixture f;
        fixture_init(&f, heads);
        backward(&f);
        for (int i = 0; i < T_ROWS; i++)
            for (int j = heads * S; j < WEIGHT; j++)
                assert_true(isnan(f.d_weight[i * WEIGHT + j]));
        for (int i = 0; i < N * VALUE; i++)
            assert_true(isnan(f.d_value[i]) == (i % VALUE >= P));
    }
}

static void assert_close(const real *got, const real *want, int row, int cols, int stride)
{
    for (int j = 0; j < cols; j++)
        assert_near((double)got[row * stride + j], (double)want[row * stride + j],
                    sizeof(real) == sizeof(double) ? 1e-13 : 1e-5);
}

static void check_levels(const struct fixture *a, const struct fixture *b)
{
    for (int i = 0; i < T_ROWS; i++) {
        assert_close(a->out, b->out, i, P, OUT);
        for (int g = 0; g < a->heads; g++)
            assert_close(a->d_weight + g * S, b->d_weight + g * S, i, LENGTH[SENTENCE[i]], WEIGHT);
    }
    for (int i = 0; i < N; i++)
        assert_close(a->d_value, b->d_value, i, P, VALUE);
}

TEST_LEVELS(pool_levels_agree)
{
    for (int heads = 1; heads <= HEADS; heads++) {
        struct fixture f[2];
        for (int level = 0; level < 2; level++) {
            fixture_init(&f[level], heads);
            simd_cap(level ? high : SIMD_PLAIN);
            forward(&f[level]);
            backward(&f[level]);
        }
        simd_cap(SIMD_LEVELS);
        check_levels(&f[1], &f[0]);
    }
}
