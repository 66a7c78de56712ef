/* A recurrent layer over lanes of sequences of different lengths, with every cell of the table. */
#include "nn/rnn.h"

#include "base/arena.h"
#include "base/rng.h"
#include "nn/gradcheck.h"
#include "test.h"

#include <math.h>
#include <string.h>

enum { X = 5, H = 7, SLOTS = 6, STATES = 2, N = 13, B = 6, LANES = 4, TEAM = 4 };

/* Lane 0 has lengths 3 1, lane 1 is empty, lane 2 has 4 2 2, lane 3 has 1. */
static const struct steps STEPS[LANES] = {
    {.count = 3, .first = 0, .active = (const int[]){2, 1, 1}, .start = (const int[]){0, 2, 3}},
    {.count = 0, .first = 2},
    {.count = 4,
     .first = 2,
     .active = (const int[]){3, 3, 1, 1},
     .start = (const int[]){4, 7, 10, 11}},
    {.count = 1, .first = 5, .active = (const int[]){1}, .start = (const int[]){12}},
};

/* Sentence and position of each row; sentences are in arbitrary order. */
static const int PLACE[2 * N] = {
    3, 0, 1, 0, 3, 1, 3, 2,                   /* lane 0 */
    0, 0, 7, 0, 2, 0, 0, 1, 7, 1, 2, 1, 0, 2, /* lane 2 */
    0, 3, 5, 0,                               /* lanes 2 and 3 */
};
static const struct dropout THIRD = {.rate = 0.3, .key = 99};

struct variant {
    const struct cell_ops *cell;
    bool reverse, normalize, drop;
    bool inference; /* a tape without gradients */
};

struct fixture {
    struct variant v;
    struct rnn layer;
    struct rnn_tape tape;
    struct param_set set;
    struct arena arena;
    int W;
    bool training, add;
    struct rnn_mask mask;
    real values[2000], grads[2000];
    real x[N * X], d_x[N * X];
    real ask[N * STATES * H]; /* dL/dstate */
};

static void bind(struct fixture *f, struct arena *arena)
{
    rnn_bind(&f->layer, arena, f->v.inference ? PACKING_RUN : PACKING_TRAIN);
    rnn_tape_bind(&f->tape, arena, &f->layer, N, B, TEAM, !f->v.inference);
}

static void fill_random(real *x, size_t n, uint64_t key)
{
    for (size_t i = 0; i < n; i++)
        x[i] = (real)(2 * rng_uniform(key, i) - 1);
}

static void fixture_init(struct fixture *f, struct variant v)
{
    struct arena count = {0};
    *f = (struct fixture){.v = v, .training = !v.inference, .W = v.cell->states * H};
    f->mask = (struct rnn_mask){.dropout = &THIRD, .site = DROPOUT_FORWARD_STATE, .place = PLACE};
    rnn_declare(&f->layer, &f->set, "encoder.forward", v.cell, X, H, v.normalize);
    assert_true(f->set.size <= 2000 && v.cell->slots <= SLOTS && v.cell->states <= STATES);
    param_bind(&f->set, f->values, f->grads);
    assert_int_equal(param_initialize(&f->set, 1, NULL), ATTEND_OK);
    fill_random(f->layer.bias.value, (size_t)v.cell->slots * H, 2);
    if (v.normalize)
        fill_random(f->layer.norm.gain.value, (size_t)v.cell->slots * H, 5);
    fill_random(f->x, N * X, 3);
    fill_random(f->ask, N * STATES * H, 4);
    bind(f, &count);
    assert_int_equal(arena_reserve(&f->arena, count.used, NULL), ATTEND_OK);
    memset(f->arena.block, 0xff, f->arena.size); /* NaN: everything that is read must have been
                                                  * written */
    bind(f, &f->arena);
}

static void fixture_release(struct fixture *f) { arena_release(&f->arena); }

/* ---- Running it ---- */

static const struct rnn_mask *mask_of(const struct fixture *f)
{
    return f->v.drop ? &f->mask : NULL;
}

