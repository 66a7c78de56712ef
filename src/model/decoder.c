#include "model/decoder.h"

#include "base/arena.h"
#include "nn/pool.h"
#include "tensor/vec.h"

/* ---- Parameters ---- */

void decoder_declare(struct decoder *d, struct param_set *set, const struct model_config *config)
{
    const struct cell_ops *cell = &cell_gru;
    const int E = config->emb, H = config->hidden, C = 2 * H, R = config->readout_size,
              in = cell->input_slots * H;
    *d =
        (struct decoder){.cell = cell, .E = E, .H = H, .A = config->attention_size, .R = R, .C = C};
    embedding_declare(&d->embedding, set, "decoder.embedding", config->target_vocab, E);
    param_declare(set, &d->W_start, "decoder.start", "W", H, H);
    param_declare(set, &d->b_start, "decoder.start", "b", 1, H);
    param_declare(set, &d->W_input, "decoder.gru", "W_input", E, in);
    param_declare(set, &d->W_context, "decoder.gru", "W_context", C, in);
    param_declare(set, &d->U_state, "decoder.gru", "U_state", H, cell->state_slots * H);
    param_declare(set, &d->bias, "decoder.gru", "bias", 1, cell->slots * H);
    additive_declare(&d->attention, set, "decoder.attention", H, C, d->A);
    param_declare(set, &d->R_state, "decoder.readout", "W_state", H, R);
    param_declare(set, &d->R_context, "decoder.readout", "W_context", C, R);
    param_declare(set, &d->R_input, "decoder.readout", "W_input", E, R);
    param_declare(set, &d->b_readout, "decoder.readout", "b", 1, R);
    cross_entropy_declare(&d->output, set, "decoder.output", R, config->target_vocab);
    param_start(&d->W_start, PARAM_NORMAL, 1 / sqrt(H));
    param_start(&d->W_input, PARAM_NORMAL, 1 / sqrt(E + C));
    param_start(&d->W_context, PARAM_NORMAL, 1 / sqrt(E + C));
    param_start(&d->U_state, PARAM_ORTHOGONAL, 1);
    param_start(&d->R_state, PARAM_NORMAL, 1 / sqrt(H + C + E));
    param_start(&d->R_context, PARAM_NORMAL, 1 / sqrt(H + C + E));
    param_start(&d->R_input, PARAM_NORMAL, 1 / sqrt(H + C + E));
}

static int slots_width(const struct decoder *d) { return d->cell->slots * d->H; }
static int input_width(const struct decoder *d) { return d->cell->input_slots * d->H; }
static int state_width(const struct decoder *d) { return d->cell->state_slots * d->H; }
static int pooled_width(const struct decoder *d) { return d->R + input_width(d); }

int decoder_frame_width(const struct decoder *d) { return d->R + slots_width(d) + d->A; }
int decoder_projected_width(const struct decoder *d) { return d->A + pooled_width(d); }

void decoder_bind(struct decoder *d, struct arena *arena, bool training)
{
    packed_bind(&d->start, arena, d->H, d->H);
    packed_bind(&d->project, arena, d->C, decoder_projected_width(d));
    packed_bind(&d->embed, arena, d->E, pooled_width(d));
    packed_bind(&d->state, arena, d->H, state_width(d) + d->A);
    packed_bind(&d->readout, arena, d->H, d->R);
    if (training)
        packed_bind(&d->state_back, arena, state_width(d) + d->A, d->H);
    d->frame_bias = arena_take(arena, sizeof(real), (size_t)decoder_frame_width(d));
    cross_entropy_bind(&d->output, arena, training);
}

static void pack_bias(const struct decoder *d)
{
    memcpy(d->frame_bias, d->b_readout.value, (size_t)d->R * sizeof(real));
    memcpy(d->frame_bias + d->R, d->bias.value, (size_t)slots_width(d) * sizeof(real));
    memcpy(d->frame_bias + d->R + slots_width(d), d->attention.b_query.value,
           (size_t)d->A * sizeof(real));
}

