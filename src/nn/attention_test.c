/* The weights of every mechanism, against its formula in plain loops. */
#include "attention_fixture.h"

/* ---- The table ---- */

#define ONE(name) +1

TEST(attention_find_knows_the_rows_of_the_table)
{
    int count = 0;
    for (; attentions[count]; count++) {
        assert_ptr_equal(attention_find(attentions[count]->name), attentions[count]);
        assert_true(strlen(attentions[count]->help) > 10 && strlen(attentions[count]->help) < 75);
        /* Only its help says so to a user. */
        assert_int_equal(!!strstr(attentions[count]->help, "--heads"), attentions[count]->heads);
        assert_int_equal(!!strstr(attentions[count]->help, "--coverage"),
                         attentions[count]->coverage);
    }
    assert_int_equal(count, ATTENTION_LIST(ONE));
    assert_null(attention_find("additiv"));
    assert_null(attention_find(""));
}

struct shape {
    const char *name;
    int Q, D, carry, extra, params;
};

static const struct shape SHAPES[] = {
    {"none", 0, 0, 0, 0, 0},       {"additive", A, A, 0, A, 4},
    {"dot", 0, H, 0, 0, 0},        {"general", 0, H, 0, 0, 1},
    {"scaled_dot", 0, H, 0, 0, 0}, {"cosine", 0, H, 0, 1, 1},
    {"location", 4, 0, 0, 0, 2},   {"local", A, H, 0, A, 4},
    {"window", 3 * K, 0, K, 0, 2}, {"location_aware", A, A, S, A + FILTERS *(2 * REACH + 1 + A), 6},
    {"monotonic", 0, H, 0, 0, 1},
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

/* ---- Formulas in plain loops ---- */

struct place {
    int t, i, g, j; /* step, row, head, position */
};
typedef double score_fn(const struct fixture *, struct place);
static const double OUT = -(double)INFINITY; /* position outside the window */

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

/* The taps of filter k around position j of the last weights. */
static double plain_convolution(const struct fixture *f, struct place p, int k)
{
    double sum = 0;
    for (int r = -REACH; r <= REACH; r++)
        if (p.j + r >= 0 && p.j + r < LENGTH[sentence_of(f, p.i)])
            sum += extra_at(f, 1, k * (2 * REACH + 1) + r + REACH) * carry_at(f, p, p.j + r);
    return sum;
}

static double plain_location_aware(const struct fixture *f, struct place p)
{
    double e = 0;
    for (int a = 0; a < A; a++) {
        double x = query_at(f, p, a) + key_at(f, p, a);
        for (int k = 0; k < FILTERS; k++)
            x += plain_convolution(f, p, k) * extra_at(f, 2, k * A + a);
        e += extra_at(f, 0, a) * tanh(x);
    }
    return e;
}

/* x . y over one head; which: 0 state . key, 1 state . state, 2 key . key. */
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

static double plain_center(const struct fixture *f, struct place p)
{
    double sum = 0;
    for (int a = 0; a < A; a++)
        sum += extra_at(f, 0, a) * tanh(query_at(f, p, a));
    return (LENGTH[sentence_of(f, p.i)] - 1) / (1 + exp(-sum));
}

static double plain_local(const struct fixture *f, struct place p)
{
    const double off = p.j - plain_center(f, p), sigma = SPAN / 2.0;
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
    {&attention_location_aware, plain_location_aware},
    {&attention_monotonic, plain_dot},
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
                assert_true(isnan(f->weight[t][i * WEIGHT + j])); /* columns outside the slab */
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

/* One row alone: no keys of other sentences, and no columns past its end. */
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

static void check_neighbors(const struct attention_ops *ops, int heads, bool coverage)
{
    struct fixture f;
    fixture_init(&f, ops, heads, coverage, 1);
    forward(&f);
    for (int i = 0; i < M; i++)
        check_alone(&f, i);
}
TEST(attention_forward_depends_on_no_other_row) { for_each(check_neighbors); }

/* Bad weights can make a state NaN: every mechanism must still write only its own row. */
static void check_not_a_number(const struct attention_ops *ops, int heads, bool coverage)
{
    struct fixture good, f;
    fixture_init(&good, ops, heads, coverage, 1);
    forward(&good);
    fixture_init(&f, ops, heads, coverage, 1);
    for (int t = 0; t < T; t++) {
        memset(f.query[t] + QUERY, 0xff, QUERY * sizeof(real));
        memset(f.state[t] + STATE, 0xff, STATE * sizeof(real));
    }
    forward(&f);
    for (int t = 0; t < T; t++)
        for (int i = 0; i < M * WEIGHT; i++)
            if (i / WEIGHT != 1)
                assert_memory_equal(&f.weight[t][i], &good.weight[t][i], sizeof(real));
}
TEST(attention_forward_keeps_nan_to_its_row) { for_each(check_not_a_number); }
