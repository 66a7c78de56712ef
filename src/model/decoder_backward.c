/* The decoder under teacher forcing, backward: the stages of decoder_train.c and decoder_step.c in
 * mirrored order. */
#include "model/decoder_train.h"

#include "nn/pool.h"
#include "tensor/vec.h"

#include <string.h>

/* ---- o = dropout(f(pre)): pre becomes its own gradient ---- */

/* What is kept of o is f(pre) / (1 - rate). */
static void readout_row(const struct decoder *d, real *pre, const real *o, const real *d_o,
                        real keep)
{
    switch (d->readout) {
    case READOUT_LINEAR: memcpy(pre, d_o, (size_t)d->R * sizeof(real)); break;
    case READOUT_TANH:
        for (int r = 0; r < d->R; r++)
            pre[r] = d_o[r] * (1 - keep * o[r] * keep * o[r]);
        break;
    case READOUT_MAXOUT:
        for (int r = 0; r < d->R; r++) {
            const bool left = pre[2 * r] > pre[2 * r + 1];
            pre[2 * r] = left ? d_o[r] : 0;
            pre[2 * r + 1] = left ? 0 : d_o[r];
        }
        break;
    }
}

static void readout_backward(const struct back *k)
{
    const struct decoder *d = k->d;
    const struct view d_o = view_of(k->t->d_o, k->s.o.rows, d->R);
    int from, to;
    worker_share(k->c->worker, d_o.rows, 1, &from, &to);
    dropout_rows(&k->drop->plain, DROPOUT_READOUT, d_o, k->b->target_place, from, to);
    for (int i = from; i < to; i++)
        readout_row(d, k->s.pre.at + i * k->s.pre.row, k->s.o.at + i * k->s.o.row,
                    d_o.at + i * d_o.row, (real)(1 - k->drop->plain.rate));
}

/* ---- One step ---- */

static void add_rows(struct view to, struct view from)
{
    for (int i = 0; i < to.rows; i++)
        vec_add(to.at + i * to.row, from.at + i * from.row, (size_t)to.cols);
}

static struct view slab_rows(real *slab, int cols, const struct back *k, int step)
{
    const struct steps *lane = &k->b->target[k->lane];
    return view_rows(view_of(slab, k->b->target_rows, cols), lane->start[step], lane->active[step]);
}

/* Gradient rows of the state that cell l went on from: of the step before, or of the start; the
 * second cell's, of this step. */
static struct view previous_gradient(const struct back *k, int l, int step)
{
    const struct steps *lane = &k->b->target[k->lane];
    const int W = record_state(k->d);
    if (is_second(k->d, l))
        return slab_rows(k->t->layer[0].d_state, W, k, step);
    const struct view all =
        step ? view_of(k->t->layer[state_keeper(k->d, l)].d_state, k->b->target_rows, W)
             : view_of(k->t->layer[l].d_start, k->b->B, W);
    return view_rows(all, step ? lane->start[step - 1] : lane->first, lane->active[step]);
}

static bool is_masked(const struct back *k, int l)
{
    return k->drop->recurrent.rate > 0 && !is_second(k->d, l);
}

/* d_s += d_asked, through the mask of recurrent dropout: s_asked = mask s. `product` has been added
 * to a cleared d_asked. */
static struct view asked_gradient(const struct back *k, int l, int step)
{
    const int rows = k->b->target[k->lane].active[step], first = k->b->target[k->lane].first;
    const struct view d_s = view_cols(previous_gradient(k, l, step), 0, k->d->H);
    if (!is_masked(k, l))
        return d_s;
    const struct view d_asked = view_rows(view_of(k->t->d_mask, k->b->B, k->d->H), first, rows);
    vec_zero(d_asked.at, (size_t)rows * (size_t)k->d->H);
    return d_asked;
}

static void asked_finish(const struct back *k, int l, int step, struct view d_asked)
{
    if (!is_masked(k, l))
        return;
    const int row = k->b->target[k->lane].start[step];
    dropout_sentences(&k->drop->recurrent, DROPOUT_DECODER_STATE + DROPOUT_SITES * l, d_asked,
                      k->b->target_place + 2 * row, 0, d_asked.rows);
    add_rows(view_cols(previous_gradient(k, l, step), 0, k->d->H), d_asked);
}

/* pooled += sum_j a_j value_j (through the context in the direct form); a = attention(asking state,
 * query, keys). What reaches the asking state itself is added to d_asking; the query's columns
 * become their gradient. */