void decoder_pack(struct decoder *d, struct compute *c, bool training)
{
    linear_pack(c, &d->start, param_view(&d->W_start), 0, 0);
    linear_pack(c, &d->project, param_view(&d->attention.W_key), 0, 0);
    linear_pack(c, &d->project, param_view(&d->R_context), 0, d->A);
    linear_pack(c, &d->project, param_view(&d->W_context), 0, d->A + d->R);
    linear_pack(c, &d->embed, param_view(&d->R_input), 0, 0);
    linear_pack(c, &d->embed, param_view(&d->W_input), 0, d->R);
    linear_pack(c, &d->state, param_view(&d->U_state), 0, 0);
    linear_pack(c, &d->state, param_view(&d->attention.W_query), 0, state_width(d));
    linear_pack(c, &d->readout, param_view(&d->R_state), 0, 0);
    if (training) {
        linear_pack(c, &d->state_back, view_transposed(param_view(&d->U_state)), 0, 0);
        linear_pack(c, &d->state_back, view_transposed(param_view(&d->attention.W_query)),
                    state_width(d), 0);
    }
    if (c->worker->index == 0)
        pack_bias(d);
    cross_entropy_pack(&d->output, c, training);
}

/* ---- Parts of frames and projections ---- */

static struct view readout_part(const struct decoder *d, struct view frame)
{
    return view_cols(frame, 0, d->R);
}

static struct view pooled_part(const struct decoder *d, struct view frame)
{
    return view_cols(frame, 0, pooled_width(d));
}

static struct view cell_part(const struct decoder *d, struct view frame)
{
    return view_cols(frame, d->R, slots_width(d));
}

static struct view input_part(const struct decoder *d, struct view frame)
{
    return view_cols(frame, d->R, input_width(d));
}

static struct view state_part(const struct decoder *d, struct view frame)
{
    return view_cols(frame, d->R + d->cell->state_from * d->H, state_width(d));
}

static struct view query_part(const struct decoder *d, struct view frame)
{
    return view_cols(frame, d->R + slots_width(d), d->A);
}

/* State slots and query adjoin. */
static struct view state_and_query_part(const struct decoder *d, struct view frame)
{
    return view_cols(frame, d->R + d->cell->state_from * d->H, state_width(d) + d->A);
}

static struct view key_part(const struct decoder *d, struct view projected)
{
    return view_cols(projected, 0, d->A);
}

static struct view value_part(const struct decoder *d, struct view projected)
{
    return view_cols(projected, d->A, pooled_width(d));
}

/* ---- One step: what training and search share ---- */

/* frame comes with the embedding's share and the biases; leaves activations, the new state and the
 * weights. */
static void step_forward(const struct decoder *d, struct gemm_scratch *gemm,
                         const struct attention_rows *rows, struct view projected,
                         struct view frame, struct view previous, struct view state)
{
    gemm_packed(gemm, previous, &d->state, state_and_query_part(d, frame), true);
    additive_forward(&d->attention, rows, key_part(d, projected));
    pool_forward(rows, value_part(d, projected), pooled_part(d, frame));
    d->cell->forward(cell_part(d, frame), previous, state);
}

/* ---- Teacher forcing ---- */

static void bind_gradients(struct decoder_tape *tape, struct arena *arena, const struct decoder *d,
                           const struct batch *b, int team)
{
    const size_t N = (size_t)b->source_rows, M = (size_t)b->target_rows, B = (size_t)b->B,
                 H = (size_t)d->H;
    tape->d_emb = arena_take(arena, sizeof(real), M * (size_t)d->E);
    tape->d_state = arena_take(arena, sizeof(real), M * H);
    tape->d_start = arena_take(arena, sizeof(real), B * H);
    tape->d_first = arena_take(arena, sizeof(real), B * H);
    tape->d_projected = arena_take(arena, sizeof(real), N * (size_t)decoder_projected_width(d));
    tape->d_weight = arena_take(arena, sizeof(real), B * (size_t)b->S);
    tape->d_query = arena_take(arena, sizeof(real), B * (size_t)d->A);
    tape->d_v = arena_take(arena, sizeof(real), (size_t)team * (size_t)d->A);
    tape->d_o = arena_take(arena, sizeof(real), M * (size_t)d->R);
}

