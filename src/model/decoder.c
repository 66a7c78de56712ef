#include "model/decoder.h"

#include "base/arena.h"
#include "model/decoder_parts.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* ---- Parameters ---- */

static void declare_start(struct decoder *d, struct param_set *set)
{
    for (int l = 0; l < d->layers && starts_by_product(d); l++) {
        if (is_second(d, l))
            continue;
        char path[32];
        snprintf(path, sizeof path, "decoder.start.%d", state_index(d, l));
        param_declare(set, &d->W_start[l], path, "W", first_width(d), d->H);
        param_declare(set, &d->b_start[l], path, "b", 1, d->H);
        param_start(&d->W_start[l], PARAM_NORMAL, 1 / sqrt(first_width(d)));
    }
}

/* decoder.0.gru; the second cell of the first layer: decoder.0.second.gru */
static void layer_path(const struct decoder *d, int l, char *path, size_t size)
{
    snprintf(path, size, "decoder.%d.%s%s", state_index(d, l), is_second(d, l) ? "second." : "",
             d->cell->name);
}

static void declare_layer(struct decoder *d, struct param_set *set, int l)
{
    struct decoder_layer *layer = &d->layer[l];
    const bool reads_context = l == context_layer(d) && !d->luong;
    const int X = is_second(d, l) ? 0
                  : l             ? d->H
                                  : d->E,
              context = reads_context ? d->C : 0, fed = l || !d->feeding ? 0 : d->H;
    const double scale = 1 / sqrt(X + context + fed);
    char path[32];
    layer_path(d, l, path, sizeof path);
    if (X) {
        param_declare(set, &layer->W_input, path, "W_input", X, input_width(d));
        param_start(&layer->W_input, PARAM_NORMAL, scale);
    }
    if (context) {
        param_declare(set, &d->W_context, path, "W_context", d->C, input_width(d));
        param_start(&d->W_context, PARAM_NORMAL, scale);
    }
    if (fed) {
        param_declare(set, &d->W_feed, path, "W_feed", d->H, input_width(d));
        param_start(&d->W_feed, PARAM_NORMAL, scale);
    }
    param_declare(set, &layer->U_state, path, "U_state", d->H, state_width(d));
    param_start(&layer->U_state, PARAM_ORTHOGONAL, 1);
    param_declare(set, &layer->bias, path, "bias", 1, slots_width(d));
    if (d->cell->forget_slot >= 0)
        param_ones(&layer->bias, d->cell->forget_slot * d->H, d->H);
    if (d->normalise) {
        char norm[sizeof path + 5];
        snprintf(norm, sizeof norm, "%s.norm", path);
        layer_norm_declare(&layer->norm, set, norm, d->cell->slots, d->H);
    }
}

static void declare_readout(struct decoder *d, struct param_set *set)
{
    const double scale = 1 / sqrt(d->luong ? d->H : d->H + d->C + d->E);
    if (d->luong) {
        param_declare(set, &d->V_state, "decoder.vector", "W_state", d->H, d->H);
        param_declare(set, &d->W_context, "decoder.vector", "W_context", d->C, d->H);
        param_start(&d->V_state, PARAM_NORMAL, 1 / sqrt(d->H + d->C));
        param_start(&d->W_context, PARAM_NORMAL, 1 / sqrt(d->H + d->C));
    }
    param_declare(set, &d->R_state, "decoder.readout", d->luong ? "W_vector" : "W_state", d->H,
                  d->RR);
    param_start(&d->R_state, PARAM_NORMAL, scale);
    if (!d->luong) {
        param_declare(set, &d->R_context, "decoder.readout", "W_context", d->C, d->RR);
        param_declare(set, &d->R_input, "decoder.readout", "W_input", d->E, d->RR);
        param_start(&d->R_context, PARAM_NORMAL, scale);
        param_start(&d->R_input, PARAM_NORMAL, scale);
    }
    param_declare(set, &d->b_readout, "decoder.readout", "b", 1, d->RR);
}

static void take_config(struct decoder *d, const struct model_config *config)
{
    const enum placement placement = model_config_placement(config);
    *d = (struct decoder){
        .cell = cell_find(config->cell ? config->cell : "gru"),
        .layers = config->decoder_layers + (placement == PLACEMENT_CONDITIONAL),
        .E = config->emb,
        .H = config->hidden,
        .C = model_config_annotation(config),
        .R = config->readout_size,
        .luong = placement == PLACEMENT_LUONG,
        .conditional = placement == PLACEMENT_CONDITIONAL,
        .feeding = config->input_feeding,
        .residual = config->residual,
        .normalise = config->layer_norm,
        .direct = config->heads > 1,
        .start = model_config_start(config),
        .readout = model_config_readout(config),
    };
    d->RR = d->readout == READOUT_MAXOUT ? 2 * d->R : d->R;
}

