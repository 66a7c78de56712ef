/* The decoder under teacher forcing: forward, loss and backward of a batch. */
#include "model/decoder_train.h"

#include "nn/pool.h"
#include "tensor/vec.h"

#include <string.h>

/* ---- Before the loop ---- */

void decoder_drop_input(const struct compute *c, struct view x, const struct batch *b,
                        const struct dropouts *drop)
{
    int from, to;
    worker_share(c->worker, x.rows, 1, &from, &to);
    dropout_rows(&drop->plain, DROPOUT_TARGET, x, b->target_place, from, to);
    dropout_words(&drop->words, DROPOUT_TARGET, x, b->target_place, from, to);
}

void decoder_number_rows(const struct steps *lane, int *sentence)
{
    for (int step = 0; step < lane->count; step++)
        for (int i = 0; i < lane->active[step]; i++)
            sentence[lane->start[step] + i] = lane->first + i;
}

static void lay_memory(const struct decoder *d, struct decoder_tape *t, const struct compute *c,
                       const struct batch *b, const struct slabs *s,
                       const struct encoder_tape *encoded, const struct dropouts *drop)
{
    int from, to;
    worker_share(c->worker, b->B, 1, &from, &to);
    for (int l = 0; l < d->layers; l++)
        if (keeps(d, l))
            decoder_first(d, b, encoded, l, t->first[l],
                          view_of(t->layer[l].start, b->B, record_state(d)), from, to);
    if (is_fixed(d))
        decoder_fixed(d, b, view_const(encoded->memory, b->memory_rows, d->C), t->fixed,
                      t->span_start, t->span_length, from, to);
    if (t->no_carry)
        vec_zero(t->no_carry + (ptrdiff_t)from * s->carry.cols,
                 (size_t)(to - from) * (size_t)s->carry.cols);
    if (d->copy.used) {
        decoder_lay_copies(d, b, &t->copy.source, from, to);
        decoder_number_rows(&b->target[c->worker->index], t->copy.sentence);
    }
    if (d->hard)
        decoder_hard_forward(t, b, c, drop);
    worker_share(c->worker, s->memory.rows, 1, &from, &to);
    if (folds(d))
        decoder_fold(d, s->memory, key_part(d, s->projected), from, to);
}

/* Everything that does not depend on the recurrence. */
static void before_loop(const struct decoder *d, struct decoder_tape *t, struct compute *c,
                        const struct batch *b, const struct slabs *s,
                        const struct encoder_tape *encoded, const struct dropouts *drop)
{
    if (d->writes) {
        projection_forward(&d->stroke, c, view_of(b->stroke_in, b->target_rows, MIXTURE_STROKE),
                           s->emb);
        worker_meet(c->worker);
    } else {
        embedding_forward(d->embedding, c, b->target_in, s->emb);
    }
    decoder_drop_input(c, s->emb, b, drop);
    for (int l = 0; l < d->layers; l++)
        linear_start(c, s->frame[l], d->layer[l].frame_bias);
    if (d->vector && !d->hard)
        linear_start(c, s->pre, d->b_readout.value);
    lay_memory(d, t, c, b, s, encoded, drop);
    worker_meet(c->worker);
    linear_forward(c, s->emb, &d->embed, view_cols(s->frame[0], 0, d->embed.N), true);
    for (int l = 0; l < d->layers; l++)
        if (skips(d, l))
            linear_forward(c, s->emb, &d->layer[l].word, input_part(d, l, s->frame[l]), true);
    const struct packed *project = t->direct ? &d->key : &d->project;
    linear_forward(c, s->memory, project, view_cols(s->projected, product_from(d), project->N),
                   false);
    for (int l = 0; l < d->layers && starts_by_product(d); l++)
        if (keeps(d, l))
            linear_forward(c, view_of(t->first[l], b->B, first_width(d)), &d->start_w[l],
                           view_strided(t->layer[l].start, b->B, d->H, record_state(d)), true);
    worker_meet(c->worker);
    int from, to;
    worker_share(c->worker, b->B, 1, &from, &to);
    for (int l = 0; l < d->layers && starts_by_product(d); l++)
        for (int i = from; i < to && keeps(d, l); i++)
            vec_tanh(t->layer[l].start + (ptrdiff_t)i * record_state(d), (size_t)d->H);
    worker_meet(c->worker);
}

