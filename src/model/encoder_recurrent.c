#include "base/arena.h"
#include "base/bug.h"
#include "model/encoder.h"
#include "tensor/vec.h"

#include <stdio.h>
#include <string.h>

static void layer_path(char *path, size_t size, const char *direction, int layer, const char *cell)
{
    snprintf(path, size, "encoder.%d.%s.%s", layer, direction, cell);
}

/* Whether layer l reads pairs of rows of the layer below. */
static bool joins(const struct encoder_recurrent *e, int l) { return l > 0 && l <= e->pyramid; }

/* Whether layer l adds its input to its output. */
static bool is_linked(const struct encoder_recurrent *e, int l)
{
    return e->residual && l > 0 && !joins(e, l);
}

static int input_width(const struct encoder_recurrent *e, int l)
{
    return l == 0 ? e->E : joins(e, l) ? 2 * e->C : e->C;
}

static int annotation(const struct attend_network_options *config)
{
    return config->unidirectional ? config->hidden : 2 * config->hidden;
}

static void declare(struct encoder *e, struct param_set *set,
                    const struct attend_network_options *config)
{
    struct encoder_recurrent *r = &e->recurrent;
    const struct cell_ops *cell = cell_find(config->cell ? config->cell : "gru");
    *r = (struct encoder_recurrent){.layers = e->layers,
                                    .pyramid = config->pyramid,
                                    .E = e->E,
                                    .H = e->H,
                                    .C = e->C,
                                    .both = !config->unidirectional,
                                    .residual = config->residual};
    for (int l = 0; l < r->layers; l++) {
        char path[48];
        const int X = input_width(r, l);
        layer_path(path, sizeof path, "forward", l, cell->name);
        rnn_declare(&r->forward[l], set, path, cell, X, e->H, config->layer_norm);
        layer_path(path, sizeof path, "backward", l, cell->name);
        if (r->both)
            rnn_declare(&r->backward[l], set, path, cell, X, e->H, config->layer_norm);
    }
}

static void bind(struct encoder *e, struct arena *arena, enum packing packing)
{
    for (int l = 0; l < e->layers; l++) {
        rnn_bind(&e->recurrent.forward[l], arena, packing);
        if (e->recurrent.both)
            rnn_bind(&e->recurrent.backward[l], arena, packing);
    }
}

static void pack(struct encoder *e, struct compute *c, bool training)
{
    for (int l = 0; l < e->layers; l++) {
        rnn_pack(&e->recurrent.forward[l], c, training);
        if (e->recurrent.both)
            rnn_pack(&e->recurrent.backward[l], c, training);
    }
}

/* ---- Memory ---- */

static int state_width(const struct encoder_recurrent *e)
{
    return e->forward[0].cell->states * e->H;
}

/* The rows of layer l. */
static const struct batch_level *level_of(const struct batch *b, int l)
{
    return &b->level[l < b->pyramid ? l : b->pyramid];
}

static void bind_layer(struct encoder_tape *tape, struct arena *arena, const struct encoder *e,
                       const struct batch *b, int l, int team, bool training)
{
    struct encoder_recurrent_tape *t = &tape->recurrent;
    const struct rnn *ahead = &e->recurrent.forward[l], *back = &e->recurrent.backward[l];
    const int N = level_of(b, l)->rows;
    const size_t elements = (size_t)N * (size_t)ahead->X;
    t->x[l] = l ? arena_take(arena, sizeof(real), elements) : tape->x;
    t->d_x[l] = l && training ? arena_take(arena, sizeof(real), elements) : tape->d_x;
    rnn_tape_bind(&t->forward[l], arena, ahead, N, b->B, team, training);
    if (e->recurrent.both)
        rnn_tape_bind(&t->backward[l], arena, back, N, b->B, team, training);
}

static void tape_bind(struct encoder_tape *tape, struct arena *arena, const struct encoder *e,
                      const struct batch *b, int team, bool training)
{
    BUG_ON(b->pyramid != e->recurrent.pyramid);
    const size_t last = (size_t)e->layers * (size_t)b->B * (size_t)state_width(&e->recurrent);
    for (int l = 0; l < e->layers; l++)
        bind_layer(tape, arena, e, b, l, team, training);
    tape->last = arena_take(arena, sizeof(real), last);
    tape->d_last = training ? arena_take(arena, sizeof(real), last) : NULL;
}