void decoder_declare(struct decoder *d, struct param_set *set, const struct model_config *config,
                     const struct embedding *source)
{
    const enum tie tie = model_config_tie(config);
    const struct attention_dims dims = {.H = config->hidden,
                                        .C = model_config_annotation(config),
                                        .A = config->attention_size,
                                        .heads = config->heads,
                                        .coverage = config->coverage,
                                        .positions = config->positions,
                                        .span = config->span,
                                        .gaussians = config->gaussians};
    take_config(d, config);
    d->embedding = tie == TIE_ALL ? source : &d->own_embedding;
    if (tie != TIE_ALL)
        embedding_declare(&d->own_embedding, set, "decoder.embedding", config->target_vocab, d->E);
    declare_start(d, set);
    for (int l = 0; l < d->layers; l++)
        declare_layer(d, set, l);
    attention_declare(&d->attention, set, "decoder.attention",
                      attention_find(config->attention ? config->attention : "additive"), &dims);
    declare_readout(d, set);
    cross_entropy_declare(&d->output, set, "decoder.output", d->R, config->target_vocab,
                          tie == TIE_NONE ? NULL : &d->embedding->table);
    if (config->copy)
        copy_declare(&d->copy, set, "decoder.copy", d->R);
}

int decoder_projected_width(const struct decoder *d, bool direct)
{
    return d->attention.D + (direct ? 0 : pooled_width(d));
}

int decoder_memory_span(const struct decoder *d, int S) { return is_fixed(d) ? 1 : S; }

int decoder_weight_width(const struct decoder *d, int S)
{
    return d->attention.dims.heads * decoder_memory_span(d, S);
}

int decoder_record_width(const struct decoder *d, int S)
{
    return state_count(d) * record_state(d) + (d->feeding ? d->H : 0) +
           attention_carry_width(&d->attention, decoder_memory_span(d, S));
}

/* ---- Rearranged weights ---- */

static void bind_layer(struct decoder *d, struct arena *arena, int l, enum packing packing)
{
    struct decoder_layer *layer = &d->layer[l];
    const int out = state_width(d) + suffix_width(d, l);
    linear_bind(&layer->state, arena, d->H, out, packing);
    if (packing == PACKING_TRAIN)
        packed_bind(&layer->state_back, arena, out, d->H);
    if (reads_below(d, l)) {
        linear_bind(&layer->input, arena, d->H, input_width(d), packing);
        if (packing == PACKING_TRAIN)
            packed_bind(&layer->input_back, arena, input_width(d), d->H);
    }
    layer->frame_bias = arena_take(arena, sizeof(real), (size_t)frame_width(d, l));
}

static void bind_luong(struct decoder *d, struct arena *arena, enum packing packing)
{
    linear_bind(&d->after, arena, d->H, after_width(d), packing);
    d->after_bias = arena_take(arena, sizeof(real), (size_t)after_width(d));
    if (packing == PACKING_TRAIN)
        packed_bind(&d->after_back, arena, after_width(d), d->H);
    if (!d->feeding)
        return;
    linear_bind(&d->feed, arena, d->H, input_width(d), packing);
    if (packing == PACKING_TRAIN)
        packed_bind(&d->feed_back, arena, input_width(d), d->H);
}

/* What annotations meet in the form, or the forms, that the model takes. */
static void bind_memory(struct decoder *d, struct arena *arena, enum packing packing)
{
    const bool training = packing == PACKING_TRAIN;
    if (!d->direct)
        linear_bind(&d->project, arena, d->C, decoder_projected_width(d, false) - product_from(d),
                    packing);
    if (!d->direct && !training)
        return;
    linear_bind(&d->key, arena, d->C, decoder_projected_width(d, true) - product_from(d), packing);
    linear_bind(&d->context, arena, d->C, pooled_width(d), packing);
    if (training)
        packed_bind(&d->context_back, arena, pooled_width(d), d->C);
}

void decoder_bind(struct decoder *d, struct arena *arena, enum packing packing)
{
    for (int l = 0; l < d->layers; l++) {
        bind_layer(d, arena, l, packing);
        if (starts_by_product(d) && !is_second(d, l))
            linear_bind(&d->start_w[l], arena, first_width(d), d->H, packing);
    }
    bind_memory(d, arena, packing);
    linear_bind(&d->embed, arena, d->E, d->luong ? input_width(d) : pooled_width(d), packing);
    linear_bind(&d->read, arena, d->H, d->RR, packing);
    if (d->luong)
        bind_luong(d, arena, packing);
    cross_entropy_bind(&d->output, arena, packing);
}

