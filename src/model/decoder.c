#include "model/decoder.h"

#include "base/arena.h"
#include "base/bug.h"
#include "model/decoder_parts.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* ---- Parameters ---- */

static void declare_start(struct decoder *d, struct param_set *set)
{
    for (int l = 0; l < d->layers && starts_by_product(d); l++) {
        if (!keeps(d, l))
            continue;
        char path[32];
        snprintf(path, sizeof path, "decoder.start.%d", d->layer[l].state_number);
        param_declare(set, &d->W_start[l], path, "W", first_width(d), d->H);
        param_declare(set, &d->b_start[l], path, "b", 1, d->H);
        param_start(&d->W_start[l], PARAM_NORMAL, 1 / sqrt(first_width(d)));
    }
}

/* Declare the weights of a cell's inputs, all with the same scale. */
static void declare_inputs(struct decoder *d, struct param_set *set, int l, const char *path)
{
    struct decoder_layer *layer = &d->layer[l];
    const struct {
        struct param *W;
        const char *name;
        int rows;
    } inputs[] = {
        {&layer->W_input, "W_input",
         layer->plan.word    ? d->E
         : layer->plan.below ? d->H
                             : 0},
        {&layer->W_context, "W_context", reads(d, l) ? d->C : 0},
        {&d->W_feed, "W_feed", layer->plan.fed ? d->H : 0},
        {&layer->W_word, "W_word", skips(d, l) ? d->E : 0},
    };
    int rows = 0;
    for (size_t i = 0; i < sizeof inputs / sizeof *inputs; i++)
        rows += inputs[i].rows;
    const double scale = 1 / sqrt(rows);
    for (size_t i = 0; i < sizeof inputs / sizeof *inputs; i++) {
        if (!inputs[i].rows)
            continue;
        param_declare(set, inputs[i].W, path, inputs[i].name, inputs[i].rows, layer->columns.input);
        param_start(inputs[i].W, PARAM_NORMAL, scale);
    }
}

/* decoder.0.gru; the second cell of the first layer: decoder.0.second.gru */
static void declare_cell(struct decoder *d, struct param_set *set, int l)
{
    struct decoder_layer *layer = &d->layer[l];
    char path[32];
    snprintf(path, sizeof path, "decoder.%d.%s%s", layer->state_number,
             layer->plan.kind == LAYER_SECOND ? "second." : "", d->cell->name);
    declare_inputs(d, set, l, path);
    param_declare(set, &layer->U_state, path, "U_state", d->H, layer->columns.state);
    param_start(&layer->U_state, PARAM_ORTHOGONAL, 1);
    param_declare(set, &layer->bias, path, "bias", 1, layer->columns.slots);
    if (d->cell->forget_slot >= 0)
        param_ones(&layer->bias, d->cell->forget_slot * d->H, d->H);
    if (d->normalize) {
        char norm[sizeof path + 5];
        snprintf(norm, sizeof norm, "%s.norm", path);
        layer_norm_declare(&layer->norm, set, norm, d->cell->slots, d->H);
    }
}

static void declare_vector(struct decoder *d, struct param_set *set)
{
    struct decoder_layer *layer = &d->layer[d->layers - 1];
    const int context = layer->plan.context ? d->C : 0;
    const double scale = 1 / sqrt(d->H + context);
    param_declare(set, &layer->U_state, "decoder.vector", "W_state", d->H, d->H);
    param_start(&layer->U_state, PARAM_NORMAL, scale);
    if (!context)
        return;
    param_declare(set, &layer->W_context, "decoder.vector", "W_context", d->C, d->H);
    param_start(&layer->W_context, PARAM_NORMAL, scale);
}

/* decoder.readout.0.W_state reads the output of the first layer, which the second reads too. */
static void declare_below(struct decoder *d, struct param_set *set, int l, double scale)
{
    struct decoder_layer *layer = &d->layer[l];
    char path[32];
    if (!skips(d, l))
        return;
    snprintf(path, sizeof path, "decoder.readout.%d", layer->state_number - 1);
    param_declare(set, &layer->R_below, path, "W_state", d->H, d->RR);
    param_start(&layer->R_below, PARAM_NORMAL, scale);
}