/* ---- The loop, forward ---- */

/* Copy the results of the previous step: kept states, also under their dropout mask, and r if it is
 * fed. */
static void carry_over(const struct decoder *d, struct decoder_tape *t, const struct batch *b,
                       const struct slabs *s, const struct dropouts *drop, int lane_number,
                       int step)
{
    const struct steps *lane = &b->target[lane_number];
    const size_t W = (size_t)record_state(d), h = (size_t)d->H;
    const int row = lane->start[step], rows = lane->active[step];
    for (int l = 0; l < d->layers; l++) {
        if (!keeps(d, l))
            continue;
        struct decoder_layer_tape *layer = &t->layer[l];
        real *previous = layer->previous + (size_t)row * W;
        memcpy(previous,
               step ? t->layer[d->layer[l].last_cell].state + (size_t)lane->start[step - 1] * W
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
            memcpy(fed, s->read.at + (lane->start[step - 1] + i) * s->read.row, h * sizeof(real));
        else
            vec_zero(fed, h);
    }
}

/* pre += s R_state, or r R_state, and with skip links x R_below; o = dropout(f(pre)). Hard attention
 * has r and o for every position: the loss computes them. */
static void read_out(const struct decoder *d, struct decoder_tape *t, struct compute *c,
                     const struct batch *b, const struct slabs *s, const struct dropouts *drop)
{
    if (d->hard && d->vector)
        return;
    linear_forward(c, s->read, &d->read, s->pre, true);
    for (int l = 0; l < d->layers; l++)
        if (skips(d, l))
            linear_forward(c, view_of(t->layer[l].x, b->target_rows, d->H), &d->layer[l].read,
                           s->pre, true);
    worker_meet(c->worker);
    if (d->hard)
        return;
    int from, to;
    worker_share(c->worker, s->o.rows, 1, &from, &to);
    decoder_readout(d, view_rows(s->pre, from, to - from), view_rows(s->o, from, to - from));
    dropout_rows(&drop->plain, DROPOUT_READOUT, s->o, b->target_place, from, to);
    worker_meet(c->worker);
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
    read_out(d, t, c, b, &s, drop);
}

/* The loss of the words, or of the mixture with the source's words. */
static double words_loss(const struct decoder *d, struct decoder_tape *t, struct compute *c,
                         const struct cross_entropy_job *job, struct view weight)
{
    if (!d->copy.used)
        return cross_entropy_run(&d->output, &t->output, c, job);
    copy_forward(&d->copy, &t->copy, c, job->o, weight);
    worker_meet(c->worker);
    const double sum = cross_entropy_run(&d->output, &t->output, c, job);
    if (job->d_o.at)
        copy_backward(&d->copy, &t->copy, c, job->o, job->d_o);
    worker_meet(c->worker);
    return sum;
}

double decoder_loss(const struct decoder *d, struct decoder_tape *t, struct compute *c,
                    const struct batch *b, const struct decoder_loss *loss)
{
    if (d->writes)
        return decoder_strokes_loss(d, t, c, b, loss);
    if (d->hard)
        return decoder_hard_loss(d, t, c, b, loss);
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
    const struct view weight = view_of(t->weight, b->target_rows, decoder_weight_width(d, b->S));
    if (c->worker->index == 0)
        t->guide = loss->guide * loss->scale;
    return words_loss(d, t, c, &job, weight) +
           loss->guide * guide_loss(&b->guide, weight, d->attention.dims.heads);
}

/* ---- The loop, backward ---- */

static void clear_rows(const struct steps *lane, real *slab, size_t cols)
{
    for (int t = 0; t < lane->count; t++)
        vec_zero(slab + (size_t)lane->start[t] * cols, (size_t)lane->active[t] * cols);
}

/* Clear this lane's part of the gradients that the loop adds to. The readout has already written
 * the gradient of what it reads: the vector or else the top output, and with skip links what the
 * layers read from below. */
static void clear_lane(const struct back *k)
{
    const struct decoder *d = k->d;
    const struct steps *lane = &k->b->target[k->lane];
    const size_t W = (size_t)record_state(d);
    const int sentences = lane->count ? lane->active[0] : 0;
    for (int l = 0; l <= d->top; l++) {
        if (keeps(d, l))
            vec_zero(k->t->layer[l].d_start + (size_t)lane->first * W, (size_t)sentences * W);
        clear_rows(lane, k->t->layer[l].d_state, W);
    }
    if (d->vector)
        clear_rows(lane, k->t->d_top, (size_t)d->H);
    if (d->vector && d->hard)
        clear_rows(lane, k->t->layer[d->layers - 1].d_state, (size_t)d->H);
    if (k->t->d_carry)
        clear_rows(lane, k->t->d_carry, (size_t)k->s.carry.cols);
    for (int i = lane->first; i < lane->first + sentences; i++)
        for (int j = 0; j < k->s.span_length[i]; j++)
            vec_zero(k->d_projected.at + (k->s.span_start[i] + j) * k->d_projected.row,
                     (size_t)d->attention.D);
    vec_zero(k->t->d_share + (ptrdiff_t)k->c->worker->index * decoder_share_width(d),
             (size_t)decoder_share_width(d));
}

static void loop_backward(const struct back *k)
{
    const struct decoder *d = k->d;
    const struct steps *lane = &k->b->target[k->lane];
    clear_lane(k);
    for (int step = lane->count - 1; step >= 0; step--)
        decoder_layers_backward(k, step);
    const struct attention_rows spans = {.start = k->s.span_start, .length = k->s.span_length};
    const int M = k->b->target_rows;
    if (k->t->direct)
        pool_end(&spans, lane, d->attention.dims.heads, k->s.weight,
                 view_of(k->t->d_context, M, d->C), view_of(k->t->d_value, k->s.memory.rows, d->C));
    for (int l = 0; l < d->layers && !k->t->direct; l++)
        if (reads(d, l))
            pool_end(&spans, lane, 1, k->s.weight,
                     d->hard && is_vector(d, l) ? view_of(k->t->hard.base, M, d->H)
                                                : mixed_part(d, l, k->s.frame[l]),
                     mixed_value(d, l, value_part(d, k->d_projected)));
    if (d->hard)
        decoder_hard_backward(k);
}

/* o = dropout(f(pre)); pre += s R_state, or r R_state, and with skip links x R_below */
static void read_out_backward(const struct back *k)
{
    const struct decoder *d = k->d;
    if (d->hard && d->vector)
        return;
    if (!d->hard)
        decoder_readout_backward(k);
    worker_meet(k->c->worker);
    linear_grad_input(k->c, k->s.pre, param_view(&d->R_state),
                      view_of(d->vector ? k->t->layer[d->layers - 1].d_state : k->t->d_top,
                              k->b->target_rows, d->H),
                      false);
    for (int l = 0; l < d->layers; l++)
        if (skips(d, l))
            linear_grad_input(k->c, k->s.pre, param_view(&d->layer[l].R_below),
                              view_of(k->t->layer[l].d_x, k->b->target_rows, d->H), false);
    worker_meet(k->c->worker);
}

void decoder_backward(const struct decoder *d, struct decoder_tape *t, struct compute *c,
                      const struct batch *b, struct encoder_tape *encoded,
                      const struct dropouts *drop)
{
    struct back k = {.d = d, .t = t, .c = c, .b = b, .drop = drop, .lane = c->worker->index};
    k.s = decoder_slabs(d, t, b, encoded);
    k.d_projected = view_of(t->d_projected, k.s.projected.rows, k.s.projected.cols);
    read_out_backward(&k);
    loop_backward(&k);
    worker_meet(c->worker);
    decoder_weight_gradients(&k);
    worker_meet(c->worker);
    decoder_memory_gradients(&k, encoded);
}
