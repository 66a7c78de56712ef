/* A recurrent layer over lanes of sequences of different lengths, with every cell of the table. */
#include "nn/rnn.h"

#include "base/arena.h"
#include "base/rng.h"
#include "nn/gradcheck.h"
#include "test.h"

#include <math.h>
#include <string.h>

enum { X = 5, H = 7, SLOTS = 6, N = 13, B = 6, LANES = 4 };

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

struct fixture {
    struct rnn layer;
    struct rnn_tape tape;
    struct param_set set;
    struct arena arena;
    bool reverse, training, add;
    real values[2000], grads[2000];
    real x[N * X], d_x[N * X];
    real ask[N * H]; /* dL/dstate */
};

static void bind(struct fixture *f, struct arena *arena)
{
    rnn_bind(&f->layer, arena, true);
    rnn_tape_bind(&f->tape, arena, &f->layer, N, B, true);
}

static void draw(real *x, size_t n, uint64_t key)
{
    for (size_t i = 0; i < n; i++)
        x[i] = (real)(2 * rng_uniform(key, i) - 1);
}

static void fixture_init(struct fixture *f, const struct cell_ops *cell, bool reverse)
{
    struct arena count = {0};
    *f = (struct fixture){.reverse = reverse, .training = true};
    rnn_declare(&f->layer, &f->set, "encoder.forward", cell, X, H);
    assert_true(f->set.size <= 2000 && cell->slots <= SLOTS);
    param_bind(&f->set, f->values, f->grads);
    assert_int_equal(param_initialise(&f->set, 1, NULL), ATTEND_OK);
    draw(f->layer.bias.value, (size_t)cell->slots * H, 2);
    draw(f->x, N * X, 3);
    draw(f->ask, N * H, 4);
    bind(f, &count);
    assert_int_equal(arena_reserve(&f->arena, count.used, NULL), ATTEND_OK);
    memset(f->arena.block, 0xff, f->arena.size); /* NaN: whatever is read must have been written */
    bind(f, &f->arena);
}

static void fixture_release(struct fixture *f) { arena_release(&f->arena); }

/* ---- Running it ---- */

static void run_backward(struct fixture *f, struct compute *c)
{
    struct worker *w = c->worker;
    if (w->index == 0)
        memcpy(f->tape.d_state, f->ask, sizeof f->ask);
    worker_meet(w);
    for (int lane = w->index; lane < LANES; lane += w->count)
        rnn_backward(&f->layer, &f->tape, &c->gemm, &STEPS[lane], f->reverse);
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
    rnn_pack(&f->layer, &c, true);
    worker_meet(w);
    rnn_input(&f->layer, &f->tape, &c, view_of(f->x, N, X));
    worker_meet(w);
    for (int lane = w->index; lane < LANES; lane += w->count)
        rnn_forward(&f->layer, &f->tape, &c.gemm, &STEPS[lane], f->reverse);
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
    for (int i = 0; i < N * H; i++)
        sum += (double)f->ask[i] * (double)f->tape.state[i];
    return sum;
}

static void each_cell_and_direction(void (*check)(struct fixture *))
{
    for (int i = 0; cells[i]; i++)
        for (int reverse = 0; reverse < 2; reverse++) {
            struct fixture f;
            fixture_init(&f, cells[i], reverse);
            check(&f);
            fixture_release(&f);
        }
}

/* ---- Forward ---- */

/* One step of one sequence by plain loops; s becomes the next state. */
static void plain_step(const struct fixture *f, const real *x, real *s)
{
    const struct rnn *l = &f->layer;
    const struct cell_ops *cell = l->cell;
    real frame[SLOTS * H], next[H];
    memcpy(frame, l->bias.value, (size_t)(cell->slots * H) * sizeof(real));
    for (int j = 0; j < l->W_input.cols; j++)
        for (int i = 0; i < X; i++)
            frame[j] += x[i] * l->W_input.value[i * l->W_input.cols + j];
    for (int j = 0; j < l->U_state.cols; j++)
        for (int i = 0; i < H; i++)
            frame[cell->state_from * H + j] += s[i] * l->U_state.value[i * l->U_state.cols + j];
    cell->forward(view_of(frame, 1, cell->slots * H), view_of(s, 1, H), view_of(next, 1, H));
    memcpy(s, next, sizeof next);
}

static void check_sequence(const struct fixture *f, const struct steps *steps, int b)
{
    int length = 0;
    real s[H] = {0};
    while (length < steps->count && steps->active[length] > b)
        length++;
    for (int i = 0; i < length; i++) {
        const int row = steps->start[f->reverse ? length - 1 - i : i] + b;
        plain_step(f, f->x + row * X, s);
        for (int h = 0; h < H; h++)
            assert_near((double)f->tape.state[row * H + h], (double)s[h],
                        sizeof(real) == sizeof(double) ? 1e-13 : 1e-5);
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

TEST(rnn_forward_is_each_sequence_by_itself) { each_cell_and_direction(check_forward); }

TEST(rnn_declares_its_parameters)
{
    struct fixture f;
    fixture_init(&f, &cell_gru, false);
    assert_int_equal(f.set.count, 3);
    assert_string_equal(f.layer.W_input.path, "encoder.forward.W_input");
    assert_string_equal(f.layer.U_state.path, "encoder.forward.U_state");
    assert_string_equal(f.layer.bias.path, "encoder.forward.bias");
    assert_true(f.layer.W_input.rows == X && f.layer.W_input.cols == 3 * H);
    assert_true(f.layer.U_state.rows == H && f.layer.U_state.cols == 3 * H);
    assert_int_equal(f.layer.bias.cols, 4 * H);
    fixture_release(&f);
}

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
    each_cell_and_direction(check_gradient);
}

static void check_adding(struct fixture *f)
{
    struct fixture once;
    fixture_init(&once, f->layer.cell, f->reverse);
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

TEST(rnn_end_adds_gradients_and_overwrites_d_x_unless_asked)
{
    each_cell_and_direction(check_adding);
}

/* Lanes run at the same time, so that each needs its own rows of the work space too. */
static void check_work_space(struct fixture *f)
{
    run(f, 1);
    for (int i = 0; i < B * H; i++)
        assert_true(isfinite(f->tape.d_previous[i])); /* it was NaN */
}

TEST(rnn_backward_gives_each_sequence_its_work_space) { each_cell_and_direction(check_work_space); }

static void check_teams(struct fixture *f)
{
    run(f, 1);
    for (int threads = 2; threads <= 4; threads++) {
        struct fixture many;
        fixture_init(&many, f->layer.cell, f->reverse);
        run(&many, threads);
        assert_memory_equal(many.tape.state, f->tape.state, N * H * sizeof(real));
        assert_memory_equal(many.grads, f->grads, f->set.size * sizeof(real));
        assert_memory_equal(many.d_x, f->d_x, sizeof f->d_x);
        fixture_release(&many);
    }
}

TEST(rnn_does_not_depend_on_the_number_of_threads) { each_cell_and_direction(check_teams); }