static void declare_readout(struct decoder *d, struct param_set *set)
{
    int below = 0;
    for (int l = 0; l < d->layers; l++)
        below += skips(d, l);
    const double scale = 1 / sqrt(d->vector ? d->H : (1 + below) * d->H + d->C + d->E);
    param_declare(set, &d->R_state, "decoder.readout", d->vector ? "W_vector" : "W_state", d->H,
                  d->RR);
    param_start(&d->R_state, PARAM_NORMAL, scale);
    if (!d->vector) {
        param_declare(set, &d->R_context, "decoder.readout", "W_context", d->C, d->RR);
        param_declare(set, &d->R_input, "decoder.readout", "W_input", d->E, d->RR);
        param_start(&d->R_context, PARAM_NORMAL, scale);
        param_start(&d->R_input, PARAM_NORMAL, scale);
    }
    for (int l = 0; l < d->layers; l++)
        declare_below(d, set, l, scale);
    param_declare(set, &d->b_readout, "decoder.readout", "b", 1, d->RR);
}

static struct decoder_columns columns_of(const struct decoder *d, int l)
{
    const struct decoder_layer *layer = &d->layer[l];
    const int readout = !d->vector && (layer->plan.word || layer->plan.context) ? d->RR : 0;
    return (struct decoder_columns){.readout = readout,
                                    .slots = layer->cell->slots * d->H,
                                    .input = layer->cell->input_slots * d->H,
                                    .state = layer->cell->state_slots * d->H,
                                    .state_from = readout + layer->cell->state_from * d->H};
}

/* Set up the layers as the placement describes them. */
static void plan_layers(struct decoder *d, const struct attend_network_options *config)
{
    struct placement_layer plan[DECODER_LAYERS];
    int values = 0;
    BUG_ON(config->decoder_layers < 1 || config->decoder_layers > CONFIG_LAYERS);
    d->layers = model_config_placement(config)->describe(plan, config->decoder_layers,
                                                         config->input_feeding);
    d->vector = plan[d->layers - 1].kind == LAYER_VECTOR;
    d->top = d->layers - 1 - d->vector;
    for (int l = 0; l < d->layers; l++) {
        struct decoder_layer *layer = &d->layer[l];
        d->states += plan[l].kind == LAYER_CELL;
        d->asking = plan[l].asks ? l : d->asking;
        d->reading = plan[l].context ? l : d->reading;
        layer->plan = plan[l];
        layer->cell = plan[l].kind == LAYER_VECTOR ? &decoder_vector : d->cell;
        layer->state_number = d->states - 1;
        layer->columns = columns_of(d, l);
        layer->first_cell = plan[l].kind == LAYER_SECOND ? d->layer[l - 1].first_cell : l;
        for (int k = layer->first_cell; k <= l; k++)
            d->layer[k].last_cell = l;
        layer->values = values;
        values += reads(d, l) ? pooled_width(d, l) : 0;
    }
    d->asks_first = keeps(d, d->asking);
}

static void take_config(struct decoder *d, const struct attend_network_options *config)
{
    *d = (struct decoder){
        .cell = cell_find(config->cell ? config->cell : "gru"),
        .E = config->emb,
        .H = config->hidden,
        .C = model_config_annotation(config),
        .R = config->readout_size,
        .feeding = config->input_feeding,
        .residual = config->residual,
        .normalize = config->layer_norm,
        .skip = config->skip,
        .direct = config->heads > 1,
        .writes = config->target_width > 0,
        .start = model_config_start(config),
        .readout = model_config_readout(config),
    };
    d->RR = d->readout == READOUT_MAXOUT ? 2 * d->R : d->R;
    plan_layers(d, config);
}

/* At first a window passes over a token in this many strokes, which a letter has about. */
static const double STROKE_PACE = 1.0 / 25;

void decoder_declare(struct decoder *d, struct param_set *set,
                     const struct attend_network_options *config, const struct embedding *source)
{
    const enum tie tie = model_config_tie(config);
    const struct attention_dims dims = {.H = config->hidden,
                                        .C = model_config_annotation(config),
                                        .A = config->attention_size,
                                        .heads = config->heads,
                                        .coverage = config->coverage,
                                        .positions = config->positions,
                                        .span = config->span,
                                        .gaussians = config->gaussians,
                                        .filters = config->location_filters,
                                        .reach = config->location_reach,
                                        .order = config->monotonic_order,
                                        .pace = config->target_width ? STROKE_PACE : 1};
    take_config(d, config);
    d->embedding = tie == TIE_ALL ? source : &d->own_embedding;
    if (d->writes)
        projection_declare(&d->stroke, set, "decoder.stroke", MIXTURE_STROKE, d->E);
    else if (tie != TIE_ALL)
        embedding_declare(&d->own_embedding, set, "decoder.embedding", config->target_vocab, d->E);
    declare_start(d, set);
    for (int l = 0; l <= d->top; l++)
        declare_cell(d, set, l);
    attention_declare(&d->attention, set, "decoder.attention", model_config_attention(config),
                      &dims);
    d->hard = d->attention.ops->hard;
    if (d->vector)
        declare_vector(d, set);
    declare_readout(d, set);
    if (d->writes)
        mixture_declare(&d->pen, set, "decoder.output", d->R, config->mixtures,
                        config->stroke_floor);
    else
        cross_entropy_declare(&d->output, set, "decoder.output", d->R, config->target_vocab,
                              tie == TIE_NONE ? NULL : &d->embedding->table);
    if (config->copy)
        copy_declare(&d->copy, set, "decoder.copy", d->R);
}

