#include "nn/additive.h"

#include "base/rng.h"
#include "nn/gradcheck.h"
#include "tensor/simd.h"
#include "test.h"

#include <math.h>
#include <string.h>

/* Three sentences of 3, 1 and 5 annotations, not in the order of their rows; weights have room for
 * 6. Slabs are wider than what attention may touch, as in the decoder. */
enum { B = 3, M = 4, A = 11, S = 6, N = 9, QUERY = A + 3, KEY = A + 4, WEIGHT = S + 2 };
static const int START[B] = {6, 5, 0}, LENGTH[B] = {3, 1, 5};
static const int SENTENCE[M] = {2, 0, 2, 1};

struct fixture {
    struct additive layer;
    struct param_set set;
    struct attention_rows rows;
    real values[1000], grads[1000];
    real query[M * QUERY], key[N * KEY], weight[M * WEIGHT];
    real ask[M * WEIGHT], d_weight[M * WEIGHT]; /* dL/dweight, and the copy that is used up */
    real d_query[M * QUERY], d_key[N * KEY], d_v[A];
};

static void draw(real *x, size_t n, uint64_t key, double scale)
{
    for (size_t i = 0; i < n; i++)
        x[i] = (real)(scale * (2 * rng_uniform(key, i) - 1));
}

static void fixture_init(struct fixture *f, double scale)
{
    *f = (struct fixture){.rows = {.start = START, .length = LENGTH, .sentence = SENTENCE}};
    additive_declare(&f->layer, &f->set, "decoder.attention", 7, 14, A);
    assert_true(f->set.size <= 1000);
    param_bind(&f->set, f->values, f->grads);
    draw(f->layer.v.value, A, 1, 1);
    draw(f->query, M * QUERY, 2, scale);
    draw(f->key, N * KEY, 3, scale);
    draw(f->ask, M * WEIGHT, 4, 1);
    memset(f->weight, 0xff, sizeof f->weight); /* NaN, as work space may be */
    f->rows.query = view_strided(f->query, M, A, QUERY);
    f->rows.weight = view_strided(f->weight, M, S, WEIGHT);
}

static int length_of(const struct fixture *f, int i)
{
    return LENGTH[attention_sentence(&f->rows, i)];
}

static struct view key_view(struct fixture *f) { return view_strided(f->key, N, A, KEY); }

static double forward(void *context)
{
    struct fixture *f = context;
    additive_forward(&f->layer, &f->rows, key_view(f));
    double sum = 0;
    for (int i = 0; i < f->rows.query.rows; i++)
        for (int j = 0; j < length_of(f, i); j++)
            sum += (double)f->ask[i * WEIGHT + j] * (double)f->weight[i * WEIGHT + j];
    return sum;
}

/* d_query starts as NaN because it is overwritten; so does d_weight past a sentence's end, which
 * nobody may read. */
static void backward(struct fixture *f)
{
    memset(f->d_query, 0xff, sizeof f->d_query);
    memset(f->d_weight, 0xff, sizeof f->d_weight);
    for (int i = 0; i < f->rows.query.rows; i++)
        memcpy(f->d_weight + i * WEIGHT, f->ask + i * WEIGHT,
               (size_t)length_of(f, i) * sizeof(real));
    additive_backward(&f->layer, &f->rows, key_view(f), view_strided(f->d_weight, M, S, WEIGHT),
                      view_strided(f->d_query, M, A, QUERY), view_strided(f->d_key, N, A, KEY),
                      f->d_v);
}

/* ---- Forward ---- */

static double plain_score(const struct fixture *f, int i, int j)
{
    const int row = START[attention_sentence(&f->rows, i)] + j;
    double e = 0;
    for (int a = 0; a < A; a++)
        e += (double)f->layer.v.value[a] *
             tanh((double)f->query[i * QUERY + a] + (double)f->key[row * KEY + a]);
    return e;
}

static void check_row(const struct fixture *f, int i)
{
    const int length = length_of(f, i);
    const real *weight = f->weight + i * WEIGHT;
    double total = 0, sum = 0;
    for (int j = 0; j < length; j++)
        total += exp(plain_score(f, i, j));
    for (int j = 0; j < length; j++) {
        assert_near((double)weight[j], exp(plain_score(f, i, j)) / total,
                    sizeof(real) == sizeof(double) ? 1e-13 : 2e-6);
        sum += (double)weight[j];
    }
    assert_near(sum, 1, 1e-6);
    for (int j = length; j < S; j++)
        assert_true(weight[j] == 0);
    for (int j = S; j < WEIGHT; j++)
        assert_true(isnan(weight[j])); /* not its columns */
}

TEST(additive_forward_matches_its_formula)
{
    for (double scale = 0.1; scale < 200; scale *= 10) {
        struct fixture f;
        fixture_init(&f, scale);
        forward(&f);
        for (int i = 0; i < M; i++)
            check_row(&f, i);
    }
}

