#include "nn/attention.h"

#include "base/rng.h"
#include "nn/gradcheck.h"
#include "tensor/simd.h"
#include "test.h"

#include <math.h>
#include <string.h>

/* Four sentences of 3, 1, 5 and 4 annotations, not in the order of their rows, seen by five queries
 * over three steps. Rows of every slab are further apart than they are wide, as in the decoder, and
 * what lies between is NaN. */
enum { B = 4, M = 5, N = 13, T = 3, H = 6, C = 9, A = 11, S = 7, POSITIONS = 4, SPAN = 1, K = 3 };
enum {
    STATE = H + 2,
    QUERY = A + 3,
    KEY = A + 4,
    WEIGHT = 3 * S + 2,
    CARRY = S + 1,
    EXTRA = 2 * A
};
static const int START[B] = {10, 9, 0, 5}, LENGTH[B] = {3, 1, 5, 4};
static const int SENTENCE[M] = {2, 0, 2, 1, 3};

struct fixture {
    struct attention layer;
    struct param_set set;
    const int *sentence; /* as in struct attention_rows */
    int first, rows, S, carry;
    real values[1000], grads[1000];
    real state[T][M * STATE], query[T][M * QUERY], key[N * KEY];
    real weight[T][M * WEIGHT], carries[T + 1][M * CARRY];
    real ask[T][M * WEIGHT], ask_carry[M * CARRY]; /* dL/dweight, dL/d(last carry) */
    real d_weight[T][M * WEIGHT], d_carries[T + 1][M * CARRY];
    real d_state[T][M * STATE], d_query[T][M * QUERY], d_key[N * KEY], d_extra[EXTRA];
};

/* NaN everywhere but in rows x cols. */
static void draw(real *x, int rows, int cols, int stride, uint64_t key, double scale)
{
    memset(x, 0xff, (size_t)(rows * stride) * sizeof *x);
    for (int i = 0; i < rows; i++)
        for (int j = 0; j < cols; j++)
            x[i * stride + j] =
                (real)(scale * (2 * rng_uniform(key, (uint64_t)(i * cols + j)) - 1));
}

static void draw_inputs(struct fixture *f, double scale)
{
    for (uint64_t t = 0; t < T; t++) {
        draw(f->state[t], M, H, STATE, 10 + t, scale);
        draw(f->query[t], M, f->layer.Q, QUERY, 20 + t, scale);
        draw(f->ask[t], M, f->layer.dims.heads * f->S, WEIGHT, 30 + t, 1);
    }
    draw(f->key, N, f->layer.D, KEY, 40, scale);
    draw(f->carries[0], M, f->carry, CARRY, 41, 0.5);
    draw(f->ask_carry, M, f->carry, CARRY, 42, 1);
}

static void fixture_init(struct fixture *f, const struct attention_ops *ops, int heads,
                         bool coverage, double scale)
{
    const struct attention_dims dims = {.H = H,
                                        .C = C,
                                        .A = A,
                                        .heads = heads,
                                        .coverage = coverage,
                                        .positions = POSITIONS,
                                        .span = SPAN,
                                        .gaussians = K};
    memset(f, 0, sizeof *f);
    f->sentence = SENTENCE;
    f->rows = M;
    f->S = S;
    attention_declare(&f->layer, &f->set, "decoder.attention", ops, &dims);
    f->carry = attention_carry_width(&f->layer, S);
    assert_true(f->set.size <= 1000 && attention_extra_size(&f->layer) <= EXTRA);
    param_bind(&f->set, f->values, f->grads);
    assert_int_equal(param_initialise(&f->set, 1, NULL), ATTEND_OK);
    draw_inputs(f, scale);
}