int decoder_projected_width(const struct decoder *d, bool direct)
{
    return d->attention.D + (direct ? 0 : values_width(d));
}

int decoder_memory_span(const struct decoder *d, int S) { return is_fixed(d) ? 1 : S; }

int decoder_weight_width(const struct decoder *d, int S)
{
    return d->attention.dims.heads * decoder_memory_span(d, S);
}

int decoder_record_width(const struct decoder *d, int S)
{
    return d->states * record_state(d) + (d->feeding ? d->H : 0) +
           attention_carry_width(&d->attention, decoder_memory_span(d, S)) + joint_width(d, S);
}

/* ---- Rearranged weights ---- */

static void bind_layer(struct decoder *d, struct arena *arena, int l, enum packing packing)
{
    struct decoder_layer *layer = &d->layer[l];
    const int out = layer->columns.state + query_width(d, l);
    linear_bind(&layer->state, arena, d->H, out, packing);
    if (packing == PACKING_TRAIN)
        packed_bind(&layer->state_back, arena, out, d->H);
    if (layer->plan.below) {
        linear_bind(&layer->input, arena, d->H, layer->columns.input, packing);
        if (packing == PACKING_TRAIN)
            packed_bind(&layer->input_back, arena, layer->columns.input, d->H);
    }
    if (layer->plan.fed) {
        linear_bind(&d->feed, arena, d->H, layer->columns.input, packing);
        if (packing == PACKING_TRAIN)
            packed_bind(&d->feed_back, arena, layer->columns.input, d->H);
    }
    if (skips(d, l)) {
        linear_bind(&layer->word, arena, d->E, layer->columns.input, packing);
        linear_bind(&layer->read, arena, d->H, d->RR, packing);
    }
    layer->frame_bias = arena_take(arena, sizeof(real), (size_t)frame_width(d, l));
}

/* Bind the weights that multiply annotations or contexts, for each form that the model uses. */
static void bind_memory(struct decoder *d, struct arena *arena, enum packing packing)
{
    const bool training = packing == PACKING_TRAIN;
    if (!d->direct)
        linear_bind(&d->project, arena, d->C, decoder_projected_width(d, false) - product_from(d),
                    packing);
    if (!d->direct && !training)
        return;
    linear_bind(&d->key, arena, d->C, decoder_projected_width(d, true) - product_from(d), packing);
    for (int l = 0; l < d->layers; l++) {
        if (!reads(d, l))
            continue;
        linear_bind(&d->layer[l].context, arena, d->C, pooled_width(d, l), packing);
        if (training)
            packed_bind(&d->layer[l].context_back, arena, pooled_width(d, l), d->C);
    }
}

void decoder_bind(struct decoder *d, struct arena *arena, enum packing packing)
{
    for (int l = 0; l < d->layers; l++) {
        bind_layer(d, arena, l, packing);
        if (starts_by_product(d) && keeps(d, l))
            linear_bind(&d->start_w[l], arena, first_width(d), d->H, packing);
    }
    bind_memory(d, arena, packing);
    linear_bind(&d->embed, arena, d->E, d->layer[0].columns.readout + d->layer[0].columns.input,
                packing);
    linear_bind(&d->read, arena, d->H, d->RR, packing);
    if (!d->writes) {
        cross_entropy_bind(&d->output, arena, packing);
        return;
    }
    projection_bind(&d->stroke, arena, packing);
    mixture_bind(&d->pen, arena, packing);
}

/* Pack W for products inside the loop: forward and, in training, backward. `to` gets W from column
 * `from` on, `back` gets its transpose from row `from` on. */
static void pack_both(struct compute *c, struct packed *to, struct packed *back,
                      const struct param *W, int from, bool training)
{
    linear_pack_weights(c, to, W, from);
    if (training)
        linear_pack(c, back, view_transposed(param_view(W)), from, 0);
}

