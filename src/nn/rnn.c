#include "nn/rnn.h"

#include "base/arena.h"
#include "base/bug.h"
#include "tensor/vec.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* ---- Parameters ---- */

static void declare_norm(struct rnn *l, struct param_set *set, const char *path)
{
    char inner[sizeof l->bias.path];
    const int length = snprintf(inner, sizeof inner, "%s.norm", path);
    BUG_ON(length < 0 || (size_t)length >= sizeof inner);
    layer_norm_declare(&l->norm, set, inner, l->cell->slots, l->H);
}

void rnn_declare(struct rnn *l, struct param_set *set, const char *path,
                 const struct cell_ops *cell, int X, int H, bool normalize)
{
    *l = (struct rnn){.cell = cell, .X = X, .H = H, .normalize = normalize};
    param_declare(set, &l->W_input, path, "W_input", X, cell->input_slots * H);
    param_declare(set, &l->U_state, path, "U_state", H, cell->state_slots * H);
    param_declare(set, &l->bias, path, "bias", 1, cell->slots * H);
    param_start(&l->W_input, PARAM_NORMAL, 1 / sqrt(X));
    param_start(&l->U_state, PARAM_ORTHOGONAL, 1);
    if (cell->forget_slot >= 0)
        param_ones(&l->bias, cell->forget_slot * H, H);
    if (normalize)
        declare_norm(l, set, path);
}

void rnn_bind(struct rnn *l, struct arena *arena, enum packing packing)
{
    linear_bind(&l->input, arena, l->X, l->W_input.cols, packing);
    linear_bind(&l->state, arena, l->H, l->U_state.cols, packing);
    if (packing == PACKING_TRAIN)
        packed_bind(&l->state_back, arena, l->U_state.cols, l->H);
}

void rnn_pack(struct rnn *l, struct compute *c, bool training)
{
    linear_pack_weights(c, &l->input, &l->W_input, 0);
    linear_pack_weights(c, &l->state, &l->U_state, 0);
    if (training)
        linear_pack(c, &l->state_back, view_transposed(param_view(&l->U_state)), 0, 0);
}

/* ---- The tape ---- */

static int frame_width(const struct rnn *l) { return l->cell->slots * l->H; }
static int state_width(const struct rnn *l) { return l->cell->states * l->H; }

static real *take(struct arena *arena, int rows, int cols)
{
    return arena_take(arena, sizeof(real), (size_t)rows * (size_t)cols);
}

static void bind_gradients(struct rnn_tape *tape, struct arena *arena, const struct rnn *l, int B)
{
    const int W = state_width(l), F = frame_width(l);
    tape->d_state = take(arena, tape->N, W);
    tape->masked = take(arena, tape->N, l->H);
    tape->d_previous = take(arena, B, W);
    tape->d_masked = take(arena, B, l->H);
    if (l->normalize) {
        tape->d_gain = take(arena, tape->team, F);
        tape->d_bias = take(arena, tape->team, F);
    }
}

void rnn_tape_bind(struct rnn_tape *tape, struct arena *arena, const struct rnn *l, int N, int B,
                   int team, bool training)
{
    const int W = state_width(l), F = frame_width(l);
    *tape = (struct rnn_tape){.N = N, .team = team};
    tape->frame = take(arena, N, F);
    tape->previous = take(arena, N, W);
    tape->state = take(arena, N, W);
    if (l->normalize) {
        tape->normal = take(arena, N, F);
        tape->scale = take(arena, N, l->cell->slots);
    }
    if (training)
        bind_gradients(tape, arena, l, B);
}