static struct attention_rows rows_at(struct fixture *f, int t)
{
    const int rows = f->rows;
    return (struct attention_rows){
        .start = START,
        .length = LENGTH,
        .sentence = f->sentence,
        .first = f->first,
        .state = view_strided(f->state[t], rows, H, STATE),
        .query = view_strided(f->query[t], rows, f->layer.Q, QUERY),
        .key = view_strided(f->key, N, f->layer.D, KEY),
        .weight = view_strided(f->weight[t], rows, f->layer.dims.heads * f->S, WEIGHT),
        .carry_in = view_strided(f->carries[t], rows, f->carry, CARRY),
        .carry_out = view_strided(f->carries[t + 1], rows, f->carry, CARRY)};
}

static int sentence_of(const struct fixture *f, int i)
{
    return f->sentence ? f->sentence[i] : f->first + i;
}

/* Work space comes as it is: NaN. */
static void forward(struct fixture *f)
{
    memset(f->weight, 0xff, sizeof f->weight);
    memset(f->carries[1], 0xff, sizeof f->carries - sizeof f->carries[0]);
    for (int t = 0; t < T; t++) {
        const struct attention_rows rows = rows_at(f, t);
        f->layer.ops->forward(&f->layer, &rows);
    }
}

static double weighted_row(const struct fixture *f, int t, int i)
{
    double sum = 0;
    for (int g = 0; g < f->layer.dims.heads; g++)
        for (int j = 0; j < LENGTH[sentence_of(f, i)]; j++) {
            const int at = i * WEIGHT + g * f->S + j;
            sum += (double)f->ask[t][at] * (double)f->weight[t][at];
        }
    return sum;
}

/* The loss: weights of all steps and the last carry, each times what is asked of it. */
static double loss(void *context)
{
    struct fixture *f = context;
    double sum = 0;
    forward(f);
    for (int i = 0; i < f->rows; i++) {
        for (int t = 0; t < T; t++)
            sum += weighted_row(f, t, i);
        for (int k = 0; k < f->carry; k++)
            sum += (double)f->ask_carry[i * CARRY + k] * (double)f->carries[T][i * CARRY + k];
    }
    return sum;
}

static struct attention_gradient gradient_at(struct fixture *f, int t)
{
    const int rows = f->rows, v = f->layer.extra[0].rows * f->layer.extra[0].cols;
    return (struct attention_gradient){
        .d_weight = view_strided(f->d_weight[t], rows, f->layer.dims.heads * f->S, WEIGHT),
        .d_query = view_strided(f->d_query[t], rows, f->layer.Q, QUERY),
        .d_state = view_strided(f->d_state[t], rows, H, STATE),
        .d_key = view_strided(f->d_key, N, f->layer.D, KEY),
        .d_carry_out = view_strided(f->d_carries[t + 1], rows, f->carry, CARRY),
        .d_carry_in = view_strided(f->d_carries[t], rows, f->carry, CARRY),
        .d_extra = {f->d_extra, f->d_extra + v}};
}

static void fill(real *x, int rows, int cols, int stride, real value)
{
    memset(x, 0xff, (size_t)(rows * stride) * sizeof *x);
    for (int i = 0; i < rows * stride; i++)
        if (i % stride < cols)
            x[i] = value;
}

/* What is overwritten starts as NaN, and so does d_weight past a sentence's end, which nobody may
 * read; what is added to starts as `value`. */
static void clear_gradients(struct fixture *f, real value)
{
    memset(f->d_query, 0xff, sizeof f->d_query);
    memset(f->d_weight, 0xff, sizeof f->d_weight);
    memcpy(f->d_carries[T], f->ask_carry, sizeof f->ask_carry);
    for (int t = 0; t < T; t++) {
        fill(f->d_state[t], M, H, STATE, value);
        fill(f->d_carries[t], M, f->carry, CARRY, 0);
        for (int i = 0; i < f->rows * f->layer.dims.heads; i++) {
            const int row = i / f->layer.dims.heads, g = i % f->layer.dims.heads;
            memcpy(f->d_weight[t] + row * WEIGHT + g * f->S, f->ask[t] + row * WEIGHT + g * f->S,
                   (size_t)LENGTH[sentence_of(f, row)] * sizeof(real));
        }
    }
    fill(f->d_key, N, f->layer.D, KEY, value);
    fill(f->d_extra, 1, EXTRA, EXTRA, value);
}

