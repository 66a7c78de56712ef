/* The memory of the decoder for a batch in training, and views of it. */
#include "model/decoder_train.h"

#include "base/arena.h"

/* ---- Memory ---- */

static real *take(struct arena *arena, bool wanted, int rows, int cols)
{
    return wanted ? arena_take(arena, sizeof(real), (size_t)rows * (size_t)cols) : NULL;
}

static void bind_layer(struct decoder_layer_tape *t, struct arena *arena, const struct decoder *d,
                       int l, int M, int B, bool training)
{
    const int W = state_row(d, l), slots = d->layer[l].columns.slots;
    const bool below = d->layer[l].plan.below, own = keeps(d, l), norm = is_normalized(d, l);
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
        .normal = take(arena, norm, M, slots),
        .scale = take(arena, norm, M, d->cell->slots),
    };
}

static void bind_gradients(struct decoder_tape *t, struct arena *arena, const struct decoder *d,
                           const struct batch *b, int team)
{
    const int M = b->target_rows, N = decoder_memory_rows(d, b), B = b->B;
    const int carry = attention_carry_width(&d->attention, decoder_memory_span(d, b->S));
    t->d_emb = take(arena, true, M, d->E);
    t->d_top = take(arena, true, M, d->H);
    t->d_o = take(arena, !d->hard, M, d->R);
    t->d_context = take(arena, t->direct, M, d->C);
    t->d_carry = take(arena, carry > 0, M, carry);
    t->d_no_carry = take(arena, carry > 0, B, carry);
    t->d_fixed = take(arena, is_fixed(d), B, d->C);
    t->d_projected = take(arena, true, N, decoder_projected_width(d, t->direct));
    t->d_value = take(arena, t->direct, N, d->C);
    t->d_first = take(arena, true, B, d->C);
    t->d_weight = take(arena, true, B, decoder_weight_width(d, b->S));
    t->d_weight_part = take(arena, d->skip, B, decoder_weight_width(d, b->S));
    t->d_query = take(arena, true, B, d->attention.Q);
    t->d_mask = take(arena, true, B, d->H);
    t->d_share = take(arena, true, team, decoder_share_width(d));
}

/* Compares multiply-adds. Projected form: (N, C) by (C, P), then rows of P are pooled. Direct form:
 * rows of C are pooled, then (M, C) by (C, P), inside the loop and so with few rows at a time. */
static bool direct_is_cheaper(const struct decoder *d, const struct batch *b)
{
    const double in_the_loop = 1.25, N = decoder_memory_rows(d, b), M = b->target_rows;
    const double C = d->C, P = values_width(d), words = N / b->B;
    return M * (in_the_loop * C * P + words * C) < N * C * P + M * words * P;
}

