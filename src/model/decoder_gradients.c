/* The decoder under teacher forcing, after the backward loop: the gradients of all weights, each
 * one product over all rows. */
#include "model/decoder_train.h"

#include "tensor/vec.h"

#include <string.h>

/* All rows that U of layer l multiplied. */
static struct view asked_rows(const struct back *k, int l)
{
    const int M = k->b->target_rows, H = k->d->H;
    if (keeps(k->d, l) && k->drop->recurrent.rate > 0)
        return view_of(k->t->layer[l].masked, M, H);
    return view_cols(decoder_previous(k->d, k->t, M, l), 0, H);
}

/* frame += asked [U | W_query] + x W_input + r W_feed + b; with skip links also emb W_word, and
 * pre += x R_below */
static void layer_weights(const struct back *k, int l)
{
    const struct decoder *d = k->d;
    const struct decoder_layer *layer = &d->layer[l];
    const struct view frame = k->s.frame[l], asked = asked_rows(k, l);
    const struct view x =
        layer->plan.word ? k->s.emb : view_of(k->t->layer[l].x, k->b->target_rows, d->H);
    linear_grad_weight(k->c, asked, state_part(d, l, frame), param_grad(&layer->U_state));
    if (layer->plan.word || layer->plan.below)
        linear_grad_weight(k->c, x, input_part(d, l, frame), param_grad(&layer->W_input));
    if (layer->plan.fed)
        linear_grad_weight(k->c, k->s.fed, input_part(d, l, frame), param_grad(&d->W_feed));
    if (skips(d, l)) {
        linear_grad_weight(k->c, k->s.emb, input_part(d, l, frame), param_grad(&layer->W_word));
        linear_grad_weight(k->c, x, k->s.pre, param_grad(&layer->R_below));
    }
    if (query_width(d, l)) {
        const struct view query = query_part(d, frame);
        linear_grad_weight(k->c, asked, query, param_grad(&d->attention.W_query));
        linear_grad_bias(k->c, query, d->attention.b_query.grad);
    }
    if (!d->normalize && !is_vector(d, l))
        linear_grad_bias(k->c, cell_part(d, l, frame), layer->bias.grad);
}

/* pre = s R_state + emb R_input + b, or r R_state + b; the context's share is below. */
static void readout_weights(const struct back *k)
{
    const struct decoder *d = k->d;
    linear_grad_bias(k->c, k->s.pre, d->b_readout.grad);
    linear_grad_weight(k->c, k->s.read, k->s.pre, param_grad(&d->R_state));
    if (d->layer[0].columns.readout)
        linear_grad_weight(k->c, k->s.emb, k->s.pre, param_grad(&d->R_input));
}

/* The weights that multiply the context: from contexts and target rows in the direct form,
 * otherwise from annotations. */
static void context_weights(const struct back *k)
{
    const struct decoder *d = k->d;
    const struct view x = k->t->direct ? k->s.context : k->s.memory;
    const struct view d_values = value_part(d, k->d_projected);
    for (int l = 0; l < d->layers; l++) {
        if (!reads(d, l))
            continue;
        const struct view d_y =
            k->t->direct ? pooled_part(d, l, k->s.frame[l]) : value_of(d, l, d_values);
        if (d->layer[l].columns.readout)
            linear_grad_weight(k->c, x, pooled_readout(d, l, d_y), param_grad(&d->R_context));
        linear_grad_weight(k->c, x, pooled_input(d, l, d_y), param_grad(&d->layer[l].W_context));
    }
    if (d->attention.ops->keys == ATTENTION_PROJECTED_KEYS)
        linear_grad_weight(k->c, k->s.memory, key_part(d, k->d_projected),
                           param_grad(&d->attention.W_key));
}

/* Add up the gradients that each thread summed privately. */
static void shared_weights(const struct back *k)
{
    const struct decoder *d = k->d;
    const int width = d->layer[d->top].columns.slots;
    if (k->c->worker->index)
        return;
    for (int w = 0; w < k->c->worker->count; w++) {
        const real *share = k->t->d_share + (ptrdiff_t)w * decoder_share_width(d);
        for (int e = 0; e < ATTENTION_EXTRAS; e++) {
            const size_t size =
                (size_t)d->attention.extra[e].rows * (size_t)d->attention.extra[e].cols;
            if (size)
                vec_add(d->attention.extra[e].grad, share, size);
            share += size;
        }
        for (int l = 0; l <= d->top && d->normalize; l++, share += 2 * width) {
            vec_add(d->layer[l].norm.gain.grad, share, (size_t)width);
            vec_add(d->layer[l].bias.grad, share + width, (size_t)width);
        }
    }
}

static void embedding_gradients(const struct back *k)
{
    const struct decoder *d = k->d;
    const struct view d_emb = view_of(k->t->d_emb, k->b->target_rows, d->E);
    const bool readout = d->layer[0].columns.readout > 0;
    if (readout)
        linear_grad_input(k->c, k->s.pre, param_view(&d->R_input), d_emb, false);
    linear_grad_input(k->c, input_part(d, 0, k->s.frame[0]), param_view(&d->layer[0].W_input),
                      d_emb, readout);
    for (int l = 0; l < d->layers; l++)
        if (skips(d, l))
            linear_grad_input(k->c, input_part(d, l, k->s.frame[l]),
                              param_view(&d->layer[l].W_word), d_emb, true);
    worker_meet(k->c->worker);
    decoder_drop_input(k->c, d_emb, k->b, k->drop);
    worker_meet(k->c->worker);
    if (d->writes)
        projection_backward(&d->stroke, k->c, view_of(k->b->stroke_in, d_emb.rows, MIXTURE_STROKE),
                            d_emb);
    else
        embedding_backward(d->embedding, k->c, k->b->target_in, d_emb);
}

void decoder_weight_gradients(const struct back *k)
{
    for (int l = 0; l < k->d->layers; l++)
        layer_weights(k, l);
    if (!k->d->hard || !k->d->vector)
        readout_weights(k);
    context_weights(k);
    shared_weights(k);
    embedding_gradients(k);
}
