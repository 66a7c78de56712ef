/* Steps of a mechanism on sentences of several lengths, with room for gradients, for tests of
 * attention. */
#ifndef ATTEND_TESTS_ATTENTION_FIXTURE_H
#define ATTEND_TESTS_ATTENTION_FIXTURE_H

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
enum { FILTERS = 2, REACH = 2 };
enum {
    STATE = H + 2,
    QUERY = A + 3,
    KEY = A + 4,
    WEIGHT = 3 * S + 2,
    CARRY = S + 1,
    EXTRA = 4 * A
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
static inline void fill_random(real *x, int rows, int cols, int stride, uint64_t key, double scale)
{
    memset(x, 0xff, (size_t)(rows * stride) * sizeof *x);
    for (int i = 0; i < rows; i++)
        for (int j = 0; j < cols; j++)
            x[i * stride + j] =
                (real)(scale * (2 * rng_uniform(key, (uint64_t)(i * cols + j)) - 1));
}

static inline void draw_inputs(struct fixture *f, double scale)
{
    for (uint64_t t = 0; t < T; t++) {
        fill_random(f->state[t], M, H, STATE, 10 + t, scale);
        fill_random(f->query[t], M, f->layer.Q, QUERY, 20 + t, scale);
        fill_random(f->ask[t], M, f->layer.dims.heads * f->S, WEIGHT, 30 + t, 1);
    }
    fill_random(f->key, N, f->layer.D, KEY, 40, scale);
    fill_random(f->carries[0], M, f->carry, CARRY, 41, 0.5);
    fill_random(f->ask_carry, M, f->carry, CARRY, 42, 1);
}

static inline void fixture_init(struct fixture *f, const struct attention_ops *ops, int heads,
                                bool coverage, double scale)
{
    const struct attention_dims dims = {.H = H,
                                        .C = C,
                                        .A = A,
                                        .heads = heads,
                                        .coverage = coverage,
                                        .positions = POSITIONS,
                                        .span = SPAN,
                                        .gaussians = K,
                                        .filters = FILTERS,
                                        .reach = REACH};
    memset(f, 0, sizeof *f);
    f->sentence = SENTENCE;
    f->rows = M;
    f->S = S;
    attention_declare(&f->layer, &f->set, "decoder.attention", ops, &dims);
    f->carry = attention_carry_width(&f->layer, S);
    assert_true(f->set.size <= 1000 && attention_extra_size(&f->layer) <= EXTRA);
    param_bind(&f->set, f->values, f->grads);
    assert_int_equal(param_initialize(&f->set, 1, NULL), ATTEND_OK);
    draw_inputs(f, scale);
}

static inline struct attention_rows rows_at(struct fixture *f, int t)
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

static inline int sentence_of(const struct fixture *f, int i)
{
    return f->sentence ? f->sentence[i] : f->first + i;
}

/* Work space comes as it is: NaN. */
static inline void forward(struct fixture *f)
{
    memset(f->weight, 0xff, sizeof f->weight);
    memset(f->carries[1], 0xff, sizeof f->carries - sizeof f->carries[0]);
    for (int t = 0; t < T; t++) {
        const struct attention_rows rows = rows_at(f, t);
        f->layer.ops->forward(&f->layer, &rows);
    }
}

static inline double weighted_row(const struct fixture *f, int t, int i)
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
static inline double loss(void *context)
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

static inline struct attention_gradient gradient_at(struct fixture *f, int t)
{
    const int rows = f->rows, first = f->layer.extra[0].cols, second = f->layer.extra[1].cols;
    return (struct attention_gradient){
        .d_weight = view_strided(f->d_weight[t], rows, f->layer.dims.heads * f->S, WEIGHT),
        .d_query = view_strided(f->d_query[t], rows, f->layer.Q, QUERY),
        .d_state = view_strided(f->d_state[t], rows, H, STATE),
        .d_key = view_strided(f->d_key, N, f->layer.D, KEY),
        .d_carry_out = view_strided(f->d_carries[t + 1], rows, f->carry, CARRY),
        .d_carry_in = view_strided(f->d_carries[t], rows, f->carry, CARRY),
        .d_extra = {f->d_extra, f->d_extra + first, f->d_extra + first + second}};
}

static inline void fill(real *x, int rows, int cols, int stride, real value)
{
    memset(x, 0xff, (size_t)(rows * stride) * sizeof *x);
    for (int i = 0; i < rows * stride; i++)
        if (i % stride < cols)
            x[i] = value;
}

/* What is overwritten starts as NaN, and so does d_weight past a sentence's end, which nobody may
 * read; what is added to starts as `value`. */
static inline void clear_gradients(struct fixture *f, real value)
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

static inline void backward(struct fixture *f, real value)
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

static inline void for_each(check_fn *check)
{
    for (const struct attention_ops *const *ops = attentions; *ops; ops++)
        for (int heads = 1; heads <= ((*ops)->heads ? 3 : 1); heads++)
            for (int coverage = 0; coverage <= (*ops)->coverage; coverage++)
                check(*ops, heads, coverage);
}

#endif
