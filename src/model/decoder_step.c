/* The decoder, forward through one step: what training and search share, and search's own
 * interface. */
#include "model/decoder_parts.h"

#include "nn/pool.h"
#include "tensor/vec.h"

#include <string.h>

/* ---- One step ---- */

static void attend(const struct decoder *d, struct gemm_scratch *gemm, struct step_rows *s,
                   struct view asking)
{
    s->attention.state = asking;
    s->attention.query = query_part(d, s);
    d->attention.ops->forward(&d->attention, &s->attention);
    if (!d->direct) {
        pool_forward(&s->attention, 1, s->value, pooled_part(d, s));
        return;
    }
    for (int i = 0; i < s->context.rows; i++)
        vec_zero(s->context.at + i * s->context.row, (size_t)d->C);
    pool_forward(&s->attention, d->attention.dims.heads, s->value, s->context);
    gemm_packed(gemm, s->context, &d->context, pooled_part(d, s), true);
}

static void copy_rows(struct view to, struct view from)
{
    for (int i = 0; i < to.rows; i++)
        memcpy(to.at + i * to.row, from.at + i * from.row, (size_t)to.cols * sizeof(real));
}

static void add_rows(struct view to, struct view from)
{
    for (int i = 0; i < to.rows; i++)
        vec_add(to.at + i * to.row, from.at + i * from.row, (size_t)to.cols);
}

/* s_l = cell(frame_l, previous); the next layer's input, or the top output, is s_l (+ x_l). */
static void layer_forward(const struct decoder *d, struct gemm_scratch *gemm, struct step_rows *s,
                          int l)
{
    struct layer_rows *rows = &s->layer[l];
    const bool top = l == top_layer(d);
    if (l > 0)
        gemm_packed(gemm, rows->x, &d->layer[l].input, input_part(d, l, rows->frame), true);
    if (d->luong || !top)
        gemm_packed(gemm, rows->asked, &d->layer[l].state, state_and_query_part(d, l, rows->frame),
                    true);
    if (d->normalise)
        layer_norm_forward(&d->layer[l].norm, d->layer[l].bias.value, cell_part(d, l, rows->frame),
                           rows->normal, rows->scale);
    d->cell->forward(cell_part(d, l, rows->frame), rows->previous, rows->state);
    const struct view out = top ? s->top : s->layer[l + 1].x;
    copy_rows(out, view_cols(rows->state, 0, d->H));
    if (d->residual && l > 0)
        add_rows(out, rows->x);
    if (!top && s->drop)
        dropout_rows(s->drop, DROPOUT_DECODER_LAYER + DROPOUT_SITES * (l + 1), out, s->place, 0,
                     out.rows);
}

void decoder_step_rows(const struct decoder *d, struct gemm_scratch *gemm, struct step_rows *s)
{
    struct layer_rows *top = &s->layer[top_layer(d)];
    if (!d->luong) {
        gemm_packed(gemm, top->asked, &d->layer[top_layer(d)].state,
                    state_and_query_part(d, top_layer(d), top->frame), true);
        attend(d, gemm, s, top->asked);
    } else if (d->feeding) {
        gemm_packed(gemm, s->fed, &d->feed, input_part(d, 0, s->layer[0].frame), true);
    }
    for (int l = 0; l < d->layers; l++)
        layer_forward(d, gemm, s, l);
    if (!d->luong)
        return;
    gemm_packed(gemm, s->top, &d->after, s->after, true);
    attend(d, gemm, s, s->top);
    for (int i = 0; i < s->after.rows; i++)
        vec_tanh(s->after.at + i * s->after.row, (size_t)d->H);
}

void decoder_readout(const struct decoder *d, struct view pre, struct view o)
{
    for (int i = 0; i < o.rows; i++) {
        const real *from = pre.at + i * pre.row;
        real *to = o.at + i * o.row;
        if (d->readout == READOUT_MAXOUT) {
            for (int r = 0; r < d->R; r++)
                to[r] = from[2 * r] > from[2 * r + 1] ? from[2 * r] : from[2 * r + 1];
            continue;
        }
        memcpy(to, from, (size_t)d->R * sizeof(real));
        if (d->readout == READOUT_TANH)
            vec_tanh(to, (size_t)d->R);
    }
}