static void backward(struct fixture *f, real value)
{
    clear_gradients(f, value);
    for (int t = T - 1; t >= 0; t--) {
        const struct attention_rows rows = rows_at(f, t);
        const struct attention_gradient gradient = gradient_at(f, t);
        f->layer.ops->backward(&f->layer, &rows, &gradient);
    }
}

/* ---- Every mechanism, with all heads and with coverage where it has them ---- */

typedef void check_fn(const struct attention_ops *, int heads, bool coverage);

static void for_each(check_fn *check)
{
    for (const struct attention_ops *const *ops = attentions; *ops; ops++)
        for (int heads = 1; heads <= ((*ops)->heads ? 3 : 1); heads++)
            for (int coverage = 0; coverage <= (*ops)->coverage; coverage++)
                check(*ops, heads, coverage);
}

/* ---- The table ---- */

TEST(attention_find_knows_the_rows_of_the_table)
{
    int count = 0;
    for (; attentions[count]; count++) {
        assert_ptr_equal(attention_find(attentions[count]->name), attentions[count]);
        assert_true(strlen(attentions[count]->help) > 10 && strlen(attentions[count]->help) < 75);
    }
    assert_int_equal(count, 9);
    assert_null(attention_find("additiv"));
    assert_null(attention_find(""));
}

struct shape {
    const char *name;
    int Q, D, carry, extra, params;
};

static const struct shape SHAPES[] = {
    {"none", 0, 0, 0, 0, 0},     {"additive", A, A, 0, A, 4},   {"dot", 0, H, 0, 0, 0},
    {"general", 0, H, 0, 0, 1},  {"scaled_dot", 0, H, 0, 0, 0}, {"cosine", 0, H, 0, 1, 1},
    {"location", 4, 0, 0, 0, 2}, {"local", A, H, 0, A, 4},      {"window", 3 * K, 0, K, 0, 2},
};

TEST(attention_declare_gives_each_mechanism_its_widths)
{
    for (size_t i = 0; i < sizeof SHAPES / sizeof *SHAPES; i++) {
        const struct shape *want = &SHAPES[i];
        struct fixture f;
        fixture_init(&f, attention_find(want->name), 1, false, 1);
        assert_true(f.layer.Q == want->Q && f.layer.D == want->D && f.carry == want->carry);
        assert_int_equal(attention_extra_size(&f.layer), want->extra);
        assert_int_equal(f.set.count, want->params);
        assert_true(f.layer.W_query.cols == want->Q && f.layer.b_query.cols == want->Q);
        assert_true(want->Q == 0 || f.layer.W_query.rows == H);
    }
}

TEST(attention_declare_names_its_parameters)
{
    struct fixture f;
    fixture_init(&f, &attention_additive, 1, true, 1);
    static const char *const names[] = {"W_query", "b_query", "W_key", "v", "u"};
    assert_int_equal(f.set.count, 5);
    for (int i = 0; i < 5; i++)
        assert_string_equal(f.set.item[i]->path + strlen("decoder.attention."), names[i]);
    assert_true(f.layer.W_key.rows == C && f.layer.W_key.cols == A);
    assert_int_equal(f.carry, S);
    assert_int_equal(attention_extra_size(&f.layer), 2 * A);
    fixture_init(&f, &attention_cosine, 3, false, 1);
    assert_string_equal(f.set.item[0]->path, "decoder.attention.g");
    for (int g = 0; g < 3; g++)
        assert_true(f.layer.extra[0].value[g] == 8);
}

TEST(attention_softmax_is_zero_outside_its_range)
{
    const real nan = (real)NAN;
    real weight[6] = {nan, 1, 1, 1 + (real)log(2), nan, nan}, d[6] = {nan, 1, 2, 3, nan, nan};
    const double want[6] = {0, 0.25, 0.25, 0.5, 0, 0};
    const double d_want[6] = {0, -0.3125, -0.0625, 0.375, 0, 0}; /* the mean is 2.25 */
    attention_softmax(weight, 1, 4, 6);
    attention_softmax_backward(weight, d, 1, 4, 6);
    for (int j = 0; j < 6; j++) {
        assert_near((double)weight[j], want[j], 1e-6);
        assert_near((double)d[j], d_want[j], 1e-6);
    }
}

