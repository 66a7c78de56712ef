/* What the encoder gives to the decoder, and the gradient on the way back: keys and values, the
 * fixed contexts of attention `none`, start states, and the words that can be copied. */
#include "model/decoder_train.h"

#include "tensor/vec.h"

#include <string.h>

/* ---- Keys and values ---- */

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

/* Through the values that layer l reads; added to d_h. */
static void value_gradients(const struct back *k, int l, struct view d_h)
{
    const struct decoder *d = k->d;
    const struct view d_values = value_of(d, l, value_part(d, k->d_projected));
    if (d->layer[l].columns.readout)
        linear_grad_input(k->c, pooled_readout(d, l, d_values), param_view(&d->R_context), d_h,
                          true);
    linear_grad_input(k->c, pooled_input(d, l, d_values), param_view(&d->layer[l].W_context), d_h,
                      true);
}

/* Overwrites d_h with the gradient of the annotations through keys and values. */
static void annotation_gradients(const struct back *k, struct view d_h)
{
    const struct decoder *d = k->d;
    const bool keys = d->attention.ops->keys == ATTENTION_PROJECTED_KEYS;
    int from, to;
    worker_share(k->c->worker, d_h.cols, gemm_column_block(), &from, &to);
    for (int i = 0; i < d_h.rows; i++) {
        real *row = d_h.at + i * d_h.row;
        if (k->t->direct)
            memcpy(row + from, k->t->d_value + (size_t)i * (size_t)d->C + from,
                   (size_t)(to - from) * sizeof(real));
        else
            vec_zero(row + from, (size_t)(to - from));
        const real *d_key = k->d_projected.at + i * k->d_projected.row;
        for (int j = from; j < to && folds(d); j++)
            row[j] += d_key[j % d->H];
    }
    if (keys)
        linear_grad_input(k->c, key_part(d, k->d_projected), param_view(&d->attention.W_key), d_h,
                          true);
    if (k->t->direct)
        return;
    for (int l = 0; l < d->layers; l++)
        if (reads(d, l))
            value_gradients(k, l, d_h);
}

/* ---- Fixed contexts ---- */

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

/* The fixed context consists of the first and the last annotation, so only these get a gradient. */
static void fixed_backward(const struct back *k, struct view d_memory, int from, int to)
{
    const struct decoder *d = k->d;
    const size_t h = (size_t)d->H;
    for (int i = from; i < to; i++) {
        real *first = d_memory.at + k->b->memory_start[i] * d_memory.row;
        real *last = first + (k->b->memory_length[i] - 1) * d_memory.row;
        const real *d_c = k->t->d_fixed + (size_t)i * (size_t)d->C;
        for (int j = 0; j < k->b->memory_length[i]; j++)
            vec_zero(first + j * d_memory.row, (size_t)d->C);
        vec_add(last, d_c, h);
        vec_add(first + h, d_c + h, (size_t)d->C - h);
    }
}

/* ---- Start states ---- */

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
    const int layer = d->layer[l].state_number;
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

/* s_0 = tanh(first W + b), for layer l. The gradient of `first` is added to the annotations'. */
static void start_backward(const struct back *k, struct view d_memory, int l)
{
    const struct decoder *d = k->d;
    const struct decoder_layer_tape *t = &k->t->layer[l];
    const int W = record_state(d), width = first_width(d);
    const struct view d_s = view_strided(t->d_start, k->b->B, d->H, W);
    const struct view d_first = view_of(k->t->d_first, k->b->B, width);
    int from, to;
    worker_share(k->c->worker, k->b->B, 1, &from, &to);
    for (int i = from; i < to; i++)
        for (int h = 0; h < d->H; h++)
            d_s.at[i * W + h] *= 1 - t->start[i * W + h] * t->start[i * W + h];
    worker_meet(k->c->worker);
    linear_grad_weight(k->c, view_of(k->t->first[l], k->b->B, width), d_s,
                       param_grad(&d->W_start[l]));
    linear_grad_bias(k->c, d_s, d->b_start[l].grad);
    linear_grad_input(k->c, d_s, param_view(&d->W_start[l]), d_first, false);
    worker_meet(k->c->worker);
    for (int i = from; i < to; i++) {
        const int n = k->b->memory_length[i], row = k->b->memory_start[i];
        const real *d_f = d_first.at + i * d_first.row;
        if (d->start == START_LAST) {
            vec_add(d_memory.at + (row + (d->C > d->H ? 0 : n - 1)) * d_memory.row + (d->C - d->H),
                    d_f, (size_t)d->H);
            continue;
        }
        for (int j = 0; j < n; j++)
            for (int c = 0; c < d->C; c++)
                d_memory.at[(row + j) * d_memory.row + c] += d_f[c] / (real)n;
    }
    worker_meet(k->c->worker);
}

/* ---- Words to copy ---- */

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

/* ---- Back to the encoder ---- */

void decoder_memory_gradients(const struct back *k, struct encoder_tape *encoded)
{
    const struct decoder *d = k->d;
    const struct view d_memory = view_of(encoded->d_memory, k->b->memory_rows, d->C);
    int from, to;
    worker_share(k->c->worker, k->b->B, 1, &from, &to);
    annotation_gradients(k, is_fixed(d) ? view_of(k->t->d_fixed, k->b->B, d->C) : d_memory);
    worker_meet(k->c->worker);
    if (is_fixed(d))
        fixed_backward(k, d_memory, from, to);
    worker_meet(k->c->worker);
    const size_t W = (size_t)record_state(d);
    for (int l = 0; l < d->layers; l++) {
        if (!keeps(d, l))
            continue;
        if (starts_by_product(d))
            start_backward(k, d_memory, l);
        else if (d->start == START_COPY)
            memcpy(encoded->d_last +
                       ((size_t)d->layer[l].state_number * (size_t)k->b->B + (size_t)from) * W,
                   k->t->layer[l].d_start + (size_t)from * W,
                   (size_t)(to - from) * W * sizeof(real));
    }
    worker_meet(k->c->worker);
}