static void attend_backward(const struct back *k, const struct step_rows *rows, int step,
                            struct view d_asking)
{
    const struct decoder *d = k->d;
    const struct steps *lane = &k->b->target[k->lane];
    const int count = lane->active[step], heads = d->attention.dims.heads, carry = k->s.carry.cols;
    struct view d_pooled = pooled_part(d, rows);
    if (k->t->direct) {
        const struct view d_context = slab_rows(k->t->d_context, d->C, k, step);
        gemm_packed(&k->c->gemm, d_pooled, &d->context_back, d_context, false);
        d_pooled = d_context;
    }
    struct attention_gradient g = {
        .d_weight =
            view_rows(view_of(k->t->d_weight, k->b->B, k->s.weight.cols), lane->first, count),
        .d_query = view_rows(view_of(k->t->d_query, k->b->B, d->attention.Q), lane->first, count),
        .d_state = d_asking,
        .d_key = key_part(d, k->d_projected),
        .d_carry_out = slab_rows(k->t->d_carry, carry, k, step),
        .d_carry_in =
            step ? view_rows(view_of(k->t->d_carry, k->b->target_rows, carry),
                             lane->start[step - 1], count)
                 : view_rows(view_of(k->t->d_no_carry, k->b->B, carry), lane->first, count),
    };
    real *share = k->t->d_share + (ptrdiff_t)k->c->worker->index * decoder_share_width(d);
    for (int e = 0; e < ATTENTION_EXTRAS; e++) {
        g.d_extra[e] = share;
        share += (ptrdiff_t)d->attention.extra[e].rows * d->attention.extra[e].cols;
    }
    struct attention_rows attention = rows->attention;
    attention.state = d->luong ? rows->top : rows->layer[asking_layer(d)].asked;
    attention.query = query_part(d, rows);
    pool_backward(&attention, heads, rows->value, d_pooled, g.d_weight);
    if (d->copy.used)
        copy_weight_backward(&k->t->copy, lane->start[step], g.d_weight);
    d->attention.ops->backward(&d->attention, &attention, &g);
    for (int i = 0; i < count && d->attention.Q; i++)
        memcpy(attention.query.at + i * attention.query.row, g.d_query.at + i * g.d_query.row,
               (size_t)d->attention.Q * sizeof(real));
}

static void norm_backward(const struct back *k, const struct step_rows *rows, int l)
{
    const struct decoder *d = k->d;
    const int width = slots_width(d);
    real *share = k->t->d_share + (ptrdiff_t)k->c->worker->index * decoder_share_width(d) +
                  attention_extra_size(&d->attention) + (ptrdiff_t)2 * l * width;
    layer_norm_backward(&d->layer[l].norm, rows->layer[l].normal, rows->layer[l].scale,
                        cell_part(d, l, rows->layer[l].frame), share, share + width);
}

/* out = s_l (+ x_l), masked on its way to the next layer. */
static void output_backward(const struct back *k, const struct step_rows *rows, int l,
                            struct view d_out, struct view d_state)
{
    if (l != top_layer(k->d))
        dropout_rows(&k->drop->plain, DROPOUT_DECODER_LAYER + DROPOUT_SITES * (l + 1), d_out,
                     rows->place, 0, d_out.rows);
    add_rows(view_cols(d_state, 0, k->d->H), d_out);
}

/* frame += x_l W_input, and out += x_l. */
static void input_backward(const struct back *k, const struct step_rows *rows, int l, int step,
                           struct view d_out)
{
    const struct decoder *d = k->d;
    const struct view d_x = slab_rows(k->t->layer[l].d_x, d->H, k, step);
    if (d->residual)
        for (int i = 0; i < d_x.rows; i++)
            memcpy(d_x.at + i * d_x.row, d_out.at + i * d_out.row, (size_t)d->H * sizeof(real));
    gemm_packed(&k->c->gemm, input_part(d, l, rows->layer[l].frame), &d->layer[l].input_back, d_x,
                d->residual);
}

/* frame += s_asked [U | W_query]; where there is a query, s_asked has attended. */
static void state_backward(const struct back *k, const struct step_rows *rows, int l, int step)
{
    const struct decoder *d = k->d;
    const struct view d_asked = asked_gradient(k, l, step);
    if (!d->luong && l == asking_layer(d))
        attend_backward(k, rows, step, d_asked);
    gemm_packed(&k->c->gemm, state_and_query_part(d, l, rows->layer[l].frame),
                &d->layer[l].state_back, d_asked, true);
    asked_finish(k, l, step, d_asked);
}

/* s_l = cell(frame). */
static void layer_backward(const struct back *k, const struct step_rows *rows, int l, int step)
{
    const struct decoder *d = k->d;
    const struct layer_rows *layer = &rows->layer[l];
    const bool top = l == top_layer(d);
    const struct view d_out = slab_rows(top ? k->t->d_top : k->t->layer[l + 1].d_x, d->H, k, step);
    const struct view d_state = slab_rows(k->t->layer[l].d_state, record_state(d), k, step);
    if (!is_second(d, l + 1))
        output_backward(k, rows, l, d_out, d_state);
    d->cell->backward(cell_part(d, l, layer->frame), layer->previous, layer->state, d_state,
                      previous_gradient(k, l, step));
    if (d->normalise)
        norm_backward(k, rows, l);
    if (reads_below(d, l))
        input_backward(k, rows, l, step, d_out);
    if (!asks_first(d) || !top)
        state_backward(k, rows, l, step);
}