/* ---- Formulas, written plainly ---- */

struct place {
    int t, i, g, j; /* step, row, head, position */
};
typedef double score_fn(const struct fixture *, struct place);
static const double OUT = -(double)INFINITY; /* not among the positions */

static double key_at(const struct fixture *f, struct place p, int d)
{
    return (double)f->key[(START[sentence_of(f, p.i)] + p.j) * KEY + d];
}
static double query_at(const struct fixture *f, struct place p, int q)
{
    return (double)f->query[p.t][p.i * QUERY + q];
}
static double carry_at(const struct fixture *f, struct place p, int k)
{
    return (double)f->carries[p.t][p.i * CARRY + k];
}
static double extra_at(const struct fixture *f, int which, int a)
{
    return (double)f->layer.extra[which].value[a];
}

static double plain_none(const struct fixture *f, struct place p)
{
    (void)f;
    return p.j == 0 ? 0 : OUT;
}

static double plain_additive(const struct fixture *f, struct place p)
{
    double e = 0;
    for (int a = 0; a < A; a++) {
        const double cov = f->layer.dims.coverage ? carry_at(f, p, p.j) * extra_at(f, 1, a) : 0;
        e += extra_at(f, 0, a) * tanh(query_at(f, p, a) + key_at(f, p, a) + cov);
    }
    return e;
}

/* x . y over one head; which: 0 state and key, 1 state and state, 2 key and key. */
static double plain_product(const struct fixture *f, struct place p, int which)
{
    const int n = H / f->layer.dims.heads;
    double e = 0;
    for (int h = p.g * n; h < (p.g + 1) * n; h++) {
        const double s = (double)f->state[p.t][p.i * STATE + h], k = key_at(f, p, h);
        e += (which == 2 ? k : s) * (which == 1 ? s : k);
    }
    return e;
}

static double plain_dot(const struct fixture *f, struct place p) { return plain_product(f, p, 0); }

static double plain_scaled_dot(const struct fixture *f, struct place p)
{
    return plain_product(f, p, 0) / sqrt((double)H / f->layer.dims.heads);
}

static double plain_cosine(const struct fixture *f, struct place p)
{
    return extra_at(f, 0, p.g) * plain_product(f, p, 0) /
           sqrt((plain_product(f, p, 1) + 1e-12) * (plain_product(f, p, 2) + 1e-12));
}

static double plain_location(const struct fixture *f, struct place p)
{
    return p.j < POSITIONS ? query_at(f, p, p.j) : OUT;
}

static double plain_centre(const struct fixture *f, struct place p)
{
    double sum = 0;
    for (int a = 0; a < A; a++)
        sum += extra_at(f, 0, a) * tanh(query_at(f, p, a));
    return (LENGTH[sentence_of(f, p.i)] - 1) / (1 + exp(-sum));
}

static double plain_local(const struct fixture *f, struct place p)
{
    const double off = p.j - plain_centre(f, p), sigma = SPAN / 2.0;
    return fabs(off) <= SPAN ? plain_product(f, p, 0) - off * off / (2 * sigma * sigma) : OUT;
}

static double plain_window(const struct fixture *f, struct place p)
{
    double sum = 0;
    for (int k = 0; k < K; k++) {
        const double b = log(1 + exp(query_at(f, p, K + k)) * (exp(0.5) - 1)),
                     step = log(1 + exp(query_at(f, p, 2 * K + k)) * (exp(1) - 1)),
                     off = carry_at(f, p, k) + step - 1 - p.j;
        sum += exp(query_at(f, p, k) - b * off * off);
    }
    return log(sum);
}

