/* The decoder under teacher forcing, forward. */
#include "model/decoder_parts.h"
#include "model/decoder_train.h"

#include "base/arena.h"
#include "tensor/vec.h"

#include <string.h>

/* ---- Memory ---- */

static real *take(struct arena *arena, bool wanted, int rows, int cols)
{
    return wanted ? arena_take(arena, sizeof(real), (size_t)rows * (size_t)cols) : NULL;
}

static void bind_layer(struct decoder_layer_tape *t, struct arena *arena, const struct decoder *d,
                       int l, int M, int B, bool training)
{
    const int W = record_state(d);
    const bool below = reads_below(d, l), own = !is_second(d, l);
    *t = (struct decoder_layer_tape){
        .frame = take(arena, true, M, frame_width(d, l)),
        .x = take(arena, below, M, d->H),
        .d_x = take(arena, training && below, M, d->H),
        .previous = take(arena, own, M, W),
        .state = take(arena, true, M, W),
        .masked = take(arena, training && own, M, d->H),
        .d_state = take(arena, training, M, W),
        .start = take(arena, own, B, W),
        .d_start = take(arena, training && own, B, W),
        .normal = take(arena, d->normalise, M, slots_width(d)),
        .scale = take(arena, d->normalise, M, d->cell->slots),
    };
}

static void bind_gradients(struct decoder_tape *t, struct arena *arena, const struct decoder *d,
                           const struct batch *b, int team)
{
    const int M = b->target_rows, N = decoder_memory_rows(d, b), B = b->B;
    const int carry = attention_carry_width(&d->attention, decoder_memory_span(d, b->S));
    t->d_emb = take(arena, true, M, d->E);
    t->d_top = take(arena, true, M, d->H);
    t->d_r = take(arena, d->luong, M, d->H);
    t->d_o = take(arena, true, M, d->R);
    t->d_context = take(arena, t->direct, M, d->C);
    t->d_carry = take(arena, carry > 0, M, carry);
    t->d_no_carry = take(arena, carry > 0, B, carry);
    t->d_fixed = take(arena, is_fixed(d), B, d->C);
    t->d_projected = take(arena, true, N, decoder_projected_width(d, t->direct));
    t->d_value = take(arena, t->direct, N, d->C);
    t->d_first = take(arena, true, B, d->C);
    t->d_weight = take(arena, true, B, decoder_weight_width(d, b->S));
    t->d_query = take(arena, true, B, d->attention.Q);
    t->d_mask = take(arena, true, B, d->H);
    t->d_share = take(arena, true, team, decoder_share_width(d));
}

/* By multiply-adds, of projecting and of pooling: (N, C) by (C, P), then rows of P; or rows of C,
 * then (M, C) by (C, P), whose products are inside the loop and have few rows. */
static bool direct_is_cheaper(const struct decoder *d, const struct batch *b)
{
    const double in_the_loop = 1.25, N = decoder_memory_rows(d, b), M = b->target_rows;
    const double C = d->C, P = pooled_width(d), words = N / b->B;
    return M * (in_the_loop * C * P + words * C) < N * C * P + M * words * P;
}

void decoder_tape_bind(struct decoder_tape *t, struct arena *arena, const struct decoder *d,
                       const struct batch *b, int team, bool training)
{
    const int M = b->target_rows, N = decoder_memory_rows(d, b), B = b->B;
    const int carry = attention_carry_width(&d->attention, decoder_memory_span(d, b->S));
    *t = (struct decoder_tape){.direct = d->direct || (training && direct_is_cheaper(d, b))};
    t->emb = take(arena, true, M, d->E);
    for (int l = 0; l < d->layers; l++) {
        bind_layer(&t->layer[l], arena, d, l, M, B, training);
        t->first[l] = take(arena, starts_by_product(d) && !is_second(d, l), B, first_width(d));
    }
    t->top = take(arena, true, M, d->H);
    t->after = take(arena, d->luong, M, after_width(d));
    t->fed = take(arena, d->feeding, M, d->H);
    t->pre = take(arena, d->luong, M, d->RR);
    t->o = take(arena, true, M, d->R);
    t->context = take(arena, t->direct, M, d->C);
    t->weight = take(arena, true, M, decoder_weight_width(d, b->S));
    t->carry = take(arena, carry > 0, M, carry);
    t->no_carry = take(arena, carry > 0, B, carry);
    t->fixed = take(arena, is_fixed(d), B, d->C);
    t->span_start = arena_take(arena, sizeof(int), (size_t)B);
    t->span_length = arena_take(arena, sizeof(int), (size_t)B);
    t->projected = take(arena, true, N, decoder_projected_width(d, t->direct));
    cross_entropy_tape_bind(&t->output, arena, &d->output, M, team);
    if (d->copy.used) {
        copy_source_bind(&t->copy.source, arena, b->memory_start, b->memory_length, b->source_rows);
        copy_tape_bind(&t->copy, arena, M, b->S, d->attention.dims.heads);
    }
    if (training)
        bind_gradients(t, arena, d, b, team);
}

