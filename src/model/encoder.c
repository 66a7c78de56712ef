#include "model/encoder.h"

#include "base/arena.h"
#include "base/bug.h"
#include "tensor/vec.h"

#include <stdio.h>
#include <string.h>

static void layer_path(char *path, size_t size, const char *direction, int layer, const char *cell)
{
    snprintf(path, size, "encoder.%d.%s.%s", layer, direction, cell);
}

/* Whether layer l reads pairs of rows of the layer below. */
static bool joins(const struct encoder *e, int l) { return l > 0 && l <= e->pyramid; }

/* Whether layer l adds its input to its output. */
static bool is_linked(const struct encoder *e, int l)
{
    return e->residual && l > 0 && !joins(e, l);
}

static int input_width(const struct encoder *e, int l)
{
    return l == 0 ? e->E : joins(e, l) ? 2 * e->C : e->C;
}

void encoder_declare(struct encoder *e, struct param_set *set,
                     const struct attend_network_options *config)
{
    const struct cell_ops *cell = cell_find(config->cell ? config->cell : "gru");
    *e = (struct encoder){.width = config->source_width,
                          .layers = config->encoder_layers,
                          .pyramid = config->pyramid,
                          .E = config->emb,
                          .H = config->hidden,
                          .C = model_config_annotation(config),
                          .both = !config->unidirectional,
                          .residual = config->residual};
    if (e->width)
        projection_declare(&e->frames, set, "encoder.frames", e->width, e->E);
    else
        embedding_declare(&e->embedding, set, "encoder.embedding", config->source_vocab, e->E);
    for (int l = 0; l < e->layers; l++) {
        char path[48];
        const int X = input_width(e, l);
        layer_path(path, sizeof path, "forward", l, cell->name);
        rnn_declare(&e->forward[l], set, path, cell, X, e->H, config->layer_norm);
        layer_path(path, sizeof path, "backward", l, cell->name);
        if (e->both)
            rnn_declare(&e->backward[l], set, path, cell, X, e->H, config->layer_norm);
    }
}

void encoder_bind(struct encoder *e, struct arena *arena, enum packing packing)
{
    if (e->width)
        projection_bind(&e->frames, arena, packing);
    for (int l = 0; l < e->layers; l++) {
        rnn_bind(&e->forward[l], arena, packing);
        if (e->both)
            rnn_bind(&e->backward[l], arena, packing);
    }
}

void encoder_pack(struct encoder *e, struct compute *c, bool training)
{
    if (e->width)
        projection_pack(&e->frames, c);
    for (int l = 0; l < e->layers; l++) {
        rnn_pack(&e->forward[l], c, training);
        if (e->both)
            rnn_pack(&e->backward[l], c, training);
    }
}

static int state_width(const struct encoder *e) { return e->forward[0].cell->states * e->H; }

/* The rows of layer l. */
static const struct batch_level *level_of(const struct batch *b, int l)
{
    return &b->level[l < b->pyramid ? l : b->pyramid];
}

static void bind_layer(struct encoder_tape *tape, struct arena *arena, const struct encoder *e,
                       const struct batch *b, int l, int team, bool training)
{
    const int N = level_of(b, l)->rows;
    const size_t elements = (size_t)N * (size_t)e->forward[l].X;
    tape->x[l] = arena_take(arena, sizeof(real), elements);
    tape->d_x[l] = training ? arena_take(arena, sizeof(real), elements) : NULL;
    rnn_tape_bind(&tape->forward[l], arena, &e->forward[l], N, b->B, team, training);
    if (e->both)
        rnn_tape_bind(&tape->backward[l], arena, &e->backward[l], N, b->B, team, training);
}

void encoder_tape_bind(struct encoder_tape *tape, struct arena *arena, const struct encoder *e,
                       const struct batch *b, int team, bool training)
{
    BUG_ON(b->width != e->width || b->pyramid != e->pyramid);
    const size_t memory = (size_t)b->memory_rows * (size_t)e->C;
    const size_t last = (size_t)e->layers * (size_t)b->B * (size_t)state_width(e);
    tape->embedding_scale = NULL;
    for (int l = 0; l < e->layers; l++)
        bind_layer(tape, arena, e, b, l, team, training);
    tape->memory = arena_take(arena, sizeof(real), memory);
    tape->last = arena_take(arena, sizeof(real), last);
    tape->d_memory = training ? arena_take(arena, sizeof(real), memory) : NULL;
    tape->d_last = training ? arena_take(arena, sizeof(real), last) : NULL;
    tape->tables = NULL;
    tape->work = NULL;
    const struct tokens tokens = rnn_tokens(&e->forward[0], &e->embedding, NULL);
    if (!training && !e->width)
        tape->work = arena_take(arena, sizeof(real), tokens_work(&tokens, b->source_rows));
}

