/* The decoder step by step, as search uses it.
 *
 * Several hypotheses can continue one state. What depends on the state alone (decoder_ask) is
 * computed once per state and copied to its hypotheses. */
#include "model/decoder_parts.h"

#include "base/arena.h"
#include "nn/token_table.h"
#include "tensor/vec.h"

#include <string.h>

/* ---- Records ---- */

static struct view record_part(const struct decoder *d, struct view record, int l)
{
    return view_cols(record, d->layer[l].state_number * record_state(d), record_state(d));
}

static struct view record_fed(const struct decoder *d, struct view record)
{
    return view_cols(record, d->states * record_state(d), d->feeding ? d->H : 0);
}

/* Hard attention has none; its columns of the record come after this. */
static struct view record_carry(const struct decoder *d, struct view record)
{
    const int from = d->states * record_state(d) + (d->feeding ? d->H : 0);
    return view_cols(record, from, d->hard ? 0 : record.cols - from);
}

/* ---- Begin ---- */

void decoder_begin_bind(struct decoder_begin *begin, struct arena *arena, const struct decoder *d,
                        const struct batch *b)
{
    const size_t B = (size_t)b->B, N = (size_t)b->memory_rows,
                 width = (size_t)decoder_projected_width(d, d->direct);
    *begin = (struct decoder_begin){
        .fixed = arena_take(arena, sizeof(real), B * (size_t)d->C),
        .first = arena_take(arena, sizeof(real), B * (size_t)d->C),
        .span_start = arena_take(arena, sizeof(int), B),
        .span_length = arena_take(arena, sizeof(int), B),
        .projected = arena_take(arena, sizeof(real), N * width),
    };
    if (d->copy.used)
        copy_source_bind(&begin->copies, arena, b->memory_start, b->memory_length, b->memory_rows);
}

/* The first states of all layers. */
static void begin_states(const struct decoder *d, struct compute *c, const struct batch *b,
                         const struct encoder_tape *encoded, real *first, struct view record)
{
    for (int i = 0; i < b->B; i++)
        vec_zero(record.at + i * record.row, (size_t)record.cols);
    for (int l = 0; l < d->layers; l++) {
        if (!keeps(d, l))
            continue;
        const struct view start = record_part(d, record, l), s = view_cols(start, 0, d->H);
        decoder_first(d, b, encoded, l, first, start, 0, b->B);
        if (!starts_by_product(d))
            continue;
        linear_forward(c, view_of(first, b->B, first_width(d)), &d->start_w[l], s, true);
        for (int i = 0; i < b->B; i++)
            vec_tanh(s.at + i * s.row, (size_t)d->H);
    }
}

void decoder_begin(const struct decoder *d, struct compute *c, const struct decoder_begin *begin,
                   const struct batch *b, const struct encoder_tape *encoded,
                   struct decoder_memory *memory, struct view record)
{
    const struct view all = view_const(encoded->memory, b->memory_rows, d->C);
    *memory = (struct decoder_memory){
        .start = b->memory_start, .length = b->memory_length, .annotation = all, .S = b->S};
    if (is_fixed(d)) {
        decoder_fixed(d, b, all, begin->fixed, begin->span_start, begin->span_length, 0, b->B);
        *memory = (struct decoder_memory){.start = begin->span_start,
                                          .length = begin->span_length,
                                          .annotation = view_of(begin->fixed, b->B, d->C),
                                          .S = 1};
    }
    memory->projected =
        view_of(begin->projected, memory->annotation.rows, decoder_projected_width(d, d->direct));
    if (folds(d))
        decoder_fold(d, memory->annotation, key_part(d, memory->projected), 0,
                     memory->annotation.rows);
    const struct packed *project = d->direct ? &d->key : &d->project;
    linear_forward(c, memory->annotation, project,
                   view_cols(memory->projected, product_from(d), project->N), false);
    memory->copies = begin->copies;
    if (d->copy.used)
        decoder_lay_copies(d, b, &begin->copies, 0, b->B);
    begin_states(d, c, b, encoded, begin->first, record);
    if (d->hard)
        decoder_hard_begin(d, memory, record);
}

/* ---- Work space ---- */

/* Take the next rows of the workspace. */
static struct view take(real **work, int rows, int cols)
{
    const struct view v = view_of(*work, rows, cols);
    *work += (size_t)rows * (size_t)cols;
    return v;
}