static void run_backward(struct fixture *f, struct compute *c)
{
    struct worker *w = c->worker;
    if (w->index == 0)
        memcpy(f->tape.d_state, f->ask, (size_t)(N * f->W) * sizeof(real));
    worker_meet(w);
    for (int lane = w->index; lane < LANES; lane += w->count)
        rnn_backward(&f->layer, &f->tape, c, &STEPS[lane], f->v.reverse, mask_of(f));
    worker_meet(w);
    rnn_end(&f->layer, &f->tape, c, view_of(f->x, N, X), view_of(f->d_x, N, X), f->add);
}

static void run_worker(struct worker *w, void *job)
{
    struct fixture *f = job;
    struct compute c = {.worker = w};
    struct arena arena = {0}, count = {0};
    gemm_scratch_bind(&c.gemm, &count);
    (void)arena_reserve(&arena, count.used, NULL);
    gemm_scratch_bind(&c.gemm, &arena);
    rnn_pack(&f->layer, &c, !f->v.inference);
    worker_meet(w);
    rnn_input(&f->layer, &f->tape, &c, view_of(f->x, N, X));
    worker_meet(w);
    for (int lane = w->index; lane < LANES; lane += w->count)
        rnn_forward(&f->layer, &f->tape, &c, &STEPS[lane], f->v.reverse, mask_of(f));
    if (f->training)
        run_backward(f, &c);
    arena_release(&arena);
}

static void run(struct fixture *f, int threads)
{
    struct team *team;
    assert_int_equal(team_new(&team, threads, NULL), ATTEND_OK);
    team_run(team, run_worker, f);
    team_free(team);
}

static double weighted_sum(void *context)
{
    struct fixture *f = context;
    struct worker alone = worker_alone();
    run_worker(&alone, f);
    double sum = 0;
    for (int i = 0; i < N * f->W; i++)
        sum += (double)f->ask[i] * (double)f->tape.state[i];
    return sum;
}

/* Every cell, in both directions, with and without normalization, with and without a mask. */
static void each_variant(void (*check)(struct fixture *))
{
    for (int i = 0; cells[i]; i++)
        for (int bits = 0; bits < 8; bits++) {
            struct fixture f;
            fixture_init(&f, (struct variant){.cell = cells[i],
                                              .reverse = bits & 1,
                                              .normalize = bits & 2,
                                              .drop = bits & 4});
            check(&f);
            fixture_release(&f);
        }
}

/* ---- Forward ---- */

static void plain_norm(const struct rnn *l, int slot, real *frame)
{
    double mean = 0, variance = 0;
    real *x = frame + slot * H;
    for (int h = 0; h < H; h++)
        mean += (double)x[h] / H;
    for (int h = 0; h < H; h++)
        variance += pow((double)x[h] - mean, 2) / H;
    for (int h = 0; h < H; h++) {
        const double normal = ((double)x[h] - mean) / sqrt(variance + 1e-5);
        x[h] = (real)(normal * (double)l->norm.gain.value[slot * H + h] +
                      (double)l->bias.value[slot * H + h]);
    }
}

/* One step of one sequence in plain loops; replaces s by the next state. mask: (H). */
static void plain_step(const struct fixture *f, const real *x, const real *mask, real *s)
{
    const struct rnn *l = &f->layer;
    const struct cell_ops *cell = l->cell;
    real frame[SLOTS * H] = {0}, next[STATES * H];
    if (!f->v.normalize)
        memcpy(frame, l->bias.value, (size_t)(cell->slots * H) * sizeof(real));
    for (int j = 0; j < l->W_input.cols; j++)
        for (int i = 0; i < X; i++)
            frame[j] += x[i] * l->W_input.value[i * l->W_input.cols + j];
    for (int j = 0; j < l->U_state.cols; j++)
        for (int i = 0; i < H; i++)
            frame[cell->state_from * H + j] +=
                s[i] * mask[i] * l->U_state.value[i * l->U_state.cols + j];
    for (int slot = 0; f->v.normalize && slot < cell->slots; slot++)
        plain_norm(l, slot, frame);
    cell->forward(view_of(frame, 1, cell->slots * H), view_of(s, 1, f->W), view_of(next, 1, f->W));
    memcpy(s, next, (size_t)f->W * sizeof *s);
}