/* r = tanh(after); after = s [V_state | W_query] + pooled */
static void vector_backward(const struct back *k, const struct step_rows *rows, int step)
{
    const struct decoder *d = k->d;
    const struct view d_r = slab_rows(k->t->d_r, d->H, k, step),
                      d_top = slab_rows(k->t->d_top, d->H, k, step);
    for (int i = 0; i < d_r.rows; i++) {
        real *r = rows->after.at + i * rows->after.row;
        for (int h = 0; h < d->H; h++)
            r[h] = d_r.at[i * d_r.row + h] * (1 - r[h] * r[h]);
        vec_zero(d_top.at + i * d_top.row, (size_t)d->H);
    }
    attend_backward(k, rows, step, d_top);
    gemm_packed(&k->c->gemm, rows->after, &d->after_back, d_top, true);
}

static void step_backward(const struct back *k, int step)
{
    const struct decoder *d = k->d;
    const struct step_rows rows =
        decoder_rows_of_step(d, k->t, k->b, &k->s, k->drop, k->lane, step);
    if (d->luong)
        vector_backward(k, &rows, step);
    for (int l = d->layers - 1; l >= 0; l--)
        layer_backward(k, &rows, l, step);
    if (asks_first(d)) {
        state_backward(k, &rows, top_layer(d), step); /* its context entered the first layer */
    } else if (d->feeding && step) {
        const struct steps *lane = &k->b->target[k->lane];
        const struct view d_r = view_rows(view_of(k->t->d_r, k->b->target_rows, d->H),
                                          lane->start[step - 1], lane->active[step]);
        gemm_packed(&k->c->gemm, input_part(d, 0, rows.layer[0].frame), &d->feed_back, d_r, true);
    }
}

/* ---- The loop ---- */

/* This lane's part of what the loop adds to. */
static void clear_lane(const struct back *k)
{
    const struct decoder *d = k->d;
    const struct steps *lane = &k->b->target[k->lane];
    const size_t W = (size_t)record_state(d);
    const int sentences = lane->count ? lane->active[0] : 0;
    for (int l = 0; l < d->layers; l++) {
        if (!is_second(d, l))
            vec_zero(k->t->layer[l].d_start + (size_t)lane->first * W, (size_t)sentences * W);
        for (int t = 0; t < lane->count; t++)
            vec_zero(k->t->layer[l].d_state + (size_t)lane->start[t] * W,
                     (size_t)lane->active[t] * W);
    }
    for (int t = 0; t < lane->count && k->t->d_carry; t++)
        vec_zero(k->t->d_carry + (ptrdiff_t)lane->start[t] * k->s.carry.cols,
                 (size_t)lane->active[t] * (size_t)k->s.carry.cols);
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
        step_backward(k, step);
    const struct attention_rows spans = {.start = k->s.span_start, .length = k->s.span_length};
    const int M = k->b->target_rows;
    if (k->t->direct)
        pool_end(&spans, lane, d->attention.dims.heads, k->s.weight,
                 view_of(k->t->d_context, M, d->C), view_of(k->t->d_value, k->s.memory.rows, d->C));
    else
        pool_end(
            &spans, lane, 1, k->s.weight,
            view_cols(d->luong ? k->s.after : k->s.frame[context_layer(d)], 0, pooled_width(d)),
            value_part(d, k->d_projected));
}

/* ---- All of it ---- */

void decoder_backward(const struct decoder *d, struct decoder_tape *t, struct compute *c,
                      const struct batch *b, struct encoder_tape *encoded,
                      const struct dropouts *drop)
{
    struct back k = {.d = d, .t = t, .c = c, .b = b, .drop = drop, .lane = c->worker->index};
    k.s = decoder_slabs(d, t, b, encoded);
    k.d_projected = view_of(t->d_projected, k.s.projected.rows, k.s.projected.cols);
    readout_backward(&k);
    worker_meet(c->worker);
    /* pre += s R_state, luong: r R_state, whose gradient needs r before the loop turns it into
     * d_after. */
    if (d->luong)
        linear_grad_weight(c, view_cols(k.s.after, 0, d->H), k.s.pre, param_grad(&d->R_state));
    linear_grad_input(c, k.s.pre, param_view(&d->R_state),
                      view_of(d->luong ? t->d_r : t->d_top, b->target_rows, d->H), false);
    worker_meet(c->worker);
    loop_backward(&k);
    worker_meet(c->worker);
    decoder_weight_gradients(&k);
    worker_meet(c->worker);
    decoder_memory_gradients(&k, encoded);
}