size_t decoder_step_work(const struct decoder *d, int rows, int S)
{
    const int record = decoder_record_width(d, S) - joint_width(d, S);
    /* per row: for a hypothesis and for the state that it continues */
    int each = d->R + d->RR + d->H + d->C + record;
    each += (d->hard ? 3 : 1) * decoder_weight_width(d, S) + (d->hard ? d->H : 0);
    each += attention_carry_width(&d->attention, S) + d->C;
    for (int l = 0; l < d->layers; l++) {
        each += 2 * frame_width(d, l) + d->H + d->layer[l].columns.slots + d->cell->slots;
        each += keeps(d, l) ? 0 : record_state(d);
    }
    const struct tokens tokens = {d->embedding, &d->embed, NULL};
    const size_t enter = d->writes ? (size_t)rows * (size_t)d->E : tokens_work(&tokens, rows);
    return (size_t)rows * (size_t)each + enter + (size_t)(d->copy.used ? S : 0) +
           decoder_hard_work(d, S);
}

/* ---- States ---- */

/* Compute what depends on the states alone: frames without the embedding's share and, if a kept
 * state asks, weights and carry. */
static struct step_rows ask(const struct decoder *d, struct compute *c,
                            const struct decoder_memory *m, const struct decoder_step *step,
                            real **work)
{
    const int states = step->states;
    const struct view carry = record_carry(d, step->previous);
    struct step_rows s = {.attention = {.start = m->start,
                                        .length = m->length,
                                        .sentence = step->state_sentence,
                                        .key = key_part(d, m->projected),
                                        .weight = take(work, states, step->weight.cols),
                                        .carry_in = carry,
                                        .carry_out = take(work, states, carry.cols),
                                        .score = step->seen ? step->seen->score : (struct view){0},
                                        .focus = step->focus},
                          .direct = d->direct,
                          .value = d->direct ? m->annotation : value_part(d, m->projected),
                          .fed = record_fed(d, step->previous),
                          .context = take(work, states, d->C)};
    if (d->hard && d->asks_first && !s.attention.score.at)
        s.attention.score = take(work, states, step->weight.cols);
    for (int l = 0; l < d->layers; l++) {
        if (!begins_first(d, l))
            continue;
        s.layer[l].frame = take(work, states, frame_width(d, l));
        if (keeps(d, l))
            s.layer[l].asked = view_cols(record_part(d, step->previous, l), 0, d->H);
        linear_start(c, s.layer[l].frame, d->layer[l].frame_bias);
    }
    decoder_ask(d, &c->gemm, &s);
    return s;
}

/* ---- Hypotheses ---- */

/* Row i of `to` is the row of `from` that belongs to its state. */
static void spread(struct view to, struct view from, const int *state)
{
    for (int i = 0; i < to.rows; i++)
        memcpy(to.at + i * to.row, from.at + state[i] * from.row, (size_t)to.cols * sizeof(real));
}

/* A layer without a kept state continues the result of the layer below: a vector continues the top
 * output, a second cell a state that only these two layers see. */
static void hand_over(const struct decoder *d, const struct decoder_step *step, struct step_rows *s,
                      int l, real **work)
{
    struct layer_rows *layer = &s->layer[l];
    if (is_vector(d, l)) {
        layer->previous = s->top;
        layer->state = d->feeding ? record_fed(d, step->next) : take(work, step->rows, d->H);
    } else {
        layer->previous = s->layer[l - 1].state = take(work, step->rows, record_state(d));
    }
    layer->asked = view_cols(layer->previous, 0, d->H);
}

/* Add the share of the word y_{t-1}: emb [R_input | W_input] to the first frame, emb W_word to
 * those of skip links, which no table caches. */
static void enter_word(const struct decoder *d, struct compute *c, const struct decoder_step *step,
                       const struct step_rows *s, real *work)
{
    const struct tokens first = {d->embedding, &d->embed, step->tokens};
    tokens_add(&first, c, step->token, view_cols(s->layer[0].frame, 0, d->embed.N), work);
    for (int l = 0; l < d->layers; l++) {
        const struct tokens tokens = {d->embedding, &d->layer[l].word, NULL};
        if (skips(d, l))
            tokens_add(&tokens, c, step->token, input_part(d, l, s->layer[l].frame), work);
    }
}

/* The same for a stroke. */
static void enter_stroke(const struct decoder *d, struct compute *c,
                         const struct decoder_step *step, const struct step_rows *s, real *work)
{
    const struct view emb = view_of(work, step->rows, d->E);
    projection_forward(&d->stroke, c, step->stroke, emb);
    linear_forward(c, emb, &d->embed, view_cols(s->layer[0].frame, 0, d->embed.N), true);
    for (int l = 0; l < d->layers; l++)
        if (skips(d, l))
            linear_forward(c, emb, &d->layer[l].word, input_part(d, l, s->layer[l].frame), true);
}

