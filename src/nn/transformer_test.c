/* A transformer layer: its formula in plain loops, its gradient, and the invariants of batching. */
#include "nn/transformer.h"

#include "base/arena.h"
#include "nn/gradcheck.h"
#include "tensor/simd.h"
#include "test.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Three sentences, one longer than a block. Sizes are small, odd and different where they may be. */
enum { H = 6, F = 11, HEADS = 2, B = 3, S = SELF_ATTENTION_BLOCK + 7, N = 5 + 1 + S, TEAM = 3 };
static const int length[B] = {5, 1, S}, start[B] = {0, 5, 6}, item[B] = {4, 9, 2};

struct fixture {
    struct transformer layer;
    struct param_set set;
    struct transformer_tape tape;
    struct transformer_work work;
    struct arena packed, arena;
    struct gemm_scratch scratch[TEAM];
    struct team *team;
    struct dropout dropout;
    struct transformer_rows rows;
    int place[2 * N];
    real *values, *grads;
    real in[N * H], x[N * H], ask[N * H], d[N * H]; /* input, output, d_y, d_x */
    bool backward;
};

static void bind(struct fixture *f, struct arena *arena, int threads)
{
    transformer_tape_bind(&f->tape, arena, &f->layer, N, threads, true);
    transformer_work_bind(&f->work, arena, &f->layer, N, S, threads, true);
    for (int i = 0; i < TEAM; i++)
        gemm_scratch_bind(&f->scratch[i], arena);
}

static void reserve(struct fixture *f, int threads)
{
    struct arena count = {0};
    transformer_bind(&f->layer, &count, PACKING_TRAIN);
    assert_int_equal(arena_reserve(&f->packed, count.used, NULL), ATTEND_OK);
    transformer_bind(&f->layer, &f->packed, PACKING_TRAIN);
    count = (struct arena){0};
    bind(f, &count, threads);
    assert_int_equal(arena_reserve(&f->arena, count.used, NULL), ATTEND_OK);
    /* NaN everywhere, so that reading before writing is noticed */
    memset(f->arena.block, 0xff, f->arena.size);
    bind(f, &f->arena, threads);
}

static void fixture_init(struct fixture *f, const struct activation_ops *activation, int threads,
                         double rate)
{
    *f = (struct fixture){.dropout = {.rate = rate, .key = 5}, .backward = true};
    transformer_declare(&f->layer, &f->set, "layer", H, F, HEADS, activation);
    f->values = calloc(f->set.size, sizeof(real));
    f->grads = calloc(f->set.size, sizeof(real));
    param_bind(&f->set, f->values, f->grads);
    assert_int_equal(param_initialize(&f->set, 3, NULL), ATTEND_OK);
    for (size_t i = 0; i < f->set.size; i++)
        f->values[i] += (real)(0.3 * sin(1.9 * (double)i)); /* biases too */
    for (int i = 0; i < N * H; i++) {
        f->in[i] = (real)sin(0.7 * i + 0.01 * i * i);
        f->ask[i] = (real)cos(1.3 * i);
    }
    for (int b = 0; b < B; b++)
        for (int j = 0; j < length[b]; j++) {
            f->place[2 * (start[b] + j)] = item[b];
            f->place[2 * (start[b] + j) + 1] = j;
        }
    f->rows = (struct transformer_rows){N, B, S, start, length, item, f->place, &f->dropout, 1};
    assert_int_equal(team_new(&f->team, threads, NULL), ATTEND_OK);
    reserve(f, threads);
}

static void fixture_release(struct fixture *f)
{
    team_free(f->team);
    arena_release(&f->arena);
    arena_release(&f->packed);
    free(f->values);
    free(f->grads);
}

static void work(struct worker *w, void *argument)
{
    struct fixture *f = argument;
    struct compute c = {.worker = w, .gemm = f->scratch[w->index]};
    transformer_pack(&f->layer, &c);
    worker_meet(w);
    transformer_forward(&f->layer, &f->tape, &f->work, &c, &f->rows, view_of(f->x, f->rows.N, H));
    worker_meet(w);
    if (f->backward)
        transformer_backward(&f->layer, &f->tape, &f->work, &c, &f->rows, view_of(f->d, N, H));
}