/* `count` rows of a slab with `cols` columns. */
static struct view rows_of(real *slab, int cols, int from, int count)
{
    return view_of(slab + (size_t)from * (size_t)cols, count, cols);
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

/* ---- Steps ---- */

struct step {
    int row, rows;      /* rows of this step */
    int before, shared; /* first row of the previous step in reading order, and the number of
                         * sequences that both steps have: they come first */
};

/* Step i in reading order. */
static struct step step_at(const struct steps *steps, int i, bool reverse)
{
    const int t = reverse ? steps->count - 1 - i : i, before = reverse ? t + 1 : t - 1;
    struct step step = {.row = steps->start[t], .rows = steps->active[t]};
    if (i > 0) {
        step.before = steps->start[before];
        step.shared = steps->active[reverse ? before : t];
    }
    return step;
}

static bool drops(const struct rnn_mask *mask)
{
    return mask && mask->dropout && mask->dropout->rate > 0;
}

/* ---- Forward ---- */

static void start_frames(const struct rnn *l, struct rnn_tape *tape, struct compute *c)
{
    const size_t F = (size_t)frame_width(l);
    int from, to;
    if (!l->normalize) {
        linear_start(c, frames(l, tape), l->bias.value);
        return;
    }
    worker_share(c->worker, tape->N, 1, &from, &to);
    vec_zero(tape->frame + (size_t)from * F, (size_t)(to - from) * F);
    if (tape->d_gain) {
        BUG_ON(c->worker->count > tape->team);
        vec_zero(tape->d_gain + (size_t)c->worker->index * F, F);
        vec_zero(tape->d_bias + (size_t)c->worker->index * F, F);
    }
}

/* frame = b + x W_input */
void rnn_input(const struct rnn *l, struct rnn_tape *tape, struct compute *c, struct view x)
{
    start_frames(l, tape, c);
    worker_meet(c->worker);
    linear_forward(c, x, &l->input, input_columns(l, frames(l, tape)), true);
}

struct tokens rnn_tokens(const struct rnn *l, const struct embedding *embedding,
                         struct token_table *table)
{
    return (struct tokens){embedding, &l->input, table};
}

void rnn_input_tokens(const struct rnn *l, struct rnn_tape *tape, struct compute *c,
                      const struct tokens *tokens, const int *token, real *work)
{
    start_frames(l, tape, c);
    tokens_add(tokens, c, token, input_columns(l, frames(l, tape)), work);
}

static void carry_state(const struct rnn_tape *tape, struct step step, int W)
{
    const size_t w = (size_t)W, known = (size_t)step.shared * w;
    real *to = tape->previous + (size_t)step.row * w;
    if (step.shared)
        memcpy(to, tape->state + (size_t)step.before * w, known * sizeof *to);
    vec_zero(to + known, (size_t)step.rows * w - known);
}

/* s * mask, stored in the tape. */
static struct view mask_state(const struct rnn_tape *tape, const struct rnn_mask *mask, int row,
                              struct view s)
{
    const struct view masked = rows_of(tape->masked, s.cols, row, s.rows);
    for (int i = 0; i < s.rows; i++)
        memcpy(masked.at + i * masked.row, s.at + i * s.row, (size_t)s.cols * sizeof *s.at);
    dropout_sentences(mask->dropout, mask->site, masked, mask->place + 2 * (size_t)row, 0, s.rows);
    return masked;
}

void rnn_forward(const struct rnn *l, struct rnn_tape *tape, struct compute *c,
                 const struct steps *steps, bool reverse, const struct rnn_mask *mask)
{
    const int W = state_width(l), F = frame_width(l), slots = l->cell->slots;
    BUG_ON(drops(mask) && !tape->masked);
    if (c->worker->index == 0)
        tape->used_mask = drops(mask);
    for (int i = 0; i < steps->count; i++) {
        const struct step step = step_at(steps, i, reverse);
        const int row = step.row, M = step.rows;
        const struct view frame = rows_of(tape->frame, F, row, M);
        const struct view previous = rows_of(tape->previous, W, row, M);
        carry_state(tape, step, W);
        struct view s = view_cols(previous, 0, l->H);
        if (drops(mask))
            s = mask_state(tape, mask, row, s);
        if (i > 0)
            gemm_packed(&c->gemm, s, &l->state, state_columns(l, frame), true);
        if (l->normalize)
            layer_norm_forward(&l->norm, l->bias.value, frame, rows_of(tape->normal, F, row, M),
                               rows_of(tape->scale, slots, row, M));
        l->cell->forward(frame, previous, rows_of(tape->state, W, row, M));
    }
}

/* ---- Backward ---- */

/* y = norm(frame) */
static void norm_backward(const struct rnn *l, const struct rnn_tape *tape, int thread,
                          struct step step)
{
    const int F = frame_width(l), row = step.row, M = step.rows;
    const size_t share = (size_t)thread * (size_t)F;
    layer_norm_backward(
        &l->norm, rows_of(tape->normal, F, row, M), rows_of(tape->scale, l->cell->slots, row, M),
        rows_of(tape->frame, F, row, M), tape->d_gain + share, tape->d_bias + share);
}

/* d_masked is the gradient of s * mask; d_s += d_masked * mask. */
static void mask_backward(const struct rnn_mask *mask, int row, struct view d_masked,
                          struct view d_s)
{
    dropout_sentences(mask->dropout, mask->site, d_masked, mask->place + 2 * (size_t)row, 0,
                      d_masked.rows);
    for (int i = 0; i < d_s.rows; i++)
        vec_add(d_s.at + i * d_s.row, d_masked.at + i * d_masked.row, (size_t)d_s.cols);
}

void rnn_backward(const struct rnn *l, struct rnn_tape *tape, struct compute *c,
                  const struct steps *steps, bool reverse, const struct rnn_mask *mask)
{
    const int W = state_width(l), F = frame_width(l), H = l->H;
    for (int i = steps->count - 1; i >= 0; i--) {
        const struct step step = step_at(steps, i, reverse);
        const int row = step.row, M = step.rows;
        const struct view frame = rows_of(tape->frame, F, row, M);
        const struct view d_previous = rows_of(tape->d_previous, W, steps->first, M);
        vec_zero(d_previous.at, (size_t)M * (size_t)W);
        /* s_t = cell(frame, s_{t-1}) */
        l->cell->backward(frame, rows_of(tape->previous, W, row, M),
                          rows_of(tape->state, W, row, M), rows_of(tape->d_state, W, row, M),
                          d_previous);
        if (l->normalize)
            norm_backward(l, tape, c->worker->index, step);
        if (step.shared == 0)
            continue;
        /* frame = ... + s_{t-1} U_state */
        const struct view d_s = view_cols(view_rows(d_previous, 0, step.shared), 0, H);
        const struct view d_masked = rows_of(tape->d_masked, H, steps->first, step.shared);
        gemm_packed(&c->gemm, view_rows(state_columns(l, frame), 0, step.shared), &l->state_back,
                    drops(mask) ? d_masked : d_s, !drops(mask));
        if (drops(mask))
            mask_backward(mask, row, d_masked, d_s);
        vec_add(tape->d_state + (size_t)step.before * (size_t)W, d_previous.at,
                (size_t)step.shared * (size_t)W);
    }
}

/* d += the sum over all threads; each member sums its own columns. */
static void gather(struct compute *c, real *shares, int F, real *d)
{
    linear_grad_bias(c, view_of(shares, c->worker->count, F), d);
}

void rnn_end(const struct rnn *l, struct rnn_tape *tape, struct compute *c, struct view x,
             struct view d_x, bool add)
{
    const int F = frame_width(l);
    const struct view d_frame = frames(l, tape);
    const struct view s = tape->used_mask
                              ? view_of(tape->masked, tape->N, l->H)
                              : view_strided(tape->previous, tape->N, l->H, state_width(l));
    linear_grad_weight(c, x, input_columns(l, d_frame), param_grad(&l->W_input));
    linear_grad_weight(c, s, state_columns(l, d_frame), param_grad(&l->U_state));
    if (l->normalize) {
        gather(c, tape->d_gain, F, l->norm.gain.grad);
        gather(c, tape->d_bias, F, l->bias.grad);
    } else {
        linear_grad_bias(c, d_frame, l->bias.grad);
    }
    linear_grad_input(c, input_columns(l, d_frame), param_view(&l->W_input), d_x, add);
}