static void pack_layer(struct decoder *d, struct compute *c, int l, bool training)
{
    struct decoder_layer *layer = &d->layer[l];
    const bool asks = suffix_width(d, l) > 0;
    linear_pack_weights(c, &layer->state, &layer->U_state, 0);
    if (asks)
        linear_pack_weights(c, &layer->state, &d->attention.W_query, state_width(d));
    if (training) {
        linear_pack(c, &layer->state_back, view_transposed(param_view(&layer->U_state)), 0, 0);
        if (asks)
            linear_pack(c, &layer->state_back, view_transposed(param_view(&d->attention.W_query)),
                        state_width(d), 0);
    }
    if (!reads_below(d, l))
        return;
    linear_pack_weights(c, &layer->input, &layer->W_input, 0);
    if (training)
        linear_pack(c, &layer->input_back, view_transposed(param_view(&layer->W_input)), 0, 0);
}

/* [b_readout | bias | b_query] as far as the frame has them; the layer norm brings the cell's bias
 * itself. */
static void pack_bias(const struct decoder *d, int l)
{
    real *to = d->layer[l].frame_bias;
    if (prefix_width(d, l) && l == context_layer(d))
        memcpy(to, d->b_readout.value, (size_t)d->RR * sizeof(real));
    else
        memset(to, 0, (size_t)prefix_width(d, l) * sizeof(real));
    to += prefix_width(d, l);
    if (d->normalise)
        memset(to, 0, (size_t)slots_width(d) * sizeof(real));
    else
        memcpy(to, d->layer[l].bias.value, (size_t)slots_width(d) * sizeof(real));
    if (suffix_width(d, l))
        memcpy(to + slots_width(d), d->attention.b_query.value,
               (size_t)d->attention.Q * sizeof(real));
}

static void pack_luong(struct decoder *d, struct compute *c, bool training)
{
    const bool asks = d->attention.Q > 0;
    linear_pack_weights(c, &d->after, &d->V_state, 0);
    if (asks)
        linear_pack_weights(c, &d->after, &d->attention.W_query, d->H);
    if (training) {
        linear_pack(c, &d->after_back, view_transposed(param_view(&d->V_state)), 0, 0);
        if (asks)
            linear_pack(c, &d->after_back, view_transposed(param_view(&d->attention.W_query)), d->H,
                        0);
    }
    if (d->feeding) {
        linear_pack_weights(c, &d->feed, &d->W_feed, 0);
        if (training)
            linear_pack(c, &d->feed_back, view_transposed(param_view(&d->W_feed)), 0, 0);
    }
    if (c->worker->index)
        return;
    memset(d->after_bias, 0, (size_t)d->H * sizeof(real));
    if (asks)
        memcpy(d->after_bias + d->H, d->attention.b_query.value,
               (size_t)d->attention.Q * sizeof(real));
}

/* The weights that the context meets, side by side from column n0 on: [R_context | W_context],
 * luong: W_context. */
static void pack_values(const struct decoder *d, struct compute *c, struct packed *to, int n0)
{
    if (!d->luong)
        linear_pack_weights(c, to, &d->R_context, n0);
    linear_pack_weights(c, to, &d->W_context, n0 + (d->luong ? 0 : d->RR));
}

static void pack_memory(struct decoder *d, struct compute *c, bool training)
{
    const bool keys = d->attention.ops->keys == ATTENTION_PROJECTED_KEYS;
    if (!d->direct) {
        if (keys)
            linear_pack_weights(c, &d->project, &d->attention.W_key, 0);
        pack_values(d, c, &d->project, keys ? d->attention.D : 0);
    }
    if (!d->direct && !training)
        return;
    if (keys)
        linear_pack_weights(c, &d->key, &d->attention.W_key, 0);
    pack_values(d, c, &d->context, 0);
    if (!training)
        return;
    if (!d->luong)
        linear_pack(c, &d->context_back, view_transposed(param_view(&d->R_context)), 0, 0);
    linear_pack(c, &d->context_back, view_transposed(param_view(&d->W_context)),
                d->luong ? 0 : d->RR, 0);
}

void decoder_pack(struct decoder *d, struct compute *c, bool training)
{
    for (int l = 0; l < d->layers; l++) {
        pack_layer(d, c, l, training);
        if (starts_by_product(d) && !is_second(d, l))
            linear_pack_weights(c, &d->start_w[l], &d->W_start[l], 0);
        if (c->worker->index == 0)
            pack_bias(d, l);
    }
    pack_memory(d, c, training);
    if (!d->luong)
        linear_pack_weights(c, &d->embed, &d->R_input, 0);
    linear_pack_weights(c, &d->embed, &d->layer[0].W_input, d->luong ? 0 : d->RR);
    linear_pack_weights(c, &d->read, &d->R_state, 0);
    if (d->luong)
        pack_luong(d, c, training);
    cross_entropy_pack(&d->output, c, training);
}