/* ---- Views ---- */

struct slabs decoder_slabs(const struct decoder *d, const struct decoder_tape *t,
                           const struct batch *b, const struct encoder_tape *encoded)
{
    const int M = b->target_rows, N = decoder_memory_rows(d, b);
    struct slabs s = {
        .emb = view_of(t->emb, M, d->E),
        .top = view_of(t->top, M, d->H),
        .after = view_of(t->after, M, after_width(d)),
        .fed = view_of(t->fed, M, d->H),
        .o = view_of(t->o, M, d->R),
        .context = view_of(t->context, M, d->C),
        .weight = view_of(t->weight, M, decoder_weight_width(d, b->S)),
        .carry = view_of(t->carry, M,
                         attention_carry_width(&d->attention, decoder_memory_span(d, b->S))),
        .memory = is_fixed(d) ? view_of(t->fixed, N, d->C) : view_of(encoded->memory, N, d->C),
        .projected = view_of(t->projected, N, decoder_projected_width(d, t->direct)),
        .span_start = is_fixed(d) ? t->span_start : b->memory_start,
        .span_length = is_fixed(d) ? t->span_length : b->memory_length,
    };
    for (int l = 0; l < d->layers; l++)
        s.frame[l] = view_of(t->layer[l].frame, M, frame_width(d, l));
    s.pre = d->luong ? view_of(t->pre, M, d->RR) : view_cols(s.frame[context_layer(d)], 0, d->RR);
    return s;
}

struct step_rows decoder_rows_of_step(const struct decoder *d, const struct decoder_tape *t,
                                      const struct batch *b, const struct slabs *s,
                                      const struct dropouts *drop, int lane_number, int step)
{
    const struct steps *lane = &b->target[lane_number];
    const int row = lane->start[step], rows = lane->active[step], M = b->target_rows;
    struct step_rows out = {
        .attention = {.start = s->span_start,
                      .length = s->span_length,
                      .first = lane->first,
                      .key = key_part(d, s->projected),
                      .weight = view_rows(s->weight, row, rows),
                      .carry_out = view_rows(s->carry, row, rows)},
        .direct = t->direct,
        .value = t->direct ? s->memory : value_part(d, s->projected),
        .top = view_rows(s->top, row, rows),
        .after = view_rows(s->after, row, rows),
        .fed = view_rows(s->fed, row, rows),
        .context = view_rows(s->context, row, rows),
        .drop = &drop->plain,
        .place = b->target_place + 2 * row,
    };
    out.attention.carry_in =
        step ? view_rows(s->carry, lane->start[step - 1], rows)
             : view_rows(view_of(t->no_carry, b->B, s->carry.cols), lane->first, rows);
    for (int l = 0; l < d->layers; l++) {
        const struct decoder_layer_tape *layer = &t->layer[l];
        const bool own = !is_second(d, l), masked = own && drop->recurrent.rate > 0;
        const struct view previous = view_rows(
            view_of(own ? layer->previous : t->layer[0].state, M, record_state(d)), row, rows);
        out.layer[l] = (struct layer_rows){
            .frame = view_rows(s->frame[l], row, rows),
            .x = view_rows(view_of(layer->x, M, d->H), row, rows),
            .previous = previous,
            .asked = masked ? view_rows(view_of(layer->masked, M, d->H), row, rows)
                            : view_cols(previous, 0, d->H),
            .state = view_rows(view_of(layer->state, M, record_state(d)), row, rows),
            .normal = view_rows(view_of(layer->normal, M, slots_width(d)), row, rows),
            .scale = view_rows(view_of(layer->scale, M, d->cell->slots), row, rows),
        };
    }
    return out;
}

