/* One step through the layers of the decoder, forward (for training and search) and backward. It
 * walks the description that the placement gives (model/placement.h); a layer computes, as far as
 * its description says,
 *
 *     frame += s' [U | W_query]            s' is the state that it continues
 *     a = attention(s', query)             if it asks; c = sum_j a_j h_j
 *     frame += c [R_context | W_context]   in every layer that reads the context
 *     frame += x W_input                   x is the output of the layer below
 *     frame += r W_feed                    r is the vector of the step before
 *     s = cell(frame, s')                  a vector: s = r = tanh(frame)
 *     out = s (+ x)                        residual links
 *
 * The frame already holds the biases and the word's share: emb [R_input | W_input] in the first
 * layer, emb W_word in the others that read it. Each stage
 * below has forward and backward side by side; backward takes the stages in mirrored order and
 * turns each frame into its own gradient. */
#include "model/decoder_train.h"

#include "nn/pool.h"
#include "tensor/vec.h"

#include <string.h>

/* ---- Rows ---- */

static void add_rows(struct view to, struct view from)
{
    for (int i = 0; i < to.rows; i++)
        vec_add(to.at + i * to.row, from.at + i * from.row, (size_t)to.cols);
}

/* This step's rows of a slab. */
static struct view slab_rows(real *slab, int cols, const struct back *k, int step)
{
    const struct steps *lane = &k->b->target[k->lane];
    return view_rows(view_of(slab, k->b->target_rows, cols), lane->start[step], lane->active[step]);
}

/* The gradient of the state that a layer continued: of the layer below in this step, of the step
 * before, or of the start. */
static struct view previous_gradient(const struct back *k, int l, int step)
{
    const struct decoder *d = k->d;
    const struct steps *lane = &k->b->target[k->lane];
    const int W = record_state(d);
    if (is_vector(d, l))
        return slab_rows(k->t->d_top, d->H, k, step);
    if (!keeps(d, l))
        return slab_rows(k->t->layer[l - 1].d_state, W, k, step);
    const struct view all =
        step ? view_of(k->t->layer[d->layer[l].last_cell].d_state, k->b->target_rows, W)
             : view_of(k->t->layer[l].d_start, k->b->B, W);
    return view_rows(all, step ? lane->start[step - 1] : lane->first, lane->active[step]);
}

/* The gradient of the output of a layer, or of the second cell that continues it. */
static struct view output_gradient(const struct back *k, int l, int step)
{
    const int last = k->d->layer[l].last_cell;
    return slab_rows(last == k->d->top ? k->t->d_top : k->t->layer[last + 1].d_x, k->d->H, k, step);
}

/* ---- The attention: a = attention(s', query), pooled += sum_j a_j value_j ---- */

static void attend(const struct decoder *d, struct gemm_scratch *gemm, struct step_rows *s)
{
    s->attention.state = s->layer[d->asking].asked;
    s->attention.query = query_part(d, s->layer[d->asking].frame);
    d->attention.ops->forward(&d->attention, &s->attention);
    if (d->hard && d->vector)
        copy_rows(s->base, s->layer[d->layers - 1].frame);
    for (int i = 0; i < s->context.rows && s->direct; i++)
        vec_zero(s->context.at + i * s->context.row, (size_t)d->C);
    if (s->direct)
        pool_forward(&s->attention, d->attention.dims.heads, s->value, s->context);
    for (int l = 0; l < d->layers; l++) {
        if (!reads(d, l))
            continue;
        if (s->direct)
            gemm_packed(gemm, s->context, &d->layer[l].context,
                        pooled_part(d, l, s->layer[l].frame), true);
        else
            pool_forward(&s->attention, 1, mixed_value(d, l, s->value),
                         mixed_part(d, l, s->layer[l].frame));
    }
}

/* Add the weights of each sentence's own rows. */
static void add_spans(const struct attention_rows *rows, struct view to, struct view from)
{
    for (int i = 0; i < to.rows; i++)
        vec_add(to.at + i * to.row, from.at + i * from.row,
                (size_t)rows->length[attention_sentence(rows, i)]);
}