static const struct {
    const struct attention_ops *ops;
    score_fn *score;
} PLAIN[] = {
    {&attention_none, plain_none},
    {&attention_additive, plain_additive},
    {&attention_dot, plain_dot},
    {&attention_general, plain_dot},
    {&attention_scaled_dot, plain_scaled_dot},
    {&attention_cosine, plain_cosine},
    {&attention_location, plain_location},
    {&attention_local, plain_local},
    {&attention_window, plain_window},
};

static score_fn *plain_of(const struct attention_ops *ops)
{
    for (size_t i = 0; i < sizeof PLAIN / sizeof *PLAIN; i++)
        if (PLAIN[i].ops == ops)
            return PLAIN[i].score;
    fail_msg("%s has no plain formula here", ops->name);
    return NULL;
}

static void check_weights(const struct fixture *f, int t, int i, int g)
{
    const real *weight = f->weight[t] + i * WEIGHT + g * f->S;
    const int length = LENGTH[sentence_of(f, i)];
    score_fn *score = plain_of(f->layer.ops);
    double total = 0, sum = 0;
    for (int j = 0; j < length; j++)
        total += exp(score(f, (struct place){t, i, g, j}));
    for (int j = 0; j < length; j++) {
        assert_near((double)weight[j], exp(score(f, (struct place){t, i, g, j})) / total,
                    sizeof(real) == sizeof(double) ? 1e-11 : 5e-6);
        assert_true(weight[j] >= 0);
        sum += (double)weight[j];
    }
    assert_near(sum, 1, 1e-6);
    for (int j = length; j < f->S; j++)
        assert_true(weight[j] == 0);
}

static void check_all_weights(const struct fixture *f)
{
    const int heads = f->layer.dims.heads;
    for (int t = 0; t < T; t++)
        for (int i = 0; i < f->rows; i++) {
            for (int g = 0; g < heads; g++)
                check_weights(f, t, i, g);
            for (int j = heads * f->S; j < WEIGHT; j++)
                assert_true(isnan(f->weight[t][i * WEIGHT + j])); /* not its columns */
        }
}

static void check_formula(const struct attention_ops *ops, int heads, bool coverage)
{
    for (double scale = 0.3; scale < 4; scale *= 3) {
        struct fixture f;
        fixture_init(&f, ops, heads, coverage, scale);
        forward(&f);
        check_all_weights(&f);
        f.sentence = NULL; /* in order, from the second sentence on */
        f.first = 1;
        f.rows = B - 1;
        forward(&f);
        check_all_weights(&f);
        assert_true(isnan(f.weight[0][(B - 1) * WEIGHT]));
    }
}
TEST(attention_forward_matches_its_formula) { for_each(check_formula); }

/* One row alone, no other sentence's keys, and no room past its end. */
static void check_alone(const struct fixture *all, int i)
{
    static struct fixture f;
    const int b = SENTENCE[i];
    f = *all;
    f.sentence = &SENTENCE[i];
    f.rows = 1;
    f.S = LENGTH[b];
    f.carry = attention_carry_width(&f.layer, f.S);
    for (int row = 0; row < N; row++)
        if (row < START[b] || row >= START[b] + LENGTH[b])
            memset(f.key + row * KEY, 0xff, KEY * sizeof(real));
    memcpy(f.carries[0], all->carries[0] + i * CARRY, CARRY * sizeof(real));
    for (int t = 0; t < T; t++) {
        memcpy(f.state[t], all->state[t] + i * STATE, STATE * sizeof(real));
        memcpy(f.query[t], all->query[t] + i * QUERY, QUERY * sizeof(real));
    }
    forward(&f);
    for (int t = 0; t < T; t++)
        for (int g = 0; g < f.layer.dims.heads; g++)
            for (int j = 0; j < f.S; j++)
                assert_true(f.weight[t][g * f.S + j] == all->weight[t][i * WEIGHT + g * S + j]);
}

static void check_neighbours(const struct attention_ops *ops, int heads, bool coverage)
{
    struct fixture f;
    fixture_init(&f, ops, heads, coverage, 1);
    forward(&f);
    for (int i = 0; i < M; i++)
        check_alone(&f, i);
}
TEST(attention_forward_depends_on_no_other_row) { for_each(check_neighbours); }