void decoder_tape_bind(struct decoder_tape *tape, struct arena *arena, const struct decoder *d,
                       const struct batch *b, int team, bool training)
{
    const size_t N = (size_t)b->source_rows, M = (size_t)b->target_rows, B = (size_t)b->B,
                 H = (size_t)d->H;
    *tape = (struct decoder_tape){0};
    tape->emb = arena_take(arena, sizeof(real), M * (size_t)d->E);
    tape->frame = arena_take(arena, sizeof(real), M * (size_t)decoder_frame_width(d));
    tape->previous = arena_take(arena, sizeof(real), M * H);
    tape->state = arena_take(arena, sizeof(real), M * H);
    tape->weight = arena_take(arena, sizeof(real), M * (size_t)b->S);
    tape->first = arena_take(arena, sizeof(real), B * H);
    tape->start = arena_take(arena, sizeof(real), B * H);
    tape->projected = arena_take(arena, sizeof(real), N * (size_t)decoder_projected_width(d));
    cross_entropy_tape_bind(&tape->output, arena, &d->output, b->target_rows, team);
    if (training)
        bind_gradients(tape, arena, d, b, team);
}

/* The slabs of a batch as views. */
struct slabs {
    struct view emb, frame, previous, state, weight, projected, memory, first, start;
};

static struct slabs slabs_of(const struct decoder *d, const struct decoder_tape *tape,
                             const struct batch *b, const real *memory)
{
    const int N = b->source_rows, M = b->target_rows;
    return (struct slabs){
        .emb = view_of(tape->emb, M, d->E),
        .frame = view_of(tape->frame, M, decoder_frame_width(d)),
        .previous = view_of(tape->previous, M, d->H),
        .state = view_of(tape->state, M, d->H),
        .weight = view_of(tape->weight, M, b->S),
        .projected = view_of(tape->projected, N, decoder_projected_width(d)),
        .memory = view_const(memory, N, d->C),
        .first = view_of(tape->first, b->B, d->H),
        .start = view_of(tape->start, b->B, d->H),
    };
}

static struct attention_rows rows_of_step(const struct decoder *d, const struct slabs *s,
                                          const struct batch *b, const struct steps *lane, int t)
{
    const struct view frame = view_rows(s->frame, lane->start[t], lane->active[t]);
    return (struct attention_rows){
        .start = b->memory_start,
        .length = b->memory_length,
        .first = lane->first,
        .query = query_part(d, frame),
        .weight = view_rows(s->weight, lane->start[t], lane->active[t]),
    };
}

/* The backward encoder's state at the first word, for sentences [from, to). */
static void gather_first(const struct decoder *d, struct view memory, const int *start, real *first,
                         int from, int to)
{
    const size_t h = (size_t)d->H;
    for (int i = from; i < to; i++)
        memcpy(first + (size_t)i * h, memory.at + start[i] * memory.row + d->C - d->H,
               h * sizeof(real));
}

static void drop_rows(const struct compute *c, enum dropout_site site, struct view x,
                      const struct batch *b, const struct dropout *dropout)
{
    int from, to;
    worker_share(c->worker, x.rows, 1, &from, &to);
    dropout_rows(dropout, site, x, b->target_place, from, to);
}

/* All that does not depend on the recurrence. */
static void before_loop(const struct decoder *d, struct compute *c, const struct slabs *s,
                        const struct batch *b, const struct dropout *dropout)
{
    int from, to;
    worker_share(c->worker, b->B, 1, &from, &to);
    embedding_forward(&d->embedding, c, b->target_in, s->emb);
    drop_rows(c, DROPOUT_TARGET, s->emb, b, dropout);
    linear_start(c, s->frame, d->frame_bias);
    gather_first(d, s->memory, b->memory_start, s->first.at, from, to);
    linear_start(c, s->start, d->b_start.value);
    worker_meet(c->worker);
    linear_forward(c, s->emb, &d->embed, pooled_part(d, s->frame), true);
    linear_forward(c, s->first, &d->start, s->start, true);
    linear_forward(c, s->memory, &d->project, s->projected, false);
    worker_meet(c->worker);
    vec_tanh(s->start.at + from * s->start.row, (size_t)(to - from) * (size_t)d->H);
    worker_meet(c->worker);
}

/* o = tanh(readout + s R_state), dropout */
static void after_loop(const struct decoder *d, struct compute *c, const struct slabs *s,
                       const struct batch *b, const struct dropout *dropout)
{
    const struct view o = readout_part(d, s->frame);
    linear_forward(c, s->state, &d->readout, o, true);
    worker_meet(c->worker);
    int from, to;
    worker_share(c->worker, o.rows, 1, &from, &to);
    for (int i = from; i < to; i++)
        vec_tanh(o.at + i * o.row, (size_t)d->R);
    drop_rows(c, DROPOUT_READOUT, o, b, dropout);
    worker_meet(c->worker);
}