/* ---- Dropout ---- */

static void drop_input(const struct compute *c, struct view x, int layer, const struct batch *b,
                       const struct dropouts *drop)
{
    int from, to;
    worker_share(c->worker, x.rows, 1, &from, &to);
    dropout_rows(&drop->plain,
                 (layer ? DROPOUT_ENCODER_LAYER : DROPOUT_SOURCE) + DROPOUT_SITES * layer, x,
                 level_of(b, layer)->place, from, to);
    if (layer == 0)
        dropout_words(&drop->words, DROPOUT_SOURCE, x, b->level[0].place, from, to);
}

/* One mask for all annotations of a sentence, so that it can be applied before their projection
 * (see decoder.h). */
static void drop_annotations(const struct compute *c, real *memory, int C, const struct batch *b,
                             const struct dropouts *drop)
{
    int from, to;
    worker_share(c->worker, b->B, 1, &from, &to);
    for (int i = from; i < to; i++)
        for (int j = 0; j < b->memory_length[i]; j++)
            dropout_row(&drop->plain, DROPOUT_ANNOTATION, b->item[i], 0,
                        memory + (size_t)(b->memory_start[i] + j) * (size_t)C, C);
}

static struct rnn_mask mask_of(const struct batch *b, const struct dropouts *drop, int layer,
                               bool backward)
{
    return (struct rnn_mask){.dropout = &drop->recurrent,
                             .site = (backward ? DROPOUT_BACKWARD_STATE : DROPOUT_FORWARD_STATE) +
                                     DROPOUT_SITES * layer,
                             .place = level_of(b, layer)->place};
}

/* ---- Between layers: y = [forward; backward] (+ x), or pairs of y ---- */

/* Write the output of layer l at one row to y (C). */
static void output_row(const struct encoder *e, const struct encoder_tape *tape, int l, int row,
                       real *y)
{
    const size_t h = (size_t)e->H, W = (size_t)state_width(e), at = (size_t)row;
    memcpy(y, tape->forward[l].state + at * W, h * sizeof(real));
    if (e->both)
        memcpy(y + h, tape->backward[l].state + at * W, h * sizeof(real));
    if (is_linked(e, l))
        vec_add(y, tape->x[l] + at * (size_t)e->C, (size_t)e->C);
}

/* The reverse: d_y (C) becomes the gradient of the states and, through the residual link, of the
 * input. Other parts of a state, such as an LSTM's cell, get none. */
static void output_row_backward(const struct encoder *e, const struct encoder_tape *tape, int l,
                                int row, const real *d_y)
{
    const size_t h = (size_t)e->H, W = (size_t)state_width(e), at = (size_t)row;
    real *forward = tape->forward[l].d_state + at * W;
    memcpy(forward, d_y, h * sizeof(real));
    vec_zero(forward + h, W - h);
    if (e->both) {
        real *backward = tape->backward[l].d_state + at * W;
        memcpy(backward, d_y + h, h * sizeof(real));
        vec_zero(backward + h, W - h);
    }
}

/* The row of layer l - 1 that is part 0 or 1 of a row of layer l; -1: there is none. */
static int row_below(const struct encoder *e, const struct batch *b, int l, int row, int part)
{
    return joins(e, l) ? level_of(b, l)->below[2 * row + part] : row;
}

static void next_input(const struct encoder *e, const struct encoder_tape *tape,
                       const struct compute *c, const struct batch *b, int l)
{
    const int parts = joins(e, l + 1) ? 2 : 1;
    real *y = tape->x[l + 1];
    int from, to;
    worker_share(c->worker, level_of(b, l + 1)->rows, 1, &from, &to);
    y += (size_t)from * (size_t)parts * (size_t)e->C;
    for (int row = from; row < to; row++)
        for (int part = 0; part < parts; part++, y += e->C) {
            const int below = row_below(e, b, l + 1, row, part);
            if (below >= 0)
                output_row(e, tape, l, below, y);
            else
                vec_zero(y, (size_t)e->C);
        }
}

