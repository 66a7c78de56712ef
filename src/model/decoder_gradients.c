/* The decoder under teacher forcing, after the backward loop: the gradients of all weights, and
 * what goes back to the encoder. */
#include "model/decoder_train.h"

#include "tensor/vec.h"

#include <string.h>

/* ---- Weight gradients: one product each over all rows ---- */

/* What U of cell l multiplied, all rows. */
static struct view asked_rows(const struct back *k, int l)
{
    const int M = k->b->target_rows, H = k->d->H, W = record_state(k->d);
    if (is_second(k->d, l))
        return view_strided(k->t->layer[0].state, M, H, W);
    if (k->drop->recurrent.rate > 0)
        return view_of(k->t->layer[l].masked, M, H);
    return view_strided(k->t->layer[l].previous, M, H, W);
}

static void layer_weights(const struct back *k, int l)
{
    const struct decoder *d = k->d;
    const struct decoder_layer *layer = &d->layer[l];
    const struct decoder_layer_tape *t = &k->t->layer[l];
    const struct view frame = k->s.frame[l];
    const int M = k->b->target_rows;
    const struct view asked = asked_rows(k, l);
    linear_grad_weight(k->c, asked, state_part(d, l, frame), param_grad(&layer->U_state));
    if (!is_second(d, l))
        linear_grad_weight(k->c, l ? view_of(t->x, M, d->H) : k->s.emb, input_part(d, l, frame),
                           param_grad(&layer->W_input));
    if (suffix_width(d, l)) {
        const struct view query =
            view_cols(frame, prefix_width(d, l) + slots_width(d), d->attention.Q);
        linear_grad_weight(k->c, asked, query, param_grad(&d->attention.W_query));
        linear_grad_bias(k->c, query, d->attention.b_query.grad);
    }
    if (!d->normalise)
        linear_grad_bias(k->c, cell_part(d, l, frame), layer->bias.grad);
}

static void readout_weights(const struct back *k)
{
    const struct decoder *d = k->d;
    linear_grad_bias(k->c, k->s.pre, d->b_readout.grad);
    if (d->luong)
        return; /* R_state's was made before the loop */
    linear_grad_weight(k->c, k->s.top, k->s.pre, param_grad(&d->R_state));
    linear_grad_weight(k->c, k->s.emb, k->s.pre, param_grad(&d->R_input));
}

static void vector_weights(const struct back *k)
{
    const struct decoder *d = k->d;
    linear_grad_weight(k->c, k->s.top, view_cols(k->s.after, 0, d->H), param_grad(&d->V_state));
    if (d->attention.Q) {
        const struct view query = view_cols(k->s.after, d->H, d->attention.Q);
        linear_grad_weight(k->c, k->s.top, query, param_grad(&d->attention.W_query));
        linear_grad_bias(k->c, query, d->attention.b_query.grad);
    }
    if (d->feeding)
        linear_grad_weight(k->c, k->s.fed, input_part(d, 0, k->s.frame[0]), param_grad(&d->W_feed));
}

/* The weights that the context meets: from contexts and target rows in the direct form, else from
 * annotations. */
static void context_weights(const struct back *k)
{
    const struct decoder *d = k->d;
    const struct view x = k->t->direct ? k->s.context : k->s.memory;
    const struct view d_y =
        k->t->direct
            ? view_cols(d->luong ? k->s.after : k->s.frame[context_layer(d)], 0, pooled_width(d))
            : value_part(d, k->d_projected);
    if (!d->luong)
        linear_grad_weight(k->c, x, view_cols(d_y, 0, d->RR), param_grad(&d->R_context));
    linear_grad_weight(k->c, x, d->luong ? d_y : view_cols(d_y, d->RR, input_width(d)),
                       param_grad(&d->W_context));
    if (d->attention.ops->keys == ATTENTION_PROJECTED_KEYS)
        linear_grad_weight(k->c, k->s.memory, key_part(d, k->d_projected),
                           param_grad(&d->attention.W_key));
}

/* What threads added up apart. */
static void shared_weights(const struct back *k)
{
    const struct decoder *d = k->d;
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
        for (int l = 0; l < d->layers && d->normalise; l++, share += 2 * slots_width(d)) {
            vec_add(d->layer[l].norm.gain.grad, share, (size_t)slots_width(d));
            vec_add(d->layer[l].bias.grad, share + slots_width(d), (size_t)slots_width(d));
        }
    }
}

static void embedding_gradients(const struct back *k)
{
    const struct decoder *d = k->d;
    const struct view d_emb = view_of(k->t->d_emb, k->b->target_rows, d->E);
    if (!d->luong)
        linear_grad_input(k->c, k->s.pre, param_view(&d->R_input), d_emb, false);
    linear_grad_input(k->c, input_part(d, 0, k->s.frame[0]), param_view(&d->layer[0].W_input),
                      d_emb, !d->luong);
    worker_meet(k->c->worker);
    decoder_drop_input(k->c, d_emb, k->b, k->drop);
    worker_meet(k->c->worker);
    embedding_backward(d->embedding, k->c, k->b->target_in, d_emb);
}

void decoder_weight_gradients(const struct back *k)
{
    for (int l = 0; l < k->d->layers; l++)
        layer_weights(k, l);
    readout_weights(k);
    if (k->d->luong)
        vector_weights(k);
    context_weights(k);
    shared_weights(k);
    embedding_gradients(k);
}

/* ---- Back to the encoder ---- */

/* d_h through keys and values; overwrites. */
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
    const struct view d_values = value_part(d, k->d_projected);
    if (!d->luong)
        linear_grad_input(k->c, view_cols(d_values, 0, d->RR), param_view(&d->R_context), d_h,
                          true);
    linear_grad_input(k->c, d->luong ? d_values : view_cols(d_values, d->RR, input_width(d)),
                      param_view(&d->W_context), d_h, true);
}

/* `none`: the fixed contexts back to the first and last annotations; the others get nothing. */
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

/* s_0 = tanh(first W + b), for layer l; what reaches `first` goes on to the annotations. */
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

void decoder_memory_gradients(const struct back *k, struct encoder_tape *encoded)
{
    const struct decoder *d = k->d;
    const struct view d_memory = view_of(encoded->d_memory, k->b->source_rows, d->C);
    int from, to;
    worker_share(k->c->worker, k->b->B, 1, &from, &to);
    annotation_gradients(k, is_fixed(d) ? view_of(k->t->d_fixed, k->b->B, d->C) : d_memory);
    worker_meet(k->c->worker);
    if (is_fixed(d))
        fixed_backward(k, d_memory, from, to);
    worker_meet(k->c->worker);
    const size_t W = (size_t)record_state(d);
    for (int l = 0; l < d->layers; l++) {
        if (is_second(d, l))
            continue;
        if (starts_by_product(d))
            start_backward(k, d_memory, l);
        else if (d->start == START_COPY)
            memcpy(
                encoded->d_last + ((size_t)state_index(d, l) * (size_t)k->b->B + (size_t)from) * W,
                k->t->layer[l].d_start + (size_t)from * W, (size_t)(to - from) * W * sizeof(real));
    }
    worker_meet(k->c->worker);
}