void decoder_forward(const struct decoder *d, struct decoder_tape *tape, struct compute *c,
                     const struct batch *b, const real *memory, const struct dropout *dropout)
{
    const struct slabs s = slabs_of(d, tape, b, memory);
    const struct steps *lane = &b->target[c->worker->index];
    before_loop(d, c, &s, b, dropout);
    for (int t = 0; t < lane->count; t++) {
        const int row = lane->start[t], M = lane->active[t];
        const struct view previous = view_rows(s.previous, row, M);
        const real *from = t ? s.state.at + lane->start[t - 1] * s.state.row
                             : s.start.at + lane->first * s.start.row;
        memcpy(previous.at, from, (size_t)M * (size_t)d->H * sizeof(real));
        const struct attention_rows rows = rows_of_step(d, &s, b, lane, t);
        step_forward(d, &c->gemm, &rows, s.projected, view_rows(s.frame, row, M), previous,
                     view_rows(s.state, row, M));
    }
    worker_meet(c->worker);
    after_loop(d, c, &s, b, dropout);
}

double decoder_loss(const struct decoder *d, struct decoder_tape *tape, struct compute *c,
                    const struct batch *b, const struct decoder_loss *loss)
{
    const struct slabs s = slabs_of(d, tape, b, NULL);
    const struct cross_entropy_job job = {
        .o = readout_part(d, s.frame),
        .target = b->target_out,
        .smoothing = loss->smoothing,
        .scale = loss->scale,
        .d_o = loss->gradient ? view_of(tape->d_o, b->target_rows, d->R) : (struct view){0},
    };
    return cross_entropy_run(&d->output, &tape->output, c, &job);
}

/* ---- Backward, stages in mirrored order ---- */

/* o = dropout(tanh(r)): what is kept of o is tanh(r) / (1 - rate). The readout's columns become
 * d_r. */
static void readout_backward(const struct decoder *d, const struct decoder_tape *tape,
                             const struct compute *c, const struct slabs *s, const struct batch *b,
                             const struct dropout *dropout)
{
    const struct view d_o = view_of(tape->d_o, b->target_rows, d->R), o = readout_part(d, s->frame);
    const real keep = (real)(1 - dropout->rate);
    drop_rows(c, DROPOUT_READOUT, d_o, b, dropout);
    int from, to;
    worker_share(c->worker, o.rows, 1, &from, &to);
    for (int i = from; i < to; i++) {
        real *y = o.at + i * o.row;
        const real *d_y = d_o.at + i * d_o.row;
        for (int r = 0; r < d->R; r++)
            y[r] = d_y[r] * (1 - keep * y[r] * keep * y[r]);
    }
}

static void step_backward(const struct decoder *d, const struct decoder_tape *tape,
                          struct compute *c, const struct slabs *s, const struct batch *b, int t)
{
    const struct steps *lane = &b->target[c->worker->index];
    const int row = lane->start[t], M = lane->active[t];
    const size_t h = (size_t)d->H;
    const struct attention_rows rows = rows_of_step(d, s, b, lane, t);
    const struct view frame = view_rows(s->frame, row, M);
    const struct view d_state = view_of(tape->d_state + (size_t)row * h, M, d->H);
    const struct view d_previous = view_of(t ? tape->d_state + (size_t)lane->start[t - 1] * h
                                             : tape->d_start + (size_t)lane->first * h,
                                           M, d->H);
    const struct view d_weight =
        view_of(tape->d_weight + (size_t)lane->first * (size_t)b->S, M, b->S);
    const struct view d_query =
        view_of(tape->d_query + (size_t)lane->first * (size_t)d->A, M, d->A);
    const struct view d_projected =
        view_of(tape->d_projected, s->projected.rows, s->projected.cols);
    /* s_t = cell(frame, s_{t-1}) */
    d->cell->backward(cell_part(d, frame), view_rows(s->previous, row, M), d_state, d_previous);
    /* [readout | input slots] += sum_j a_j value_j; a = additive(query, keys) */
    pool_backward(&rows, value_part(d, s->projected), pooled_part(d, frame), d_weight);
    additive_backward(&d->attention, &rows, key_part(d, s->projected), d_weight, d_query,
                      key_part(d, d_projected), tape->d_v + c->worker->index * d->A);
    for (int i = 0; i < M; i++)
        memcpy(rows.query.at + i * rows.query.row, d_query.at + i * d_query.row,
               (size_t)d->A * sizeof(real));
    /* [state slots | query] += s_{t-1} [U | W_query] */
    gemm_packed(&c->gemm, state_and_query_part(d, frame), &d->state_back, d_previous, true);
}