/* The row whose state has read the whole sentence: the last one in its direction. */
static int last_row(const struct encoder *e, const struct batch *b, int sentence, int l)
{
    return level_of(b, l)->ends[2 * sentence + !e->both];
}

static const struct rnn_tape *last_tape(const struct encoder *e, const struct encoder_tape *tape,
                                        int l)
{
    return e->both ? &tape->backward[l] : &tape->forward[l];
}

static void gather(const struct encoder *e, const struct encoder_tape *tape,
                   const struct compute *c, const struct batch *b)
{
    const size_t W = (size_t)state_width(e);
    int from, to;
    worker_share(c->worker, b->memory_rows, 1, &from, &to);
    for (int m = from; m < to; m++)
        output_row(e, tape, e->layers - 1, b->memory_row[m],
                   tape->memory + (size_t)m * (size_t)e->C);
    worker_share(c->worker, b->B, 1, &from, &to);
    for (int l = 0; l < e->layers; l++)
        for (int i = from; i < to; i++)
            memcpy(tape->last + ((size_t)l * (size_t)b->B + (size_t)i) * W,
                   last_tape(e, tape, l)->state + (size_t)last_row(e, b, i, l) * W,
                   W * sizeof(real));
}

/* Compute the first layer's input from the tables. */
static void input_tokens(const struct encoder *e, struct encoder_tape *tape, struct compute *c,
                         const struct batch *b)
{
    const struct tokens ahead = rnn_tokens(&e->forward[0], &e->embedding, tape->tables->forward),
                        back = rnn_tokens(&e->backward[0], &e->embedding, tape->tables->backward);
    rnn_input_tokens(&e->forward[0], &tape->forward[0], c, &ahead, b->source_id, tape->work);
    if (e->both)
        rnn_input_tokens(&e->backward[0], &tape->backward[0], c, &back, b->source_id, tape->work);
}

/* Scale the rows that embedding_forward assigned to this member. */
static void scale_embeddings(const struct compute *c, struct view x, const real *scale,
                             const struct batch *b)
{
    int from, to;
    worker_share(c->worker, x.rows, 1, &from, &to);
    for (int row = from; row < to; row++)
        for (int i = 0; i < x.cols; i++)
            x.at[row * x.row + i] *= scale[b->level[0].place[2 * row]];
}

static struct view frames_of(const struct batch *b)
{
    return view_of(b->source_frame, b->source_rows, b->width);
}

static void embed(const struct encoder *e, const struct encoder_tape *tape, struct compute *c,
                  const struct batch *b, struct view x)
{
    if (e->width) {
        projection_forward(&e->frames, c, frames_of(b), x);
        worker_meet(c->worker); /* it shares columns; what follows shares rows */
    } else {
        embedding_forward(&e->embedding, c, b->source_id, x);
    }
    if (tape->embedding_scale)
        scale_embeddings(c, x, tape->embedding_scale, b);
}

static void input(const struct encoder *e, struct encoder_tape *tape, struct compute *c,
                  const struct batch *b, const struct dropouts *drop, int l)
{
    const struct view x = view_of(tape->x[l], level_of(b, l)->rows, e->forward[l].X);
    if (l == 0)
        embed(e, tape, c, b, x);
    drop_input(c, x, l, b, drop);
    rnn_input(&e->forward[l], &tape->forward[l], c, x);
    if (e->both)
        rnn_input(&e->backward[l], &tape->backward[l], c, x);
}

void encoder_forward(const struct encoder *e, struct encoder_tape *tape, struct compute *c,
                     const struct batch *b, const struct dropouts *drop)
{
    for (int l = 0; l < e->layers; l++) {
        const struct steps *lane = &level_of(b, l)->lane[c->worker->index];
        const struct rnn_mask ahead = mask_of(b, drop, l, false), back = mask_of(b, drop, l, true);
        if (l == 0 && tape->tables && !e->width)
            input_tokens(e, tape, c, b);
        else
            input(e, tape, c, b, drop, l);
        worker_meet(c->worker);
        rnn_forward(&e->forward[l], &tape->forward[l], c, lane, false, &ahead);
        if (e->both)
            rnn_forward(&e->backward[l], &tape->backward[l], c, lane, true, &back);
        worker_meet(c->worker);
        if (l + 1 < e->layers)
            next_input(e, tape, c, b, l);
    }
    gather(e, tape, c, b);
    worker_meet(c->worker);
    drop_annotations(c, tape->memory, e->C, b, drop);
    worker_meet(c->worker);
}