TEST(additive_forward_without_a_list_takes_sentences_in_order)
{
    struct fixture f;
    fixture_init(&f, 1);
    f.rows.sentence = NULL;
    f.rows.first = 1;
    f.rows.query.rows = f.rows.weight.rows = 2;
    forward(&f);
    check_row(&f, 0);
    check_row(&f, 1);
    assert_true(f.weight[0] == 1 && f.weight[WEIGHT + 4] > 0); /* of lengths 1 and 5 */
    assert_true(isnan(f.weight[2 * WEIGHT]));
}

TEST(additive_declares_its_parameters)
{
    struct fixture f;
    fixture_init(&f, 1);
    assert_int_equal(f.set.count, 4);
    assert_string_equal(f.layer.W_query.path, "decoder.attention.W_query");
    assert_true(f.layer.W_query.rows == 7 && f.layer.W_query.cols == A);
    assert_true(f.layer.W_key.rows == 14 && f.layer.W_key.cols == A);
    assert_true(f.layer.b_query.cols == A && f.layer.v.cols == A);
}

/* ---- Backward ---- */

static void check_gradient(struct fixture *f)
{
    forward(f);
    backward(f);
    for (int i = 0; i < f->rows.query.rows; i++)
        assert_true(gradcheck(forward, f, f->query + i * QUERY, f->d_query + i * QUERY, A).worst <=
                    1e-6);
    for (int i = 0; i < N; i++)
        assert_true(gradcheck(forward, f, f->key + i * KEY, f->d_key + i * KEY, A).worst <= 1e-6);
    assert_true(gradcheck(forward, f, f->layer.v.value, f->d_v, A).worst <= 1e-6);
}

TEST(additive_backward_matches_finite_differences)
{
    if (sizeof(real) < sizeof(double))
        skip();
    struct fixture f;
    fixture_init(&f, 1);
    check_gradient(&f);
}

TEST(additive_backward_without_a_list_matches_finite_differences)
{
    if (sizeof(real) < sizeof(double))
        skip();
    struct fixture f;
    fixture_init(&f, 1);
    f.rows.sentence = NULL;
    f.rows.first = 1;
    f.rows.query.rows = f.rows.weight.rows = 2;
    check_gradient(&f);
    for (int a = 0; a < A; a++)
        assert_true(f.d_key[6 * KEY + a] == 0); /* nobody looked at sentence 0 */
}

TEST(additive_backward_adds_to_keys_and_v_only)
{
    struct fixture f, zero;
    fixture_init(&f, 1);
    fixture_init(&zero, 1);
    for (int i = 0; i < N * KEY; i++)
        f.d_key[i] = 2;
    for (int a = 0; a < A; a++)
        f.d_v[a] = 3;
    forward(&f);
    backward(&f);
    forward(&zero);
    backward(&zero);
    for (int i = 0; i < N * KEY; i++)
        assert_near((double)f.d_key[i], 2 + (double)zero.d_key[i], 1e-6);
    for (int a = 0; a < A; a++)
        assert_near((double)f.d_v[a], 3 + (double)zero.d_v[a], 1e-6);
    for (int i = 0; i < M * QUERY; i++)
        assert_true(i % QUERY < A ? f.d_query[i] == zero.d_query[i] : isnan(f.d_query[i]));
}

/* Weights do not move when all scores do: the gradient of a row's scores sums to 0. */
TEST(additive_backward_scores_sum_to_zero)
{
    struct fixture f;
    fixture_init(&f, 1);
    forward(&f);
    backward(&f);
    for (int i = 0; i < M; i++) {
        double sum = 0;
        for (int j = 0; j < length_of(&f, i); j++)
            sum += (double)f.d_weight[i * WEIGHT + j];
        assert_near(sum, 0, 1e-6);
    }
}

static void assert_close(const real *got, const real *want, int rows, int cols, int stride)
{
    for (int i = 0; i < rows; i++)
        for (int j = 0; j < cols; j++)
            assert_near((double)got[i * stride + j], (double)want[i * stride + j],
                        sizeof(real) == sizeof(double) ? 1e-14 : 1e-5);
}

TEST(additive_levels_agree)
{
    if (simd_level_available() == 0)
        skip();
    struct fixture f[2];
    for (int level = 0; level < 2; level++) {
        fixture_init(&f[level], 2);
        simd_cap(level);
        forward(&f[level]);
        backward(&f[level]);
    }
    simd_cap(1);
    assert_close(f[1].weight, f[0].weight, M, S, WEIGHT);
    assert_close(f[1].d_query, f[0].d_query, M, A, QUERY);
    assert_close(f[1].d_key, f[0].d_key, N, A, KEY);
    assert_close(f[1].d_v, f[0].d_v, 1, A, A);
}