/* ---- Gradients ---- */

static void check_slab(struct fixture *f, real *x, const real *d, int rows, int cols, int stride)
{
    for (int i = 0; i < rows; i++) {
        const struct gradcheck_result r =
            gradcheck(loss, f, x + i * stride, d + i * stride, (size_t)cols);
        if (!(r.worst <= 1e-6))
            fail_msg("%s: row %d of %d, column %zu: %g, by differences %g", f->layer.ops->name, i,
                     rows, r.at, r.analytic, r.numeric);
    }
}

static void check_gradients(struct fixture *f)
{
    const real *d_extra = f->d_extra;
    forward(f);
    backward(f, 0);
    for (int t = 0; t < T; t++) {
        check_slab(f, f->state[t], f->d_state[t], f->rows, H, STATE);
        check_slab(f, f->query[t], f->d_query[t], f->rows, f->layer.Q, QUERY);
    }
    check_slab(f, f->key, f->d_key, N, f->layer.D, KEY);
    check_slab(f, f->carries[0], f->d_carries[0], f->rows, f->carry, CARRY);
    for (int k = 0; k < ATTENTION_EXTRAS; d_extra += f->layer.extra[k++].cols)
        check_slab(f, f->layer.extra[k].value, d_extra, 1, f->layer.extra[k].cols, A);
}

static void check_backward(const struct attention_ops *ops, int heads, bool coverage)
{
    struct fixture f;
    fixture_init(&f, ops, heads, coverage, 1);
    check_gradients(&f);
    fixture_init(&f, ops, heads, coverage, 1);
    f.sentence = NULL;
    f.first = 1;
    f.rows = B - 1;
    check_gradients(&f);
}

TEST(attention_backward_matches_finite_differences)
{
    if (sizeof(real) < sizeof(double))
        skip();
    for_each(check_backward);
}

static void assert_slab(const real *got, const real *want, double plus, int rows, int cols,
                        int stride)
{
    for (int i = 0; i < rows * stride; i++)
        if (i % stride < cols)
            assert_near((double)got[i], plus + (double)want[i],
                        sizeof(real) == sizeof(double) ? 1e-12 : 1e-5);
        else
            assert_true(isnan(got[i])); /* not its columns */
}

static void check_adding(const struct attention_ops *ops, int heads, bool coverage)
{
    struct fixture f, zero;
    fixture_init(&f, ops, heads, coverage, 1);
    fixture_init(&zero, ops, heads, coverage, 1);
    forward(&f);
    backward(&f, 2);
    forward(&zero);
    backward(&zero, 0);
    for (int t = 0; t < T; t++) {
        assert_slab(f.d_state[t], zero.d_state[t], 2, M, H, STATE);
        assert_slab(f.d_query[t], zero.d_query[t], 0, M, f.layer.Q, QUERY);
        assert_slab(f.d_carries[t], zero.d_carries[t], 0, M, f.carry, CARRY);
    }
    assert_slab(f.d_key, zero.d_key, 2, N, f.layer.D, KEY);
    assert_slab(f.d_extra, zero.d_extra, 2, 1, EXTRA, EXTRA);
}
TEST(attention_backward_overwrites_queries_and_adds_to_all_else) { for_each(check_adding); }

static void check_levels(const struct attention_ops *ops, int heads, bool coverage)
{
    struct fixture f[2];
    for (int level = 0; level < 2; level++) {
        fixture_init(&f[level], ops, heads, coverage, 1);
        simd_cap(level);
        forward(&f[level]);
        backward(&f[level], 0);
    }
    simd_cap(1);
    for (int t = 0; t < T; t++) {
        assert_slab(f[1].weight[t], f[0].weight[t], 0, M, heads * S, WEIGHT);
        assert_slab(f[1].d_state[t], f[0].d_state[t], 0, M, H, STATE);
        assert_slab(f[1].d_query[t], f[0].d_query[t], 0, M, f->layer.Q, QUERY);
        assert_slab(f[1].d_carries[t], f[0].d_carries[t], 0, M, f->carry, CARRY);
    }
    assert_slab(f[1].d_key, f[0].d_key, 0, N, f->layer.D, KEY);
    assert_slab(f[1].d_extra, f[0].d_extra, 0, 1, EXTRA, EXTRA);
}