static void check_sequence(const struct fixture *f, const struct steps *steps, int b)
{
    int length = 0;
    real s[STATES * H] = {0}, mask[H];
    for (int h = 0; h < H; h++)
        mask[h] = 1;
    if (f->v.drop)
        dropout_sentences(&THIRD, f->mask.site, view_of(mask, 1, H),
                          PLACE + 2 * (steps->start[0] + b), 0, 1);
    while (length < steps->count && steps->active[length] > b)
        length++;
    for (int i = 0; i < length; i++) {
        const int row = steps->start[f->v.reverse ? length - 1 - i : i] + b;
        plain_step(f, f->x + row * X, mask, s);
        for (int h = 0; h < f->W; h++)
            assert_near((double)f->tape.state[row * f->W + h], (double)s[h],
                        sizeof(real) == sizeof(double) ? 1e-12 : 2e-5);
    }
}

static void check_forward(struct fixture *f)
{
    f->training = false;
    run(f, 1);
    for (int lane = 0; lane < LANES; lane++)
        for (int b = 0; STEPS[lane].count && b < STEPS[lane].active[0]; b++)
            check_sequence(f, &STEPS[lane], b);
}

TEST(rnn_forward_is_each_sequence_by_itself) { each_variant(check_forward); }

TEST(rnn_declares_its_parameters)
{
    struct fixture f;
    fixture_init(&f, (struct variant){.cell = &cell_gru});
    assert_int_equal(f.set.count, 3);
    assert_string_equal(f.layer.W_input.path, "encoder.forward.W_input");
    assert_string_equal(f.layer.U_state.path, "encoder.forward.U_state");
    assert_string_equal(f.layer.bias.path, "encoder.forward.bias");
    assert_true(f.layer.W_input.rows == X && f.layer.W_input.cols == 3 * H);
    assert_true(f.layer.U_state.rows == H && f.layer.U_state.cols == 3 * H);
    assert_int_equal(f.layer.bias.cols, 4 * H);
    fixture_release(&f);
}

TEST(rnn_declares_a_gain_when_it_normalizes)
{
    struct fixture f;
    fixture_init(&f, (struct variant){.cell = &cell_lstm, .normalize = true});
    assert_int_equal(f.set.count, 4);
    assert_string_equal(f.layer.norm.gain.path, "encoder.forward.norm.gain");
    assert_int_equal(f.layer.norm.gain.cols, 4 * H);
    fixture_release(&f);
}

TEST(rnn_starts_the_bias_of_the_forget_gate_at_one)
{
    for (int i = 0; cells[i]; i++) {
        struct fixture f;
        fixture_init(&f, (struct variant){.cell = cells[i]});
        assert_int_equal(param_initialize(&f.set, 1, NULL), ATTEND_OK);
        for (int j = 0; j < f.layer.bias.cols; j++)
            assert_true(f.layer.bias.value[j] == (real)(j / H == cells[i]->forget_slot));
        fixture_release(&f);
    }
}

/* A tape without gradients gives the same states. */
static void check_inference(struct fixture *f)
{
    if (f->v.drop)
        return;
    struct variant v = f->v;
    struct fixture plain;
    v.inference = true;
    fixture_init(&plain, v);
    run(&plain, 2);
    run(f, 2);
    assert_null(plain.tape.d_state);
    assert_memory_equal(plain.tape.state, f->tape.state, (size_t)(N * f->W) * sizeof(real));
    fixture_release(&plain);
}

TEST(rnn_in_inference_gives_the_states_of_training) { each_variant(check_inference); }

static void check_rate_zero(struct fixture *f)
{
    static const struct dropout none = {.rate = 0, .key = 99};
    if (!f->v.drop)
        return;
    struct variant v = f->v;
    struct fixture without;
    v.drop = false;
    fixture_init(&without, v);
    run(&without, 1);
    run(f, 1); /* leaves masked rows behind */
    memset(f->grads, 0, sizeof f->grads);
    f->mask.dropout = &none;
    run(f, 1);
    assert_memory_equal(f->tape.state, without.tape.state, (size_t)(N * f->W) * sizeof(real));
    assert_memory_equal(f->grads, without.grads, f->set.size * sizeof(real));
    fixture_release(&without);
}