void decoder_tape_bind(struct decoder_tape *t, struct arena *arena, const struct decoder *d,
                       const struct batch *b, int team, bool training)
{
    const int M = b->target_rows, N = decoder_memory_rows(d, b), B = b->B;
    const int carry = attention_carry_width(&d->attention, decoder_memory_span(d, b->S));
    *t = (struct decoder_tape){.direct =
                                   d->direct || (training && !d->hard && direct_is_cheaper(d, b))};
    t->emb = take(arena, true, M, d->E);
    for (int l = 0; l < d->layers; l++) {
        bind_layer(&t->layer[l], arena, d, l, M, B, training);
        t->first[l] = take(arena, starts_by_product(d) && keeps(d, l), B, first_width(d));
    }
    t->top = take(arena, true, M, d->H);
    t->fed = take(arena, d->feeding, M, d->H);
    t->pre = take(arena, d->vector && !d->hard, M, d->RR);
    t->o = take(arena, !d->hard, M, d->R);
    t->context = take(arena, t->direct, M, d->C);
    t->weight = take(arena, true, M, decoder_weight_width(d, b->S));
    t->carry = take(arena, carry > 0, M, carry);
    t->no_carry = take(arena, carry > 0, B, carry);
    t->fixed = take(arena, is_fixed(d), B, d->C);
    t->span_start = arena_take(arena, sizeof(int), (size_t)B);
    t->span_length = arena_take(arena, sizeof(int), (size_t)B);
    t->projected = take(arena, true, N, decoder_projected_width(d, t->direct));
    if (d->writes)
        mixture_tape_bind(&t->pen, arena, &d->pen, M);
    else if (d->hard)
        decoder_hard_bind(t, arena, d, b, team, training);
    else
        cross_entropy_tape_bind(&t->output, arena, &d->output, M, team);
    if (d->copy.used) {
        copy_source_bind(&t->copy.source, arena, b->memory_start, b->memory_length, b->memory_rows);
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
        .fed = view_of(t->fed, M, d->H),
        .o = view_of(t->o, M, d->R),
        .context = view_of(t->context, M, d->C),
        .weight = view_of(d->hard ? t->hard.soft : t->weight, M, decoder_weight_width(d, b->S)),
        .carry = view_of(t->carry, M,
                         attention_carry_width(&d->attention, decoder_memory_span(d, b->S))),
        .memory = is_fixed(d) ? view_of(t->fixed, N, d->C) : view_of(encoded->memory, N, d->C),
        .projected = view_of(t->projected, N, decoder_projected_width(d, t->direct)),
        .span_start = is_fixed(d) ? t->span_start : b->memory_start,
        .span_length = is_fixed(d) ? t->span_length : b->memory_length,
    };
    for (int l = 0; l < d->layers; l++)
        s.frame[l] = view_of(t->layer[l].frame, M, frame_width(d, l));
    s.pre = d->vector ? view_of(t->pre, M, d->RR) : view_cols(s.frame[d->reading], 0, d->RR);
    s.read = d->vector ? view_of(t->layer[d->layers - 1].state, M, d->H) : s.top;
    return s;
}

struct view decoder_previous(const struct decoder *d, const struct decoder_tape *t, int M, int l)
{
    if (is_vector(d, l))
        return view_of(t->top, M, d->H);
    return view_of(keeps(d, l) ? t->layer[l].previous : t->layer[l - 1].state, M, record_state(d));
}

/* The rows row..row+rows of layer l. */
static struct layer_rows layer_rows_of(const struct decoder *d, const struct decoder_tape *t,
                                       const struct slabs *s, const struct dropouts *drop, int M,
                                       int l, int row, int rows)
{
    const struct decoder_layer_tape *layer = &t->layer[l];
    const struct view previous = view_rows(decoder_previous(d, t, M, l), row, rows);
    const bool masked = keeps(d, l) && drop->recurrent.rate > 0;
    return (struct layer_rows){
        .frame = view_rows(s->frame[l], row, rows),
        .x = view_rows(view_of(layer->x, M, d->H), row, rows),
        .previous = previous,
        .asked = masked ? view_rows(view_of(layer->masked, M, d->H), row, rows)
                        : view_cols(previous, 0, d->H),
        .state = view_rows(view_of(layer->state, M, state_row(d, l)), row, rows),
        .normal = view_rows(view_of(layer->normal, M, d->layer[l].columns.slots), row, rows),
        .scale = view_rows(view_of(layer->scale, M, d->cell->slots), row, rows),
    };
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
        .fed = view_rows(s->fed, row, rows),
        .context = view_rows(s->context, row, rows),
        .drop = &drop->plain,
        .place = b->target_place + 2 * row,
    };
    out.attention.carry_in =
        step ? view_rows(s->carry, lane->start[step - 1], rows)
             : view_rows(view_of(t->no_carry, b->B, s->carry.cols), lane->first, rows);
    if (d->hard) {
        out.attention.score = view_rows(view_of(t->hard.score, M, s->weight.cols), row, rows);
        out.base = view_rows(view_of(t->hard.base, M, d->H), row, rows);
    }
    for (int l = 0; l < d->layers; l++)
        out.layer[l] = layer_rows_of(d, t, s, drop, M, l, row, rows);
    return out;
}