/* The sum of y d_y, whose gradient the layer gives. */
static double loss(void *argument)
{
    struct fixture *f = argument;
    double sum = 0;
    memcpy(f->x, f->in, sizeof f->x);
    memcpy(f->d, f->ask, sizeof f->d);
    memset(f->grads, 0, f->set.size * sizeof(real));
    team_run(f->team, work, f);
    for (int i = 0; i < N * H; i++)
        sum += (double)f->x[i] * (double)f->ask[i];
    return sum;
}

/* ---- The formula ---- */

static void plain_norm(const struct row_norm *l, const double *x, double *y)
{
    double mean = 0, variance = 0;
    for (int h = 0; h < H; h++)
        mean += x[h] / H;
    for (int h = 0; h < H; h++)
        variance += (x[h] - mean) * (x[h] - mean) / H;
    for (int h = 0; h < H; h++)
        y[h] = (double)l->norm.gain.value[h] * (x[h] - mean) / sqrt(variance + 1e-5) +
               (double)l->bias.value[h];
}

static void plain_product(const struct param *W, const struct param *b, const double *x, double *y)
{
    for (int j = 0; j < W->cols; j++) {
        y[j] = (double)b->value[j];
        for (int i = 0; i < W->rows; i++)
            y[j] += x[i] * (double)W->value[i * W->cols + j];
    }
}

/* Word i of a sentence of n words, with q, k and v, looks at all of them. */
static void plain_self(double (*qkv)[3 * H], int n, int i, double *y)
{
    enum { D = H / HEADS };
    for (int g = 0; g < HEADS; g++) {
        double e[S], sum = 0;
        for (int j = 0; j < n; j++) {
            e[j] = 0;
            for (int k = g * D; k < (g + 1) * D; k++)
                e[j] += qkv[i][k] * qkv[j][H + k] / sqrt(D);
            sum += e[j] = exp(e[j]);
        }
        for (int k = g * D; k < (g + 1) * D; k++) {
            y[k] = 0;
            for (int j = 0; j < n; j++)
                y[k] += e[j] / sum * qkv[j][2 * H + k];
        }
    }
}

static double plain_activation(const struct transformer *l, double x)
{
    if (l->activation == &activation_relu)
        return fmax(x, 0);
    return x / 2 * (1 + tanh(sqrt(2 / acos(-1)) * (x + 0.044715 * x * x * x)));
}

static void plain_sentence(const struct transformer *l, double (*x)[H], int n)
{
    double y[H], added[H], up[F], qkv[S][3 * H];
    for (int i = 0; i < n; i++) {
        plain_norm(&l->norm_self, x[i], y);
        plain_product(&l->W_qkv, &l->b_qkv, y, qkv[i]);
    }
    for (int i = 0; i < n; i++) {
        plain_self(qkv, n, i, y);
        plain_product(&l->W_out, &l->b_out, y, added);
        for (int h = 0; h < H; h++)
            x[i][h] += added[h];
        plain_norm(&l->norm_ff, x[i], y);
        plain_product(&l->W_up, &l->b_up, y, up);
        for (int k = 0; k < F; k++)
            up[k] = plain_activation(l, up[k]);
        plain_product(&l->W_down, &l->b_down, up, added);
        for (int h = 0; h < H; h++)
            x[i][h] += added[h];
    }
}

TEST(transformer_is_its_formula)
{
    for (const struct activation_ops *const *a = activations; *a; a++) {
        struct fixture f;
        double x[S][H];
        fixture_init(&f, *a, 1, 0);
        loss(&f);
        for (int b = 0; b < B; b++) {
            for (int i = 0; i < length[b] * H; i++)
                x[i / H][i % H] = (double)f.in[start[b] * H + i];
            plain_sentence(&f.layer, x, length[b]);
            for (int i = 0; i < length[b] * H; i++)
                assert_near((double)f.x[start[b] * H + i], x[i / H][i % H], 1e-5);
        }
        fixture_release(&f);
    }
}

/* ---- Gradients ---- */

/* Numbers [from, to) of n; at most some, which is enough to notice a wrong formula. */
static void check(struct fixture *f, const char *what, real *x, const real *d, int from, int to)
{
    enum { MOST = 13 };
    from = to - from > MOST ? (from + to - MOST) / 2 : from;
    to = to - from > MOST ? from + MOST : to;
    const struct gradcheck_result r = gradcheck(loss, f, x + from, d + from, (size_t)(to - from));
    if (!(r.worst <= 1e-6))
        print_error("%s[%zu]: analytic %.9g numeric %.9g\n", what, r.at, r.analytic, r.numeric);
    assert_true(r.worst <= 1e-6);
}