/* ---- Dropout ---- */

/* The input of a layer above the first. */
static void drop_input(const struct compute *c, struct view x, int l, const struct batch *b,
                       const struct dropouts *drop)
{
    int from, to;
    worker_share(c->worker, x.rows, 1, &from, &to);
    dropout_rows(&drop->plain, DROPOUT_ENCODER_LAYER + DROPOUT_SITES * l, x, level_of(b, l)->place,
                 from, to);
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
static void output_row(const struct encoder_recurrent *e, const struct encoder_recurrent_tape *tape,
                       int l, int row, real *y)
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
static void output_row_backward(const struct encoder_recurrent *e,
                                const struct encoder_recurrent_tape *tape, int l, int row,
                                const real *d_y)
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
    if (is_linked(e, l))
        memcpy(tape->d_x[l] + at * (size_t)e->C, d_y, (size_t)e->C * sizeof(real));
}

/* The row of layer l - 1 that is part 0 or 1 of a row of layer l; -1: there is none. */
static int row_below(const struct encoder_recurrent *e, const struct batch *b, int l, int row,
                     int part)
{
    return joins(e, l) ? level_of(b, l)->below[2 * row + part] : row;
}

static void next_input(const struct encoder_recurrent *e, const struct encoder_recurrent_tape *tape,
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
static int last_row(const struct encoder_recurrent *e, const struct batch *b, int sentence, int l)
{
    return level_of(b, l)->ends[2 * sentence + !e->both];
}

static const struct rnn_tape *last_tape(const struct encoder_recurrent *e,
                                        const struct encoder_recurrent_tape *tape, int l)
{
    return e->both ? &tape->backward[l] : &tape->forward[l];
}

static void gather(const struct encoder_recurrent *e, const struct encoder_tape *tape,
                   const struct compute *c, const struct batch *b)
{
    const size_t W = (size_t)state_width(e);
    int from, to;
    worker_share(c->worker, b->memory_rows, 1, &from, &to);
    for (int m = from; m < to; m++)
        output_row(e, &tape->recurrent, e->layers - 1, b->memory_row[m],
                   tape->memory + (size_t)m * (size_t)e->C);
    worker_share(c->worker, b->B, 1, &from, &to);
    for (int l = 0; l < e->layers; l++)
        for (int i = from; i < to; i++)
            memcpy(tape->last + ((size_t)l * (size_t)b->B + (size_t)i) * W,
                   last_tape(e, &tape->recurrent, l)->state + (size_t)last_row(e, b, i, l) * W,
                   W * sizeof(real));
}

/* Compute the first layer's input from the tables. */
static void input_tokens(const struct encoder *e, struct encoder_tape *tape, struct compute *c,
                         const struct batch *b)
{
    const struct encoder_recurrent *r = &e->recurrent;
    const struct tokens ahead = encoder_tokens(e, tape, 0);
    rnn_input_tokens(&r->forward[0], &tape->recurrent.forward[0], c, &ahead, b->source_id,
                     tape->work);
    if (!r->both)
        return;
    const struct tokens back = encoder_tokens(e, tape, 1);
    rnn_input_tokens(&r->backward[0], &tape->recurrent.backward[0], c, &back, b->source_id,
                     tape->work);
}

static void input(const struct encoder *e, struct encoder_tape *tape, struct compute *c,
                  const struct batch *b, const struct dropouts *drop, int l)
{
    const struct encoder_recurrent *r = &e->recurrent;
    const struct view x = view_of(tape->recurrent.x[l], level_of(b, l)->rows, r->forward[l].X);
    if (l > 0)
        drop_input(c, x, l, b, drop);
    rnn_input(&r->forward[l], &tape->recurrent.forward[l], c, x);
    if (r->both)
        rnn_input(&r->backward[l], &tape->recurrent.backward[l], c, x);
}

static void forward(const struct encoder *e, struct encoder_tape *tape, struct compute *c,
                    const struct batch *b, const struct dropouts *drop)
{
    const struct encoder_recurrent *r = &e->recurrent;
    struct encoder_recurrent_tape *t = &tape->recurrent;
    for (int l = 0; l < r->layers; l++) {
        const struct steps *lane = &level_of(b, l)->lane[c->worker->index];
        const struct rnn_mask ahead = mask_of(b, drop, l, false), back = mask_of(b, drop, l, true);
        if (l == 0 && encoder_is_cached(e, tape))
            input_tokens(e, tape, c, b);
        else
            input(e, tape, c, b, drop, l);
        worker_meet(c->worker);
        rnn_forward(&r->forward[l], &t->forward[l], c, lane, false, &ahead);
        if (r->both)
            rnn_forward(&r->backward[l], &t->backward[l], c, lane, true, &back);
        worker_meet(c->worker);
        if (l + 1 < e->layers)
            next_input(r, t, c, b, l);
    }
    gather(r, tape, c, b);
}

/* ---- Backward ---- */

static void scatter(const struct encoder_recurrent *e, const struct encoder_tape *tape,
                    const struct compute *c, const struct batch *b)
{
    const int top = e->layers - 1;
    int from, to;
    worker_share(c->worker, b->memory_rows, 1, &from, &to);
    for (int m = from; m < to; m++)
        output_row_backward(e, &tape->recurrent, top, b->memory_row[m],
                            tape->d_memory + (size_t)m * (size_t)e->C);
}

/* d_y of layer l is d_x of the one above, or a half of it. */
static void pass_down(const struct encoder_recurrent *e, const struct encoder_recurrent_tape *tape,
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
            if (below >= 0)
                output_row_backward(e, tape, l, below, d_y);
        }
}