/* ---- Before the loop ---- */

void decoder_drop_input(const struct compute *c, struct view x, const struct batch *b,
                        const struct dropouts *drop)
{
    int from, to;
    worker_share(c->worker, x.rows, 1, &from, &to);
    dropout_rows(&drop->plain, DROPOUT_TARGET, x, b->target_place, from, to);
    dropout_words(&drop->words, DROPOUT_TARGET, x, b->target_place, from, to);
}

/* Whose each row of this lane is. */
static void number_rows(const struct steps *lane, int *sentence)
{
    for (int step = 0; step < lane->count; step++)
        for (int i = 0; i < lane->active[step]; i++)
            sentence[lane->start[step] + i] = lane->first + i;
}

static void lay_memory(const struct decoder *d, struct decoder_tape *t, const struct compute *c,
                       const struct batch *b, const struct slabs *s,
                       const struct encoder_tape *encoded)
{
    int from, to;
    worker_share(c->worker, b->B, 1, &from, &to);
    for (int l = 0; l < d->layers; l++)
        if (!is_second(d, l))
            decoder_first(d, b, encoded, l, t->first[l],
                          view_of(t->layer[l].start, b->B, record_state(d)), from, to);
    if (is_fixed(d))
        decoder_fixed(d, b, view_const(encoded->memory, b->source_rows, d->C), t->fixed,
                      t->span_start, t->span_length, from, to);
    if (t->no_carry)
        vec_zero(t->no_carry + (ptrdiff_t)from * s->carry.cols,
                 (size_t)(to - from) * (size_t)s->carry.cols);
    if (d->copy.used) {
        decoder_lay_copies(d, b, &t->copy.source, from, to);
        number_rows(&b->target[c->worker->index], t->copy.sentence);
    }
    worker_share(c->worker, s->memory.rows, 1, &from, &to);
    if (folds(d))
        decoder_fold(d, s->memory, key_part(d, s->projected), from, to);
}

/* All that does not depend on the recurrence. */
static void before_loop(const struct decoder *d, struct decoder_tape *t, struct compute *c,
                        const struct batch *b, const struct slabs *s,
                        const struct encoder_tape *encoded, const struct dropouts *drop)
{
    embedding_forward(d->embedding, c, b->target_in, s->emb);
    decoder_drop_input(c, s->emb, b, drop);
    for (int l = 0; l < d->layers; l++)
        linear_start(c, s->frame[l], d->layer[l].frame_bias);
    if (d->luong) {
        linear_start(c, s->after, d->after_bias);
        linear_start(c, s->pre, d->b_readout.value);
    }
    lay_memory(d, t, c, b, s, encoded);
    worker_meet(c->worker);
    linear_forward(c, s->emb, &d->embed, view_cols(s->frame[0], 0, d->embed.N), true);
    const struct packed *project = t->direct ? &d->key : &d->project;
    linear_forward(c, s->memory, project, view_cols(s->projected, product_from(d), project->N),
                   false);
    for (int l = 0; l < d->layers && starts_by_product(d); l++)
        if (!is_second(d, l))
            linear_forward(c, view_of(t->first[l], b->B, first_width(d)), &d->start_w[l],
                           view_strided(t->layer[l].start, b->B, d->H, record_state(d)), true);
    worker_meet(c->worker);
    int from, to;
    worker_share(c->worker, b->B, 1, &from, &to);
    for (int l = 0; l < d->layers && starts_by_product(d); l++)
        for (int i = from; i < to && !is_second(d, l); i++)
            vec_tanh(t->layer[l].start + (ptrdiff_t)i * record_state(d), (size_t)d->H);
    worker_meet(c->worker);
}

/* ---- The loop ---- */