/* ---- What the encoder hands over ---- */

void decoder_fixed(const struct decoder *d, const struct batch *b, struct view memory, real *fixed,
                   int *start, int *length, int from, int to)
{
    const size_t h = (size_t)d->H;
    for (int i = from; i < to; i++) {
        const real *first = memory.at + b->memory_start[i] * memory.row;
        const real *last = first + (b->memory_length[i] - 1) * memory.row;
        real *c = fixed + (size_t)i * (size_t)d->C;
        memcpy(c, last, h * sizeof(real));
        memcpy(c + h, first + h, ((size_t)d->C - h) * sizeof(real));
        start[i] = i;
        length[i] = 1;
    }
}

void decoder_fold(const struct decoder *d, struct view annotation, struct view key, int from,
                  int to)
{
    for (int i = from; i < to; i++) {
        const real *h = annotation.at + i * annotation.row;
        real *k = key.at + i * key.row;
        memcpy(k, h, (size_t)d->H * sizeof(real));
        if (d->C > d->H)
            vec_add(k, h + d->H, (size_t)d->H);
    }
}

static void mean_annotation(const struct decoder *d, const struct batch *b, const real *memory,
                            int sentence, real *mean)
{
    const size_t C = (size_t)d->C;
    const int n = b->memory_length[sentence];
    vec_zero(mean, C);
    for (int j = 0; j < n; j++)
        vec_add(mean, memory + (size_t)(b->memory_start[sentence] + j) * C, C);
    for (size_t i = 0; i < C; i++)
        mean[i] /= (real)n;
}

void decoder_first(const struct decoder *d, const struct batch *b,
                   const struct encoder_tape *encoded, int l, real *first, struct view start,
                   int from, int to)
{
    const size_t h = (size_t)d->H, C = (size_t)d->C, W = (size_t)record_state(d);
    for (int i = from; i < to; i++) {
        real *s = start.at + i * start.row;
        vec_zero(s, W);
        if (d->start == START_COPY)
            memcpy(s, encoded->last + ((size_t)l * (size_t)b->B + (size_t)i) * W, W * sizeof(real));
        if (!starts_by_product(d))
            continue;
        memcpy(s, d->b_start[l].value, h * sizeof(real));
        const int row = b->memory_start[i] + (C > h ? 0 : b->memory_length[i] - 1);
        if (d->start == START_MEAN)
            mean_annotation(d, b, encoded->memory, i, first + (size_t)i * C);
        else
            memcpy(first + (size_t)i * h, encoded->memory + (size_t)row * C + (C - h),
                   h * sizeof(real));
    }
}

/* ---- Search ---- */

static struct view record_part(const struct decoder *d, struct view record, int l)
{
    return view_cols(record, l * record_state(d), record_state(d));
}

static struct view record_fed(const struct decoder *d, struct view record)
{
    return view_cols(record, d->layers * record_state(d), d->feeding ? d->H : 0);
}

static struct view record_carry(const struct decoder *d, struct view record)
{
    const int from = d->layers * record_state(d) + (d->feeding ? d->H : 0);
    return view_cols(record, from, record.cols - from);
}

void decoder_begin(const struct decoder *d, struct compute *c, const struct decoder_begin *begin,
                   struct decoder_memory *memory, struct view record)
{
    const struct batch *b = begin->batch;
    const struct view all = view_const(begin->encoded->memory, b->source_rows, d->C);
    *memory = (struct decoder_memory){b->memory_start, b->memory_length, all, {0}, b->S};
    if (is_fixed(d)) {
        decoder_fixed(d, b, all, begin->fixed, begin->span_start, begin->span_length, 0, begin->B);
        *memory = (struct decoder_memory){
            begin->span_start, begin->span_length, view_of(begin->fixed, begin->B, d->C), {0}, 1};
    }
    memory->projected =
        view_of(begin->projected, memory->annotation.rows, decoder_projected_width(d));
    if (folds(d))
        decoder_fold(d, memory->annotation, key_part(d, memory->projected), 0,
                     memory->annotation.rows);
    linear_forward(c, memory->annotation, &d->project,
                   view_cols(memory->projected, product_from(d), d->project.N), false);
    for (int i = 0; i < begin->B; i++)
        vec_zero(record.at + i * record.row, (size_t)record.cols);
    for (int l = 0; l < d->layers; l++) {
        const struct view start = record_part(d, record, l), s = view_cols(start, 0, d->H);
        decoder_first(d, b, begin->encoded, l, begin->first, start, 0, begin->B);
        if (!starts_by_product(d))
            continue;
        linear_forward(c, view_of(begin->first, begin->B, first_width(d)), &d->start_w[l], s, true);
        for (int i = 0; i < begin->B; i++)
            vec_tanh(s.at + i * s.row, (size_t)d->H);
    }
}