TEST(attention_levels_agree)
{
    if (simd_level_available() == 0)
        skip();
    for_each(check_levels);
}

/* ---- One by one ---- */

TEST(additive_coverage_is_the_sum_of_the_weights_before)
{
    struct fixture f;
    fixture_init(&f, &attention_additive, 1, true, 1);
    draw(f.carries[0], M, S, CARRY, 1, 0);
    forward(&f);
    for (int i = 0; i < M; i++)
        for (int j = 0; j < S; j++) {
            double sum = 0;
            for (int t = 0; t < T; t++)
                sum += (double)f.weight[t][i * WEIGHT + j];
            assert_near((double)f.carries[T][i * CARRY + j], sum, 1e-6);
        }
}

TEST(cosine_of_a_zero_state_is_even_and_has_a_gradient)
{
    struct fixture f;
    fixture_init(&f, &attention_cosine, 1, false, 1);
    draw(f.state[0], M, H, STATE, 1, 0);
    forward(&f);
    backward(&f, 0);
    for (int j = 0; j < 5; j++)
        assert_near((double)f.weight[0][j], 0.2, 1e-6);
    for (int i = 0; i < M * STATE; i++)
        assert_true(isfinite(f.d_state[0][i]) == (i % STATE < H));
    for (int i = 0; i < N * KEY; i++)
        assert_true(isfinite(f.d_key[i]) == (i % KEY < H));
}

TEST(location_gives_nothing_past_its_positions)
{
    struct fixture f;
    fixture_init(&f, &attention_location, 1, false, 1);
    forward(&f);
    assert_true(f.weight[0][POSITIONS - 1] > 0); /* row 0 has 5 positions, one more than known */
    assert_true(f.weight[0][POSITIONS] == 0);
}

TEST(local_looks_no_further_than_its_span)
{
    struct fixture f;
    fixture_init(&f, &attention_local, 1, false, 1);
    for (int a = 0; a < A; a++) { /* the centre of row 0 moves to the end of its 5 words */
        f.layer.extra[0].value[a] = 2;
        f.query[0][a] = 5;
    }
    forward(&f);
    for (int j = 0; j < 5; j++)
        assert_true((f.weight[0][j] > 0) == (j >= 4 - SPAN));
}

TEST(window_centres_only_move_forward)
{
    struct fixture f;
    for (double scale = 1; scale < 3000; scale *= 10) {
        fixture_init(&f, &attention_window, 1, false, scale);
        forward(&f);
        backward(&f, 0);
        for (int t = 0; t < T; t++)
            for (int i = 0; i < M; i++) {
                for (int k = i * CARRY; k < i * CARRY + K; k++)
                    assert_true(f.carries[t + 1][k] >= f.carries[t][k]);
                for (int q = i * QUERY; q < i * QUERY + 3 * K; q++)
                    assert_true(isfinite(f.d_query[t][q]));
                assert_true(isfinite(f.weight[t][i * WEIGHT]));
            }
    }
}

TEST(window_starts_at_the_first_word_and_moves_one_each_step)
{
    struct fixture f;
    fixture_init(&f, &attention_window, 1, false, 0);
    draw(f.carries[0], M, K, CARRY, 1, 0);
    forward(&f);
    for (int t = 0; t < T; t++) {
        assert_near((double)f.carries[t + 1][0], t + 1, 1e-6);
        for (int j = 0; j < 5; j++) /* row 0 */
            assert_true(f.weight[t][j] <= f.weight[t][t]);
    }
    assert_near((double)(f.weight[1][2] / f.weight[1][1]), exp(-0.5), 1e-6);
}