TEST(transformer_gradient)
{
    if (sizeof(real) < sizeof(double))
        skip();
    for (const struct activation_ops *const *a = activations; *a; a++)
        for (int threads = 1; threads <= 2; threads++) {
            struct fixture f;
            real d[N * H], *grads = NULL;
            fixture_init(&f, *a, threads, threads > 1 ? 0.3 : 0);
            loss(&f);
            memcpy(d, f.d, sizeof d);
            grads = malloc(f.set.size * sizeof *grads);
            memcpy(grads, f.grads, f.set.size * sizeof *grads);
            f.backward = false;
            for (int b = 0; b < B; b++)
                check(&f, "x", f.in, d, start[b] * H, (start[b] + length[b]) * H);
            check(&f, "end of x", f.in, d, (N - 1) * H, N * H);
            for (int i = 0, at = 0; i < f.set.count; i++) {
                const struct param *p = f.set.item[i];
                check(&f, p->path, p->value, grads + at, 0, p->rows * p->cols);
                at += p->rows * p->cols;
            }
            free(grads);
            fixture_release(&f);
        }
}

/* ---- Invariants ---- */

TEST(transformer_forward_is_the_same_on_every_team)
{
    struct fixture one;
    fixture_init(&one, &activation_relu, 1, 0.2);
    loss(&one);
    for (int threads = 2; threads <= TEAM; threads++) {
        struct fixture f;
        fixture_init(&f, &activation_relu, threads, 0.2);
        loss(&f);
        assert_memory_equal(f.x, one.x, sizeof f.x);
        assert_memory_equal(f.d, one.d, sizeof f.d);
        fixture_release(&f);
    }
    fixture_release(&one);
}

/* A sentence alone has the same result, to the last bit. */
TEST(transformer_of_a_batch_equals_its_sentences)
{
    struct fixture all;
    fixture_init(&all, &activation_gelu, 2, 0.2);
    loss(&all);
    for (int b = 0; b < B; b++) {
        struct fixture f;
        const int first = 0;
        fixture_init(&f, &activation_gelu, 2, 0.2);
        memmove(f.in, f.in + start[b] * H, (size_t)(length[b] * H) * sizeof(real));
        f.rows = (struct transformer_rows){.N = length[b],
                                           .B = 1,
                                           .S = length[b],
                                           .start = &first,
                                           .length = &length[b],
                                           .item = &item[b],
                                           .place = all.place + 2 * start[b],
                                           .dropout = &f.dropout,
                                           .layer = 1};
        f.backward = false;
        memcpy(f.x, f.in, sizeof f.x);
        team_run(f.team, work, &f);
        assert_memory_equal(f.x, all.x + start[b] * H, (size_t)(length[b] * H) * sizeof(real));
        fixture_release(&f);
    }
    fixture_release(&all);
}

TEST(transformer_levels_agree)
{
    real x[2][N * H], d[2][N * H];
    for (int level = 0; level <= 1; level++) {
        struct fixture f;
        simd_cap(level);
        fixture_init(&f, &activation_gelu, 2, 0.2);
        loss(&f);
        memcpy(x[level], f.x, sizeof f.x);
        memcpy(d[level], f.d, sizeof f.d);
        fixture_release(&f);
        simd_cap(1);
    }
    for (int i = 0; i < N * H; i++) {
        assert_near((double)x[0][i], (double)x[1][i], 2e-5);
        assert_near((double)d[0][i], (double)d[1][i], 2e-5);
    }
}

/* ---- The weights that a picture shows ---- */

TEST(transformer_weights_are_those_of_the_layer)
{
    struct fixture f;
    real A[S * S];
    fixture_init(&f, &activation_relu, 1, 0.2);
    loss(&f);
    struct worker alone = worker_alone();
    struct compute c = {.worker = &alone, .gemm = f.scratch[0]};
    const struct self_attention attention = transformer_attention(&f.layer, &f.tape, &f.rows);
    for (int g = 0; g < HEADS; g++) {
        self_attention_weights(&attention, &c, 2, g, view_of(A, S, S));
        for (int i = 0; i < S; i++) {
            double sum = 0;
            for (int j = 0; j < S; j++)
                sum += (double)A[i * S + j];
            assert_near(sum, 1, 1e-5);
        }
    }
    /* The only word of a sentence looks at itself. */
    self_attention_weights(&attention, &c, 1, 1, view_of(A, 1, 1));
    assert_near((double)A[0], 1, 1e-6);
    fixture_release(&f);
}