/* What the step before leaves: previous states, masked for the products, and r. */
static void carry_over(const struct decoder *d, struct decoder_tape *t, const struct batch *b,
                       const struct slabs *s, const struct dropouts *drop, int lane_number,
                       int step)
{
    const struct steps *lane = &b->target[lane_number];
    const size_t W = (size_t)record_state(d), h = (size_t)d->H;
    const int row = lane->start[step], rows = lane->active[step];
    for (int l = 0; l < d->layers; l++) {
        if (is_second(d, l))
            continue;
        struct decoder_layer_tape *layer = &t->layer[l];
        real *previous = layer->previous + (size_t)row * W;
        memcpy(previous,
               step ? t->layer[state_keeper(d, l)].state + (size_t)lane->start[step - 1] * W
                    : layer->start + (size_t)lane->first * W,
               (size_t)rows * W * sizeof(real));
        if (drop->recurrent.rate <= 0)
            continue;
        for (int i = 0; i < rows; i++)
            memcpy(layer->masked + (size_t)(row + i) * h, previous + (size_t)i * W,
                   h * sizeof(real));
        dropout_sentences(&drop->recurrent, DROPOUT_DECODER_STATE + DROPOUT_SITES * l,
                          view_of(layer->masked, b->target_rows, d->H), b->target_place, row,
                          row + rows);
    }
    for (int i = 0; i < rows && d->feeding; i++) {
        real *fed = s->fed.at + (row + i) * s->fed.row;
        if (step)
            memcpy(fed, s->after.at + (lane->start[step - 1] + i) * s->after.row, h * sizeof(real));
        else
            vec_zero(fed, h);
    }
}

void decoder_forward(const struct decoder *d, struct decoder_tape *t, struct compute *c,
                     const struct batch *b, const struct encoder_tape *encoded,
                     const struct dropouts *drop)
{
    const struct slabs s = decoder_slabs(d, t, b, encoded);
    const int lane = c->worker->index;
    before_loop(d, t, c, b, &s, encoded, drop);
    for (int step = 0; step < b->target[lane].count; step++) {
        carry_over(d, t, b, &s, drop, lane, step);
        struct step_rows rows = decoder_rows_of_step(d, t, b, &s, drop, lane, step);
        decoder_ask(d, &c->gemm, &rows);
        decoder_move(d, &c->gemm, &rows);
    }
    worker_meet(c->worker);
    /* pre += s R_state, luong: r R_state; o = dropout(f(pre)) */
    linear_forward(c, d->luong ? view_cols(s.after, 0, d->H) : s.top, &d->read, s.pre, true);
    worker_meet(c->worker);
    int from, to;
    worker_share(c->worker, s.o.rows, 1, &from, &to);
    decoder_readout(d, view_rows(s.pre, from, to - from), view_rows(s.o, from, to - from));
    dropout_rows(&drop->plain, DROPOUT_READOUT, s.o, b->target_place, from, to);
    worker_meet(c->worker);
}

double decoder_loss(const struct decoder *d, struct decoder_tape *t, struct compute *c,
                    const struct batch *b, const struct decoder_loss *loss)
{
    const struct cross_entropy_job job = {
        .o = view_of(t->o, b->target_rows, d->R),
        .target = b->target_out,
        .smoothing = loss->smoothing,
        .scale = loss->scale,
        .d_o = loss->gradient ? view_of(t->d_o, b->target_rows, d->R) : (struct view){0},
        .choice = loss->choose ? b->target_choice : NULL,
        .row_loss = loss->row_loss,
        .copy = d->copy.used ? &t->copy : NULL,
    };
    if (!d->copy.used)
        return cross_entropy_run(&d->output, &t->output, c, &job);
    copy_forward(&d->copy, &t->copy, c, job.o,
                 view_of(t->weight, b->target_rows, decoder_weight_width(d, b->S)));
    worker_meet(c->worker);
    const double sum = cross_entropy_run(&d->output, &t->output, c, &job);
    if (loss->gradient)
        copy_backward(&d->copy, &t->copy, c, job.o, job.d_o);
    worker_meet(c->worker);
    return sum;
}
