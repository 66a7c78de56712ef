#include "nn/rnn.h"

#include "base/arena.h"
#include "tensor/vec.h"

#include <math.h>
#include <string.h>

void rnn_declare(struct rnn *l, struct param_set *set, const char *path,
                 const struct cell_ops *cell, int X, int H)
{
    *l = (struct rnn){.cell = cell, .X = X, .H = H};
    param_declare(set, &l->W_input, path, "W_input", X, cell->input_slots * H);
    param_declare(set, &l->U_state, path, "U_state", H, cell->state_slots * H);
    param_declare(set, &l->bias, path, "bias", 1, cell->slots * H);
    param_start(&l->W_input, PARAM_NORMAL, 1 / sqrt(X));
    param_start(&l->U_state, PARAM_ORTHOGONAL, 1);
}

void rnn_bind(struct rnn *l, struct arena *arena, bool training)
{
    packed_bind(&l->input, arena, l->X, l->W_input.cols);
    packed_bind(&l->state, arena, l->H, l->U_state.cols);
    if (training)
        packed_bind(&l->state_back, arena, l->U_state.cols, l->H);
}

void rnn_pack(struct rnn *l, struct compute *c, bool training)
{
    linear_pack(c, &l->input, param_view(&l->W_input), 0, 0);
    linear_pack(c, &l->state, param_view(&l->U_state), 0, 0);
    if (training)
        linear_pack(c, &l->state_back, view_transposed(param_view(&l->U_state)), 0, 0);
}

static int frame_width(const struct rnn *l) { return l->cell->slots * l->H; }

void rnn_tape_bind(struct rnn_tape *tape, struct arena *arena, const struct rnn *l, int N, int B,
                   bool training)
{
    const size_t n = (size_t)N, h = (size_t)l->H;
    *tape = (struct rnn_tape){.N = N};
    tape->frame = arena_take(arena, sizeof(real), n * (size_t)frame_width(l));
    tape->previous = arena_take(arena, sizeof(real), n * h);
    tape->state = arena_take(arena, sizeof(real), n * h);
    if (!training)
        return;
    tape->d_state = arena_take(arena, sizeof(real), n * h);
    tape->d_previous = arena_take(arena, sizeof(real), (size_t)B * h);
}

static struct view frames(const struct rnn *l, const struct rnn_tape *tape)
{
    return view_of(tape->frame, tape->N, frame_width(l));
}

static struct view input_columns(const struct rnn *l, struct view frame)
{
    return view_cols(frame, 0, l->cell->input_slots * l->H);
}

static struct view state_columns(const struct rnn *l, struct view frame)
{
    return view_cols(frame, l->cell->state_from * l->H, l->cell->state_slots * l->H);
}

/* frame = b + x W_input */
void rnn_input(const struct rnn *l, struct rnn_tape *tape, struct compute *c, struct view x)
{
    linear_start(c, frames(l, tape), l->bias.value);
    worker_meet(c->worker);
    linear_forward(c, x, &l->input, input_columns(l, frames(l, tape)), true);
}

/* The step before t in reading order, and how many of t's sequences it holds: those are the first
 * ones. */
static int earlier_step(const struct steps *steps, int t, bool reverse, int *shared)
{
    const int before = reverse ? t + 1 : t - 1;
    const bool none = before < 0 || before == steps->count;
    *shared = none ? 0 : reverse ? steps->active[before] : steps->active[t];
    return before;
}

static void carry_state(const struct rnn_tape *tape, const struct steps *steps, int t, bool reverse,
                        int H)
{
    int shared;
    const int before = earlier_step(steps, t, reverse, &shared);
    const size_t h = (size_t)H, known = (size_t)shared * h;
    real *to = tape->previous + (size_t)steps->start[t] * h;
    if (shared)
        memcpy(to, tape->state + (size_t)steps->start[before] * h, known * sizeof *to);
    vec_zero(to + known, (size_t)steps->active[t] * h - known);
}

void rnn_forward(const struct rnn *l, struct rnn_tape *tape, struct gemm_scratch *scratch,
                 const struct steps *steps, bool reverse)
{
    for (int i = 0; i < steps->count; i++) {
        const int t = reverse ? steps->count - 1 - i : i;
        const int row = steps->start[t], M = steps->active[t];
        const struct view frame = view_rows(frames(l, tape), row, M);
        const struct view previous = view_rows(view_of(tape->previous, tape->N, l->H), row, M);
        carry_state(tape, steps, t, reverse, l->H);
        if (i > 0)
            gemm_packed(scratch, previous, &l->state, state_columns(l, frame), true);
        l->cell->forward(frame, previous, view_rows(view_of(tape->state, tape->N, l->H), row, M));
    }
}

void rnn_backward(const struct rnn *l, struct rnn_tape *tape, struct gemm_scratch *scratch,
                  const struct steps *steps, bool reverse)
{
    const size_t h = (size_t)l->H;
    for (int i = steps->count - 1; i >= 0; i--) {
        const int t = reverse ? steps->count - 1 - i : i;
        const int row = steps->start[t], M = steps->active[t];
        const struct view frame = view_rows(frames(l, tape), row, M);
        const struct view d_previous =
            view_of(tape->d_previous + (size_t)steps->first * h, M, l->H);
        vec_zero(d_previous.at, (size_t)M * h);
        /* s_t = cell(frame, s_{t-1}) */
        l->cell->backward(frame, view_rows(view_of(tape->previous, tape->N, l->H), row, M),
                          view_rows(view_of(tape->d_state, tape->N, l->H), row, M), d_previous);
        /* frame = ... + s_{t-1} U_state */
        int shared;
        const int before = earlier_step(steps, t, reverse, &shared);
        if (shared == 0)
            continue;
        gemm_packed(scratch, view_rows(state_columns(l, frame), 0, shared), &l->state_back,
                    view_rows(d_previous, 0, shared), true);
        vec_add(tape->d_state + (size_t)steps->start[before] * h, d_previous.at,
                (size_t)shared * h);
    }
}

void rnn_end(const struct rnn *l, struct rnn_tape *tape, struct compute *c, struct view x,
             struct view d_x, bool add)
{
    const struct view d_frame = frames(l, tape);
    linear_grad_weight(c, x, input_columns(l, d_frame), param_grad(&l->W_input));
    linear_grad_weight(c, view_of(tape->previous, tape->N, l->H), state_columns(l, d_frame),
                       param_grad(&l->U_state));
    linear_grad_bias(c, d_frame, l->bias.grad);
    linear_grad_input(c, input_columns(l, d_frame), param_view(&l->W_input), d_x, add);
}