/* ---- Backward ---- */

static void scatter(const struct encoder *e, const struct encoder_tape *tape,
                    const struct compute *c, const struct batch *b)
{
    int from, to;
    worker_share(c->worker, b->memory_rows, 1, &from, &to);
    for (int m = from; m < to; m++) {
        const real *d_y = tape->d_memory + (size_t)m * (size_t)e->C;
        const int row = b->memory_row[m];
        output_row_backward(e, tape, e->layers - 1, row, d_y);
        if (is_linked(e, e->layers - 1))
            memcpy(tape->d_x[e->layers - 1] + (size_t)row * (size_t)e->C, d_y,
                   (size_t)e->C * sizeof(real));
    }
}

/* d_y of layer l is d_x of the one above, or a half of it. */
static void pass_down(const struct encoder *e, const struct encoder_tape *tape,
                      const struct compute *c, const struct batch *b, int l)
{
    const int parts = joins(e, l + 1) ? 2 : 1;
    const real *d_y = tape->d_x[l + 1];
    int from, to;
    worker_share(c->worker, level_of(b, l + 1)->rows, 1, &from, &to);
    d_y += (size_t)from * (size_t)parts * (size_t)e->C;
    for (int row = from; row < to; row++)
        for (int part = 0; part < parts; part++, d_y += e->C) {
            const int below = row_below(e, b, l + 1, row, part);
            if (below < 0)
                continue;
            output_row_backward(e, tape, l, below, d_y);
            if (is_linked(e, l))
                memcpy(tape->d_x[l] + (size_t)below * (size_t)e->C, d_y,
                       (size_t)e->C * sizeof(real));
        }
}

static void add_last(const struct encoder *e, const struct encoder_tape *tape,
                     const struct compute *c, const struct batch *b, int l)
{
    const size_t W = (size_t)state_width(e);
    int from, to;
    worker_share(c->worker, b->B, 1, &from, &to);
    for (int i = from; i < to; i++)
        vec_add(last_tape(e, tape, l)->d_state + (size_t)last_row(e, b, i, l) * W,
                tape->d_last + ((size_t)l * (size_t)b->B + (size_t)i) * W, W);
}

static void layer_backward(const struct encoder *e, struct encoder_tape *tape, struct compute *c,
                           const struct batch *b, const struct dropouts *drop, int l)
{
    const struct batch_level *level = level_of(b, l);
    const struct steps *lane = &level->lane[c->worker->index];
    const struct view x = view_of(tape->x[l], level->rows, e->forward[l].X);
    const struct view d_x = view_of(tape->d_x[l], level->rows, e->forward[l].X);
    const struct rnn_mask ahead = mask_of(b, drop, l, false), back = mask_of(b, drop, l, true);
    const bool linked = is_linked(e, l);
    if (e->both)
        rnn_backward(&e->backward[l], &tape->backward[l], c, lane, true, &back);
    rnn_backward(&e->forward[l], &tape->forward[l], c, lane, false, &ahead);
    worker_meet(c->worker);
    if (e->both)
        rnn_end(&e->backward[l], &tape->backward[l], c, x, d_x, linked);
    rnn_end(&e->forward[l], &tape->forward[l], c, x, d_x, linked || e->both);
    worker_meet(c->worker);
    drop_input(c, d_x, l, b, drop);
    worker_meet(c->worker);
}

void encoder_backward(const struct encoder *e, struct encoder_tape *tape, struct compute *c,
                      const struct batch *b, const struct dropouts *drop, bool copied)
{
    drop_annotations(c, tape->d_memory, e->C, b, drop);
    worker_meet(c->worker);
    scatter(e, tape, c, b);
    for (int l = e->layers - 1; l >= 0; l--) {
        worker_meet(c->worker);
        if (copied)
            add_last(e, tape, c, b, l);
        worker_meet(c->worker);
        layer_backward(e, tape, c, b, drop, l);
        if (l > 0)
            pass_down(e, tape, c, b, l - 1);
    }
    const struct view d_x = view_of(tape->d_x[0], b->source_rows, e->E);
    if (e->width)
        projection_backward(&e->frames, c, frames_of(b), d_x);
    else
        embedding_backward(&e->embedding, c, b->source_id, d_x);
    worker_meet(c->worker);
}