static void loop_backward(const struct decoder *d, const struct decoder_tape *tape,
                          struct compute *c, const struct slabs *s, const struct batch *b)
{
    const struct steps *lane = &b->target[c->worker->index];
    const struct view d_projected =
        view_of(tape->d_projected, s->projected.rows, s->projected.cols);
    const int sentences = lane->count ? lane->active[0] : 0;
    vec_zero(tape->d_start + (size_t)lane->first * (size_t)d->H, (size_t)sentences * (size_t)d->H);
    vec_zero(tape->d_v + c->worker->index * d->A, (size_t)d->A);
    for (int i = lane->first; i < lane->first + sentences; i++)
        for (int j = 0; j < b->memory_length[i]; j++)
            vec_zero(d_projected.at + (b->memory_start[i] + j) * d_projected.row, (size_t)d->A);
    for (int t = lane->count - 1; t >= 0; t--)
        step_backward(d, tape, c, s, b, t);
    const struct attention_rows rows = {.start = b->memory_start, .length = b->memory_length};
    pool_end(&rows, lane, s->weight, pooled_part(d, s->frame), value_part(d, d_projected));
}

/* s_0 = tanh(first W_start + b) */
static void start_backward(const struct decoder *d, const struct decoder_tape *tape,
                           struct compute *c, const struct slabs *s, const struct batch *b)
{
    const struct view d_start = view_of(tape->d_start, b->B, d->H),
                      d_first = view_of(tape->d_first, b->B, d->H);
    int from, to;
    worker_share(c->worker, b->B, 1, &from, &to);
    for (int i = from * d->H; i < to * d->H; i++)
        d_start.at[i] *= 1 - s->start.at[i] * s->start.at[i];
    worker_meet(c->worker);
    linear_grad_weight(c, s->first, d_start, param_grad(&d->W_start));
    linear_grad_bias(c, d_start, d->b_start.grad);
    linear_grad_input(c, d_start, param_view(&d->W_start), d_first, false);
}

/* One vector of biases in the frame, three parameters. */
static void bias_gradients(const struct decoder *d, struct compute *c, const struct slabs *s)
{
    linear_grad_bias(c, readout_part(d, s->frame), d->b_readout.grad);
    linear_grad_bias(c, cell_part(d, s->frame), d->bias.grad);
    linear_grad_bias(c, query_part(d, s->frame), d->attention.b_query.grad);
}

static void weight_gradients(const struct decoder *d, const struct decoder_tape *tape,
                             struct compute *c, const struct slabs *s)
{
    const struct view d_projected =
        view_of(tape->d_projected, s->projected.rows, s->projected.cols);
    linear_grad_weight(c, s->previous, state_part(d, s->frame), param_grad(&d->U_state));
    linear_grad_weight(c, s->previous, query_part(d, s->frame), param_grad(&d->attention.W_query));
    linear_grad_weight(c, s->emb, input_part(d, s->frame), param_grad(&d->W_input));
    linear_grad_weight(c, s->emb, readout_part(d, s->frame), param_grad(&d->R_input));
    linear_grad_weight(c, s->state, readout_part(d, s->frame), param_grad(&d->R_state));
    linear_grad_weight(c, s->memory, key_part(d, d_projected), param_grad(&d->attention.W_key));
    linear_grad_weight(c, s->memory, view_cols(d_projected, d->A, d->R), param_grad(&d->R_context));
    linear_grad_weight(c, s->memory, view_cols(d_projected, d->A + d->R, input_width(d)),
                       param_grad(&d->W_context));
    if (c->worker->index == 0)
        for (int i = 0; i < c->worker->count; i++)
            vec_add(d->attention.v.grad, tape->d_v + i * d->A, (size_t)d->A);
}