/* Work space of a step, handed out in order. */
static struct view take(real **work, int rows, int cols)
{
    const struct view v = view_of(*work, rows, cols);
    *work += (size_t)rows * (size_t)cols;
    return v;
}

size_t decoder_step_work(const struct decoder *d, int rows)
{
    int each = d->E + d->H + after_width(d) + d->C + d->RR + d->R;
    for (int l = 0; l < d->layers; l++)
        each += frame_width(d, l) + d->H + slots_width(d) + d->cell->slots;
    return (size_t)rows * (size_t)each;
}

/* Views of one step; the embedding's share and the biases are in the frames on return. */
static struct step_rows lay_step(const struct decoder *d, struct compute *c,
                                 const struct decoder_memory *m, const struct decoder_step *step,
                                 struct view emb, real *work)
{
    const int rows = step->rows;
    struct step_rows s = {.attention = {.start = m->start,
                                        .length = m->length,
                                        .sentence = step->sentence,
                                        .key = key_part(d, m->projected),
                                        .weight = step->weight,
                                        .carry_in = record_carry(d, step->previous),
                                        .carry_out = record_carry(d, step->next)},
                          .value = d->direct ? m->annotation : value_part(d, m->projected),
                          .top = take(&work, rows, d->H),
                          .after = take(&work, rows, after_width(d)),
                          .fed = record_fed(d, step->previous),
                          .context = take(&work, rows, d->C)};
    for (int l = 0; l < d->layers; l++) {
        const struct view previous = record_part(d, step->previous, l);
        s.layer[l] = (struct layer_rows){.frame = take(&work, rows, frame_width(d, l)),
                                         .x = take(&work, rows, d->H),
                                         .previous = previous,
                                         .asked = view_cols(previous, 0, d->H),
                                         .state = record_part(d, step->next, l),
                                         .normal = take(&work, rows, slots_width(d)),
                                         .scale = take(&work, rows, d->cell->slots)};
        linear_start(c, s.layer[l].frame, d->layer[l].frame_bias);
    }
    if (d->luong)
        linear_start(c, s.after, d->after_bias);
    linear_forward(c, emb, &d->embed, view_cols(s.layer[0].frame, 0, d->embed.N), true);
    return s;
}

void decoder_step(const struct decoder *d, struct compute *c, const struct decoder_memory *m,
                  const struct decoder_step *step)
{
    real *work = step->work;
    const struct view emb = take(&work, step->rows, d->E), o = take(&work, step->rows, d->R);
    struct view pre = take(&work, step->rows, d->RR);
    embedding_forward(d->embedding, c, step->token, emb);
    struct step_rows s = lay_step(d, c, m, step, emb, work);
    decoder_step_rows(d, &c->gemm, &s);
    if (d->luong) {
        const struct view r = view_cols(s.after, 0, d->H);
        linear_start(c, pre, d->b_readout.value);
        linear_forward(c, r, &d->read, pre, true);
        if (d->feeding)
            copy_rows(record_fed(d, step->next), r);
    } else {
        pre = view_cols(s.layer[0].frame, 0, d->RR);
        linear_forward(c, s.top, &d->read, pre, true);
    }
    decoder_readout(d, pre, o);
    linear_start(c, step->logits, d->output.b.value);
    linear_forward(c, o, &d->output.forward, step->logits, true);
}