/* Views of the hypotheses, filled with what their states have computed. */
static struct step_rows lay_rows(const struct decoder *d, struct compute *c,
                                 const struct decoder_step *step, const struct step_rows *asked,
                                 real **work)
{
    const int rows = step->rows;
    const int cols = step->previous.cols - joint_width(d, step->weight.cols);
    const struct view previous = take(work, rows, cols);
    spread(previous, view_cols(step->previous, 0, cols), step->state);
    struct step_rows s = {.attention = asked->attention,
                          .direct = d->direct,
                          .value = asked->value,
                          .top = take(work, rows, d->H),
                          .context = take(work, rows, d->C)};
    s.attention.sentence = step->sentence;
    s.attention.weight = step->weight;
    s.attention.carry_in = record_carry(d, previous);
    s.attention.carry_out = record_carry(d, step->next);
    if (d->hard) {
        s.base = take(work, rows, d->vector ? d->H : 0);
        s.attention.score = d->asks_first || !asked->attention.score.at
                                ? take(work, rows, step->weight.cols)
                                : asked->attention.score;
    }
    for (int l = 0; l < d->layers; l++) {
        s.layer[l] = (struct layer_rows){.frame = take(work, rows, frame_width(d, l)),
                                         .x = take(work, rows, d->H),
                                         .previous = record_part(d, previous, l),
                                         .state = record_part(d, step->next, l),
                                         .normal = take(work, rows, d->layer[l].columns.slots),
                                         .scale = take(work, rows, d->cell->slots)};
        if (begins_first(d, l))
            spread(s.layer[l].frame, asked->layer[l].frame, step->state);
        else
            linear_start(c, s.layer[l].frame, d->layer[l].frame_bias);
        if (!keeps(d, l))
            hand_over(d, step, &s, l, work);
    }
    (d->writes ? enter_stroke : enter_word)(d, c, step, &s, *work);
    if (d->asks_first) {
        spread(s.attention.weight, asked->attention.weight, step->state);
        spread(s.attention.carry_out, asked->attention.carry_out, step->state);
        if (d->hard)
            spread(s.attention.score, asked->attention.score, step->state);
    }
    return s;
}

/* Copy out the states and queries that asked, and the top cell's slots. */
static void show(const struct decoder_seen *seen, const struct attention_rows *attended,
                 struct view slots)
{
    if (seen->state.at)
        copy_rows(seen->state, attended->state);
    if (seen->query.at)
        copy_rows(seen->query, attended->query);
    if (seen->gates.at)
        copy_rows(seen->gates, slots);
}

void decoder_step(const struct decoder *d, struct compute *c, const struct decoder_memory *m,
                  const struct decoder_step *step)
{
    real *work = step->work;
    const struct view o = take(&work, step->rows, d->R);
    struct view pre = take(&work, step->rows, d->RR);
    const struct step_rows asked = ask(d, c, m, step, &work);
    struct step_rows s = lay_rows(d, c, step, &asked, &work);
    decoder_move(d, &c->gemm, &s);
    if (step->seen)
        show(step->seen, d->asks_first ? &asked.attention : &s.attention,
             cell_part(d, d->top, s.layer[d->top].frame));
    if (d->hard && d->vector) {
        decoder_hard_step(d, c, m, step, &s, s.base, work);
        return;
    }
    if (d->vector)
        linear_start(c, pre, d->b_readout.value);
    else
        pre = view_cols(s.layer[d->reading].frame, 0, d->RR);
    linear_forward(c, d->vector ? s.layer[d->layers - 1].state : s.top, &d->read, pre, true);
    for (int l = 0; l < d->layers; l++)
        if (skips(d, l))
            linear_forward(c, s.layer[l].x, &d->layer[l].read, pre, true);
    if (d->hard) {
        decoder_hard_step(d, c, m, step, &s, pre, work);
        return;
    }
    decoder_readout(d, pre, o);
    if (d->writes) {
        mixture_forward(&d->pen, c, o, step->pen);
        return;
    }
    if (step->words)
        logits_forward_words(step->words, c, o, step->sentence, &step->logits);
    else
        logits_forward(&d->output, c, o, &step->logits);
    if (d->copy.used)
        copy_logits(&d->copy, &m->copies,
                    &(struct copy_step){.sentence = step->sentence,
                                        .weight = step->weight,
                                        .heads = d->attention.dims.heads,
                                        .o = o,
                                        .logits = &step->logits,
                                        .work = work,
                                        .gate = step->gate});
}