TEST(rnn_mask_of_rate_zero_is_no_mask) { each_variant(check_rate_zero); }

/* ---- Backward ---- */

static void check_gradient(struct fixture *f)
{
    run(f, 3);
    f->training = false;
    for (int i = 0; i < f->set.count; i++) {
        struct param *p = f->set.item[i];
        const struct gradcheck_result r =
            gradcheck(weighted_sum, f, p->value, p->grad, (size_t)p->rows * (size_t)p->cols);
        if (!(r.worst <= 1e-6))
            fail_msg("%s[%zu]: analytic %.9g numeric %.9g", p->path, r.at, r.analytic, r.numeric);
    }
    assert_true(gradcheck(weighted_sum, f, f->x, f->d_x, N * X).worst <= 1e-6);
}

TEST(rnn_gradients_match_finite_differences)
{
    if (sizeof(real) < sizeof(double))
        skip();
    each_variant(check_gradient);
}

static void check_adding(struct fixture *f)
{
    struct fixture once;
    fixture_init(&once, f->v);
    run(&once, 1);
    for (size_t i = 0; i < f->set.size; i++)
        f->grads[i] = 2;
    for (int i = 0; i < N * X; i++)
        f->d_x[i] = 3;
    f->add = true;
    run(f, 1);
    for (size_t i = 0; i < f->set.size; i++)
        assert_near((double)f->grads[i], 2 + (double)once.grads[i], 1e-6);
    for (int i = 0; i < N * X; i++)
        assert_near((double)f->d_x[i], 3 + (double)once.d_x[i], 1e-6);
    f->add = false;
    run(f, 1);
    assert_memory_equal(f->d_x, once.d_x, sizeof f->d_x);
    fixture_release(&once);
}

TEST(rnn_end_adds_gradients_and_overwrites_d_x_unless_asked) { each_variant(check_adding); }

/* Lanes run at the same time, so each needs its own rows of scratch memory too. */
static void check_work_space(struct fixture *f)
{
    run(f, 1);
    for (int i = 0; i < B * f->W; i++)
        assert_true(isfinite(f->tape.d_previous[i])); /* it was NaN */
    static const bool steps_twice[B] = {true, false, true, true, true, false};
    for (int i = 0; f->v.drop && i < B * H; i++)
        assert_true(isfinite(f->tape.d_masked[i]) == steps_twice[i / H]);
}

TEST(rnn_backward_gives_each_sequence_its_work_space) { each_variant(check_work_space); }

static void check_shares(struct fixture *f)
{
    if (!f->v.normalize)
        return;
    run(f, TEAM); /* one thread per lane */
    for (int lane = 0; lane < LANES; lane++) {
        const int F = f->v.cell->slots * H;
        double size = 0;
        for (int i = lane * F; i < (lane + 1) * F; i++)
            size += fabs((double)f->tape.d_gain[i]) + fabs((double)f->tape.d_bias[i]);
        assert_true((size > 0) == (STEPS[lane].count > 0));
    }
}

TEST(rnn_backward_gives_each_thread_its_share_of_the_norm) { each_variant(check_shares); }

/* Bit-identical, except where each thread first sums its own share. */
static void assert_same_gradients(const struct fixture *a, const struct fixture *b)
{
    for (size_t i = 0; i < b->set.size; i++)
        if (b->v.normalize)
            assert_near((double)a->grads[i], (double)b->grads[i], 1e-5);
        else
            assert_true(a->grads[i] == b->grads[i]);
}

static void check_teams(struct fixture *f)
{
    run(f, 1);
    for (int threads = 2; threads <= 4; threads++) {
        struct fixture many;
        fixture_init(&many, f->v);
        run(&many, threads);
        assert_memory_equal(many.tape.state, f->tape.state, (size_t)(N * f->W) * sizeof(real));
        assert_same_gradients(&many, f);
        assert_memory_equal(many.d_x, f->d_x, sizeof f->d_x);
        fixture_release(&many);
    }
}

TEST(rnn_does_not_depend_on_the_number_of_threads) { each_variant(check_teams); }