static void add_last(const struct encoder_recurrent *e, const struct encoder_tape *tape,
                     const struct compute *c, const struct batch *b, int l)
{
    const size_t W = (size_t)state_width(e);
    int from, to;
    worker_share(c->worker, b->B, 1, &from, &to);
    for (int i = from; i < to; i++)
        vec_add(last_tape(e, &tape->recurrent, l)->d_state + (size_t)last_row(e, b, i, l) * W,
                tape->d_last + ((size_t)l * (size_t)b->B + (size_t)i) * W, W);
}

static void layer_backward(const struct encoder_recurrent *e, struct encoder_recurrent_tape *tape,
                           struct compute *c, const struct batch *b, const struct dropouts *drop,
                           int l)
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
    if (l == 0)
        return;
    drop_input(c, d_x, l, b, drop);
    worker_meet(c->worker);
    pass_down(e, tape, c, b, l - 1);
    worker_meet(c->worker);
}

static void backward(const struct encoder *e, struct encoder_tape *tape, struct compute *c,
                     const struct batch *b, const struct dropouts *drop, bool copied)
{
    const struct encoder_recurrent *r = &e->recurrent;
    scatter(r, tape, c, b);
    worker_meet(c->worker);
    for (int l = r->layers - 1; l >= 0; l--) {
        if (copied)
            add_last(r, tape, c, b, l);
        worker_meet(c->worker);
        layer_backward(r, &tape->recurrent, c, b, drop, l);
    }
}

/* ---- What others ask ---- */

static const struct packed *product(const struct encoder *e, int i)
{
    const struct encoder_recurrent *r = &e->recurrent;
    return i == 0 ? &r->forward[0].input : i == 1 && r->both ? &r->backward[0].input : NULL;
}

static double products(const struct encoder *e, const struct batch *b)
{
    double sum = 0;
    for (int l = 0; l < e->layers; l++) {
        const struct rnn *layer = &e->recurrent.forward[l];
        sum += (e->recurrent.both ? 2.0 : 1.0) * level_of(b, l)->rows *
               ((double)layer->X * layer->W_input.cols + (double)e->H * layer->U_state.cols);
    }
    return sum;
}

const struct encoder_ops encoder_recurrent = {
    .name = "recurrent",
    .help = "layers of cells in both directions",
    .cells = true,
    .annotation = annotation,
    .declare = declare,
    .bind = bind,
    .pack = pack,
    .tape_bind = tape_bind,
    .forward = forward,
    .backward = backward,
    .product = product,
    .products = products,
};
