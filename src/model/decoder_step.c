/* The decoder, forward through one step: what training and search share. */
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
    if (!s->direct) {
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

static void state_forward(const struct decoder *d, struct gemm_scratch *gemm, struct step_rows *s,
                          int l)
{
    gemm_packed(gemm, s->layer[l].asked, &d->layer[l].state,
                state_and_query_part(d, l, s->layer[l].frame), true);
}

void decoder_ask(const struct decoder *d, struct gemm_scratch *gemm, struct step_rows *s)
{
    for (int l = 0; l < d->layers; l++)
        if (!is_second(d, l))
            state_forward(d, gemm, s, l);
    if (asks_first(d))
        attend(d, gemm, s, s->layer[asking_layer(d)].asked);
    else if (d->feeding)
        gemm_packed(gemm, s->fed, &d->feed, input_part(d, 0, s->layer[0].frame), true);
}

/* conditional, between the first layer's cells: the state that has read the word asks, the context
 * and the word's share of the readout go into the second cell's frame. */
static void second_forward(const struct decoder *d, struct gemm_scratch *gemm, struct step_rows *s)
{
    state_forward(d, gemm, s, 1);
    attend(d, gemm, s, s->layer[1].asked);
    add_rows(view_cols(s->layer[1].frame, 0, d->RR), view_cols(s->layer[0].frame, 0, d->RR));
}

/* s_l = cell(frame_l, previous); the next layer's input, or the top output, is s_l (+ x_l). */
static void layer_forward(const struct decoder *d, struct gemm_scratch *gemm, struct step_rows *s,
                          int l)
{
    struct layer_rows *rows = &s->layer[l];
    const bool top = l == top_layer(d);
    if (is_second(d, l))
        second_forward(d, gemm, s);
    if (reads_below(d, l))
        gemm_packed(gemm, rows->x, &d->layer[l].input, input_part(d, l, rows->frame), true);
    if (d->normalise)
        layer_norm_forward(&d->layer[l].norm, d->layer[l].bias.value, cell_part(d, l, rows->frame),
                           rows->normal, rows->scale);
    d->cell->forward(cell_part(d, l, rows->frame), rows->previous, rows->state);
    if (is_second(d, l + 1))
        return;
    const struct view out = top ? s->top : s->layer[l + 1].x;
    copy_rows(out, view_cols(rows->state, 0, d->H));
    if (d->residual && reads_below(d, l))
        add_rows(out, rows->x);
    if (!top && s->drop)
        dropout_rows(s->drop, DROPOUT_DECODER_LAYER + DROPOUT_SITES * (l + 1), out, s->place, 0,
                     out.rows);
}

void decoder_move(const struct decoder *d, struct gemm_scratch *gemm, struct step_rows *s)
{
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

static int copied_word(const struct decoder *d, int word)
{
    const int unknown = 0;
    if (d->copy.target_of)
        return d->copy.target_of[word];
    return word < d->output.V ? word : unknown;
}

void decoder_lay_copies(const struct decoder *d, const struct batch *b,
                        const struct copy_source *copies, int from, int to)
{
    for (int i = from; i < to; i++) {
        for (int j = b->memory_start[i]; j < b->memory_start[i] + b->memory_length[i]; j++)
            copies->token[j] = copied_word(d, b->source_id[b->memory_row[j]]);
        copy_source_mark(copies, i);
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
    const int layer = state_index(d, l);
    for (int i = from; i < to; i++) {
        real *s = start.at + i * start.row;
        vec_zero(s, W);
        if (d->start == START_COPY)
            memcpy(s, encoded->last + ((size_t)layer * (size_t)b->B + (size_t)i) * W,
                   W * sizeof(real));
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