static void pack_layer(struct decoder *d, struct compute *c, int l, bool training)
{
    struct decoder_layer *layer = &d->layer[l];
    pack_both(c, &layer->state, &layer->state_back, &layer->U_state, 0, training);
    if (query_width(d, l))
        pack_both(c, &layer->state, &layer->state_back, &d->attention.W_query, layer->columns.state,
                  training);
    if (layer->plan.below)
        pack_both(c, &layer->input, &layer->input_back, &layer->W_input, 0, training);
    if (layer->plan.fed)
        pack_both(c, &d->feed, &d->feed_back, &d->W_feed, 0, training);
    if (!skips(d, l))
        return;
    linear_pack_weights(c, &layer->word, &layer->W_word, 0);
    linear_pack_weights(c, &layer->read, &layer->R_below, 0);
}

/* [b_readout | bias | b_query], as far as the frame has them. The readout's bias enters with the
 * context. With layer norm, the norm adds the cell's bias itself. */
static void pack_bias(const struct decoder *d, int l)
{
    const struct decoder_layer *layer = &d->layer[l];
    real *to = layer->frame_bias;
    memset(to, 0, (size_t)frame_width(d, l) * sizeof(real));
    if (layer->columns.readout && layer->plan.context)
        memcpy(to, d->b_readout.value, (size_t)d->RR * sizeof(real));
    to += layer->columns.readout;
    if (!d->normalize && !is_vector(d, l))
        memcpy(to, layer->bias.value, (size_t)layer->columns.slots * sizeof(real));
    to += layer->columns.slots;
    if (query_width(d, l))
        memcpy(to, d->attention.b_query.value, (size_t)d->attention.Q * sizeof(real));
}

/* Pack the weights by which layer l multiplies the context, side by side from column n0 on:
 * [R_context | W_context], or only W_context if the frame has no readout. */
static void pack_values(const struct decoder *d, struct compute *c, struct packed *to, int l,
                        int n0)
{
    const int readout = d->layer[l].columns.readout;
    if (readout)
        linear_pack_weights(c, to, &d->R_context, n0);
    linear_pack_weights(c, to, &d->layer[l].W_context, n0 + readout);
}

/* Direct form: the weights of layer l, for products inside the loop. */
static void pack_context(struct decoder *d, struct compute *c, int l, bool training)
{
    struct decoder_layer *layer = &d->layer[l];
    const int readout = layer->columns.readout;
    pack_values(d, c, &layer->context, l, 0);
    if (!training)
        return;
    if (readout)
        linear_pack(c, &layer->context_back, view_transposed(param_view(&d->R_context)), 0, 0);
    linear_pack(c, &layer->context_back, view_transposed(param_view(&layer->W_context)), readout,
                0);
}

static void pack_memory(struct decoder *d, struct compute *c, bool training)
{
    const bool keys = d->attention.ops->keys == ATTENTION_PROJECTED_KEYS;
    if (!d->direct) {
        if (keys)
            linear_pack_weights(c, &d->project, &d->attention.W_key, 0);
        for (int l = 0; l < d->layers; l++)
            if (reads(d, l))
                pack_values(d, c, &d->project, l, (keys ? d->attention.D : 0) + d->layer[l].values);
    }
    if (!d->direct && !training)
        return;
    if (keys)
        linear_pack_weights(c, &d->key, &d->attention.W_key, 0);
    for (int l = 0; l < d->layers; l++)
        if (reads(d, l))
            pack_context(d, c, l, training);
}

void decoder_pack(struct decoder *d, struct compute *c, bool training)
{
    for (int l = 0; l < d->layers; l++) {
        pack_layer(d, c, l, training);
        if (starts_by_product(d) && keeps(d, l))
            linear_pack_weights(c, &d->start_w[l], &d->W_start[l], 0);
        if (c->worker->index == 0)
            pack_bias(d, l);
    }
    pack_memory(d, c, training);
    if (d->layer[0].columns.readout)
        linear_pack_weights(c, &d->embed, &d->R_input, 0);
    linear_pack_weights(c, &d->embed, &d->layer[0].W_input, d->layer[0].columns.readout);
    linear_pack_weights(c, &d->read, &d->R_state, 0);
    if (!d->writes) {
        cross_entropy_pack(&d->output, c, training);
        return;
    }
    projection_pack(&d->stroke, c);
    mixture_pack(&d->pen, c);
}