/* The gradient of the weights, d_weight = sum over the layers that read of d_pooled . value; in the
 * direct form the layers' gradients meet in the context. The layer of the placement comes first. */
static void weight_gradient(const struct back *k, const struct attention_rows *attention,
                            const struct step_rows *rows, int step, struct view d_weight)
{
    const struct decoder *d = k->d;
    const struct view d_context = slab_rows(k->t->d_context, d->C, k, step);
    const struct view part = view_rows(view_of(k->t->d_weight_part, k->b->B, d_weight.cols),
                                       k->b->target[k->lane].first, d_weight.rows);
    for (int l = d->reading; l < d->layers; l++) {
        if (!reads(d, l))
            continue;
        const bool more = l > d->reading;
        if (k->t->direct)
            gemm_packed(&k->c->gemm, pooled_part(d, l, rows->layer[l].frame),
                        &d->layer[l].context_back, d_context, more);
        else
            pool_backward(attention, 1, mixed_value(d, l, rows->value),
                          mixed_part(d, l, rows->layer[l].frame), more ? part : d_weight);
        if (more && !k->t->direct)
            add_spans(attention, d_weight, part);
    }
    if (k->t->direct)
        pool_backward(attention, d->attention.dims.heads, rows->value, d_context, d_weight);
}

static struct attention_gradient attention_gradient(const struct back *k, int step,
                                                    struct view d_asking)
{
    const struct decoder *d = k->d;
    const struct steps *lane = &k->b->target[k->lane];
    const int count = lane->active[step], carry = k->s.carry.cols;
    struct attention_gradient g = {
        .d_weight =
            view_rows(view_of(k->t->d_weight, k->b->B, k->s.weight.cols), lane->first, count),
        .d_query = view_rows(view_of(k->t->d_query, k->b->B, d->attention.Q), lane->first, count),
        .d_score = slab_rows(k->t->hard.d_score, d->hard ? k->s.weight.cols : 0, k, step),
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
    return g;
}

/* Hard attention with a vector: the frame holds the gradient through the mean context, which `base`
 * keeps, and becomes that of W_s s through both. */
static void join_base(struct view frame, struct view base)
{
    for (int i = 0; i < base.rows; i++)
        for (int h = 0; h < base.cols; h++) {
            real *d = &frame.at[i * frame.row + h], *kept = &base.at[i * base.row + h];
            const real mean = *d;
            *d += *kept;
            *kept = mean;
        }
}

/* Adds the gradient of the asking state to d_asking and turns the query's columns into their
 * gradient. */
static void attend_backward(const struct back *k, const struct step_rows *rows, int step,
                            struct view d_asking)
{
    const struct decoder *d = k->d;
    const struct attention_gradient g = attention_gradient(k, step, d_asking);
    struct attention_rows attention = rows->attention;
    attention.state = rows->layer[d->asking].asked;
    attention.query = query_part(d, rows->layer[d->asking].frame);
    weight_gradient(k, &attention, rows, step, g.d_weight);
    if (d->hard && d->vector)
        join_base(rows->layer[d->reading].frame, rows->base);
    if (d->copy.used)
        copy_weight_backward(&k->t->copy, k->b->target[k->lane].start[step], g.d_weight);
    guide_backward(&k->b->guide, k->b->target[k->lane].start[step], attention.weight,
                   d->attention.dims.heads, k->t->guide, g.d_weight);
    d->attention.ops->backward(&d->attention, &attention, &g);
    if (d->hard)
        add_rows(g.d_query, slab_rows(k->t->hard.d_query, d->attention.Q, k, step));
    for (int i = 0; i < g.d_query.rows && d->attention.Q; i++)
        memcpy(attention.query.at + i * attention.query.row, g.d_query.at + i * g.d_query.row,
               (size_t)d->attention.Q * sizeof(real));
}

/* ---- The state: frame += s' [U | W_query]; the layer that asks then attends ---- */

static void state_forward(const struct decoder *d, struct gemm_scratch *gemm, struct step_rows *s,
                          int l)
{
    gemm_packed(gemm, s->layer[l].asked, &d->layer[l].state,
                state_and_query_part(d, l, s->layer[l].frame), true);
}

/* Recurrent dropout masks kept states. */
static bool is_masked(const struct back *k, int l)
{
    return k->drop->recurrent.rate > 0 && keeps(k->d, l);
}

/* Where the gradient of s' as seen by U is accumulated: d_s' itself or, if masked, a cleared
 * row. */
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

/* asked = mask s': d_s' += mask d_asked. */
static void mask_backward(const struct back *k, int l, int step, struct view d_asked)
{
    if (!is_masked(k, l))
        return;
    const int row = k->b->target[k->lane].start[step];
    dropout_sentences(&k->drop->recurrent, DROPOUT_DECODER_STATE + DROPOUT_SITES * l, d_asked,
                      k->b->target_place + 2 * row, 0, d_asked.rows);
    add_rows(view_cols(previous_gradient(k, l, step), 0, k->d->H), d_asked);
}

static void state_backward(const struct back *k, const struct step_rows *rows, int l, int step)
{
    const struct decoder *d = k->d;
    const struct view d_asked = asked_gradient(k, l, step);
    if (l == d->asking)
        attend_backward(k, rows, step, d_asked);
    gemm_packed(&k->c->gemm, state_and_query_part(d, l, rows->layer[l].frame),
                &d->layer[l].state_back, d_asked, true);
    mask_backward(k, l, step, d_asked);
}

/* ---- The input: frame += x W_input, and out += x with residual links. With skip links the readout
 * has already written its gradient of x. ---- */

static void input_forward(const struct decoder *d, struct gemm_scratch *gemm, struct step_rows *s,
                          int l)
{
    gemm_packed(gemm, s->layer[l].x, &d->layer[l].input, input_part(d, l, s->layer[l].frame), true);
}

static void input_backward(const struct back *k, const struct step_rows *rows, int l, int step)
{
    const struct decoder *d = k->d;
    const struct view d_x = slab_rows(k->t->layer[l].d_x, d->H, k, step);
    if (d->residual && d->skip)
        add_rows(d_x, output_gradient(k, l, step));
    else if (d->residual)
        copy_rows(d_x, output_gradient(k, l, step));
    gemm_packed(&k->c->gemm, input_part(d, l, rows->layer[l].frame), &d->layer[l].input_back, d_x,
                d->residual || d->skip);
}

/* ---- Input feeding: frame += r W_feed, in the first layer ---- */

static void feed_forward(const struct decoder *d, struct gemm_scratch *gemm, struct step_rows *s)
{
    gemm_packed(gemm, s->fed, &d->feed, input_part(d, 0, s->layer[0].frame), true);
}

static void feed_backward(const struct back *k, const struct step_rows *rows, int step)
{
    const struct decoder *d = k->d;
    const struct steps *lane = &k->b->target[k->lane];
    if (step == 0)
        return;
    const struct view d_r =
        view_rows(view_of(k->t->layer[d->layers - 1].d_state, k->b->target_rows, d->H),
                  lane->start[step - 1], lane->active[step]);
    gemm_packed(&k->c->gemm, input_part(d, 0, rows->layer[0].frame), &d->feed_back, d_r, true);
}

/* ---- The output: out = s (+ x), masked on its way to the layer above ---- */

static void output_forward(const struct decoder *d, struct step_rows *s, int l)
{
    const int first = d->layer[l].first_cell;
    const struct view out = l == d->top ? s->top : s->layer[l + 1].x;
    copy_rows(out, view_cols(s->layer[l].state, 0, d->H));
    if (d->residual && d->layer[first].plan.below)
        add_rows(out, s->layer[first].x);
    if (l != d->top && s->drop)
        dropout_rows(s->drop, DROPOUT_DECODER_LAYER + DROPOUT_SITES * (l + 1), out, s->place, 0,
                     out.rows);
}

static void output_backward(const struct back *k, const struct step_rows *rows, int l, int step)
{
    const struct view d_out = output_gradient(k, l, step);
    if (l != k->d->top)
        dropout_rows(&k->drop->plain, DROPOUT_DECODER_LAYER + DROPOUT_SITES * (l + 1), d_out,
                     rows->place, 0, d_out.rows);
    add_rows(view_cols(slab_rows(k->t->layer[l].d_state, record_state(k->d), k, step), 0, k->d->H),
             d_out);
}

/* ---- The cell: s = cell(norm(frame), s') ---- */

static void cell_forward(const struct decoder *d, struct step_rows *s, int l)
{
    const struct layer_rows *rows = &s->layer[l];
    if (is_normalized(d, l))
        layer_norm_forward(&d->layer[l].norm, d->layer[l].bias.value, cell_part(d, l, rows->frame),
                           rows->normal, rows->scale);
    d->layer[l].cell->forward(cell_part(d, l, rows->frame), rows->previous, rows->state);
}

static void cell_backward(const struct back *k, const struct step_rows *rows, int l, int step)
{
    const struct decoder *d = k->d;
    const struct layer_rows *layer = &rows->layer[l];
    const int width = d->layer[l].columns.slots;
    d->layer[l].cell->backward(cell_part(d, l, layer->frame), layer->previous, layer->state,
                               slab_rows(k->t->layer[l].d_state, state_row(d, l), k, step),
                               previous_gradient(k, l, step));
    if (!is_normalized(d, l))
        return;
    real *share = k->t->d_share + (ptrdiff_t)k->c->worker->index * decoder_share_width(d) +
                  attention_extra_size(&d->attention) + (ptrdiff_t)2 * l * width;
    layer_norm_backward(&d->layer[l].norm, layer->normal, layer->scale,
                        cell_part(d, l, layer->frame), share, share + width);
}

/* ---- One layer ---- */

/* The readout is computed in the layer that reads the context; the word's share is in the first
 * layer. */
static bool gets_word_share(const struct decoder *d, int l)
{
    const struct placement_layer *plan = &d->layer[l].plan;
    return plan->context && !plan->word && d->layer[l].columns.readout;
}

static void layer_forward(const struct decoder *d, struct gemm_scratch *gemm, struct step_rows *s,
                          int l)
{
    if (!keeps(d, l)) {
        state_forward(d, gemm, s, l);
        if (l == d->asking)
            attend(d, gemm, s);
    }
    if (gets_word_share(d, l))
        add_rows(view_cols(s->layer[l].frame, 0, d->RR), view_cols(s->layer[0].frame, 0, d->RR));
    if (d->layer[l].plan.below)
        input_forward(d, gemm, s, l);
    cell_forward(d, s, l);
    if (has_output(d, l))
        output_forward(d, s, l);
}

/* The gradient of a state that asked before the step must wait for the gradient of its context. */
static void layer_backward(const struct back *k, const struct step_rows *rows, int l, int step)
{
    const struct decoder *d = k->d;
    if (has_output(d, l))
        output_backward(k, rows, l, step);
    cell_backward(k, rows, l, step);
    if (d->layer[l].plan.below)
        input_backward(k, rows, l, step);
    if (!d->asks_first || l != d->asking)
        state_backward(k, rows, l, step);
}

/* ---- All layers ---- */

void decoder_ask(const struct decoder *d, struct gemm_scratch *gemm, struct step_rows *s)
{
    for (int l = 0; l < d->layers; l++)
        if (keeps(d, l))
            state_forward(d, gemm, s, l);
    if (d->asks_first)
        attend(d, gemm, s);
    if (d->feeding)
        feed_forward(d, gemm, s);
}

void decoder_move(const struct decoder *d, struct gemm_scratch *gemm, struct step_rows *s)
{
    for (int l = 0; l < d->layers; l++)
        layer_forward(d, gemm, s, l);
}

void decoder_layers_backward(const struct back *k, int step)
{
    const struct decoder *d = k->d;
    const struct step_rows rows =
        decoder_rows_of_step(d, k->t, k->b, &k->s, k->drop, k->lane, step);
    for (int l = d->layers - 1; l >= 0; l--)
        layer_backward(k, &rows, l, step);
    if (d->feeding)
        feed_backward(k, &rows, step);
    if (d->asks_first)
        state_backward(k, &rows, d->asking, step);
}