/* What goes back to the annotations: through the projections, and through the start state. */
static void memory_gradients(const struct decoder *d, const struct decoder_tape *tape,
                             struct compute *c, const struct batch *b, real *d_memory)
{
    const struct view d_projected =
        view_of(tape->d_projected, b->source_rows, decoder_projected_width(d));
    const struct view d_h = view_of(d_memory, b->source_rows, d->C);
    linear_grad_input(c, key_part(d, d_projected), param_view(&d->attention.W_key), d_h, false);
    linear_grad_input(c, view_cols(d_projected, d->A, d->R), param_view(&d->R_context), d_h, true);
    linear_grad_input(c, view_cols(d_projected, d->A + d->R, input_width(d)),
                      param_view(&d->W_context), d_h, true);
    worker_meet(c->worker);
    int from, to;
    worker_share(c->worker, b->B, 1, &from, &to);
    for (int i = from; i < to; i++)
        vec_add(d_h.at + b->memory_start[i] * d_h.row + d->C - d->H,
                tape->d_first + (size_t)i * (size_t)d->H, (size_t)d->H);
}

static void embedding_gradients(const struct decoder *d, const struct decoder_tape *tape,
                                struct compute *c, const struct slabs *s, const struct batch *b,
                                const struct dropout *dropout)
{
    const struct view d_emb = view_of(tape->d_emb, b->target_rows, d->E);
    linear_grad_input(c, readout_part(d, s->frame), param_view(&d->R_input), d_emb, false);
    linear_grad_input(c, input_part(d, s->frame), param_view(&d->W_input), d_emb, true);
    worker_meet(c->worker);
    drop_rows(c, DROPOUT_TARGET, d_emb, b, dropout);
    worker_meet(c->worker);
    embedding_backward(&d->embedding, c, b->target_in, d_emb);
}

void decoder_backward(const struct decoder *d, struct decoder_tape *tape, struct compute *c,
                      const struct batch *b, const real *memory, real *d_memory,
                      const struct dropout *dropout)
{
    const struct slabs s = slabs_of(d, tape, b, memory);
    readout_backward(d, tape, c, &s, b, dropout);
    worker_meet(c->worker);
    linear_grad_input(c, readout_part(d, s.frame), param_view(&d->R_state),
                      view_of(tape->d_state, s.state.rows, d->H), false);
    worker_meet(c->worker);
    loop_backward(d, tape, c, &s, b);
    worker_meet(c->worker);
    start_backward(d, tape, c, &s, b);
    bias_gradients(d, c, &s);
    weight_gradients(d, tape, c, &s);
    embedding_gradients(d, tape, c, &s, b, dropout);
    worker_meet(c->worker);
    memory_gradients(d, tape, c, b, d_memory);
    worker_meet(c->worker);
}

/* ---- Step by step ---- */

void decoder_begin(const struct decoder *d, struct compute *c, const struct decoder_memory *m,
                   int B, real *first, real *start)
{
    const struct view s_0 = view_of(start, B, d->H);
    linear_forward(c, m->annotation, &d->project, m->projected, false);
    gather_first(d, m->annotation, m->start, first, 0, B);
    linear_start(c, s_0, d->b_start.value);
    linear_forward(c, view_of(first, B, d->H), &d->start, s_0, true);
    vec_tanh(start, (size_t)B * (size_t)d->H);
}

void decoder_step(const struct decoder *d, struct compute *c, const struct decoder_memory *m,
                  const struct decoder_step *step)
{
    const struct view emb = view_of(step->emb, step->rows, d->E);
    const struct view frame = view_of(step->frame, step->rows, decoder_frame_width(d));
    const struct view o = readout_part(d, frame);
    const struct attention_rows rows = {.start = m->start,
                                        .length = m->length,
                                        .sentence = step->sentence,
                                        .query = query_part(d, frame),
                                        .weight = step->weight};
    embedding_forward(&d->embedding, c, step->token, emb);
    linear_start(c, frame, d->frame_bias);
    linear_forward(c, emb, &d->embed, pooled_part(d, frame), true);
    step_forward(d, &c->gemm, &rows, m->projected, frame, step->previous, step->state);
    linear_forward(c, step->state, &d->readout, o, true);
    for (int i = 0; i < o.rows; i++)
        vec_tanh(o.at + i * o.row, (size_t)d->R);
    linear_start(c, step->logits, d->output.b.value);
    linear_forward(c, o, &d->output.forward, step->logits, true);
}
