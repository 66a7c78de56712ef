#include "model/config.h"

#include "base/error.h"
#include "model/encoder.h"
#include "model/placement.h"
#include "nn/attention.h"
#include "nn/cell.h"

#include <stdio.h>
#include <string.h>

/* ---- Names ---- */

#define CHOICE(name, text, help) {text, help, NULL},
static const struct attend_choice starts[] = {START_LIST(CHOICE){0}};
static const struct attend_choice readouts[] = {READOUT_LIST(CHOICE){0}};
static const struct attend_choice ties[] = {TIE_LIST(CHOICE){0}};
static const struct attend_choice positions[] = {POSITIONS_LIST(CHOICE){0}};
#undef CHOICE

static struct attend_choice start_choice(int i) { return starts[i]; }
static struct attend_choice readout_choice(int i) { return readouts[i]; }
static struct attend_choice tie_choice(int i) { return ties[i]; }
static struct attend_choice positions_choice(int i) { return positions[i]; }
static struct attend_choice activation_choice(int i)
{
    return activations[i] ? (struct attend_choice){activations[i]->name, activations[i]->help, NULL}
                          : (struct attend_choice){0};
}
static struct attend_choice cell_choice(int i)
{
    return cells[i] ? (struct attend_choice){cells[i]->name, cells[i]->help, NULL}
                    : (struct attend_choice){0};
}
static struct attend_choice encoder_choice(int i)
{
    return encoders[i] ? (struct attend_choice){encoders[i]->name, encoders[i]->help, NULL}
                       : (struct attend_choice){0};
}
static struct attend_choice attention_choice(int i)
{
    return attentions[i] ? (struct attend_choice){attentions[i]->name, attentions[i]->help,
                                                  attentions[i]->alias}
                         : (struct attend_choice){0};
}
static struct attend_choice placement_choice(int i)
{
    return placements[i] ? (struct attend_choice){placements[i]->name, placements[i]->help, NULL}
                         : (struct attend_choice){0};
}

/* The index of a name in its list. A config that was not made from options may have no name. */
static int place(const struct attend_choice *names, const char *name, int otherwise)
{
    for (int i = 0; name && names[i].name; i++)
        if (strcmp(names[i].name, name) == 0)
            return i;
    return otherwise;
}

const struct activation_ops *model_config_activation(const struct attend_network_options *c)
{
    const struct activation_ops *found =
        c->encoder_activation ? activation_find(c->encoder_activation) : NULL;
    return found ? found : &activation_relu;
}
const struct encoder_ops *model_config_encoder(const struct attend_network_options *c)
{
    const struct encoder_ops *found = c->encoder ? encoder_find(c->encoder) : NULL;
    return found ? found : &encoder_recurrent;
}
const struct attention_ops *model_config_attention(const struct attend_network_options *c)
{
    const struct attention_ops *found = c->attention ? attention_find(c->attention) : NULL;
    return found ? found : &attention_additive;
}
int model_config_annotation(const struct attend_network_options *c)
{
    return model_config_encoder(c)->annotation(c);
}
const struct placement_ops *model_config_placement(const struct attend_network_options *c)
{
    const struct placement_ops *found = c->placement ? placement_find(c->placement) : NULL;
    return found ? found : &placement_bahdanau;
}
enum start model_config_start(const struct attend_network_options *c)
{
    return (enum start)place(starts, c->start, START_LAST);
}
enum readout model_config_readout(const struct attend_network_options *c)
{
    return (enum readout)place(readouts, c->readout, READOUT_TANH);
}
enum tie model_config_tie(const struct attend_network_options *c)
{
    return (enum tie)place(ties, c->tie, TIE_NONE);
}
enum positions model_config_positions(const struct attend_network_options *c)
{
    return (enum positions)place(positions, c->encoder_positions, POSITIONS_SINUSOIDAL);
}

/* ---- Rows ---- */

#define INT(field, name, fallback, low, high, help)                                                \
    ATTEND_ROW_INT(attend_network_options, field, name, "N", fallback, low, high, help,            \
                   ATTEND_PLAIN)
/* A row that older files lack: they mean the default, and files with the default leave it out. */
#define ADDED(field, name, fallback, low, high, help)                                              \
    ATTEND_ROW_INT(attend_network_options, field, name, "N", fallback, low, high, help,            \
                   ATTEND_PLAIN, .absent = fallback)
#define CHOICE(field, name, fallback, names, help)                                                 \
    ATTEND_ROW_CHOICE(attend_network_options, field, name, fallback, names, help, ATTEND_PLAIN)
#define ADDED_CHOICE(field, name, fallback, names, help)                                           \
    ATTEND_ROW_CHOICE(attend_network_options, field, name, fallback, names, help, ATTEND_PLAIN,    \
                      .absent = fallback)
#define FLAG(field, name, help)                                                                    \
    ATTEND_ROW_FLAG(attend_network_options, field, name, help, ATTEND_PLAIN)
#define ADDED_FLAG(field, name, help)                                                              \
    ATTEND_ROW_FLAG(attend_network_options, field, name, help, ATTEND_PLAIN, .absent = "false")

const struct attend_setting network_rows[] = {
    CHOICE(attention, "attention", "additive", attention_choice,
           "how the decoder attends to the source"),
    INT(heads, "heads", "1", 1, 64, "heads of the attention, if it takes several"),
    FLAG(coverage, "coverage", "the attention also sees what was attended before, if it can"),
    FLAG(copy, "copy", "source words can be copied: their attention is mixed into the output"),
    INT(span, "span", "5", 1, 1000, "local attention sees N words to each side of its center"),
    INT(gaussians, "gaussians", "3", 1, 64, "window attention is a sum of N Gaussians"),
    INT(positions, "positions", "0", 0, 1000000,
        "location attention and learned --encoder-positions know N positions; 0: as many as the "
        "longest training source has"),
    ADDED(location_filters, "location-filters", "10", 1, 64,
          "location_aware attention has N filters over the last weights"),
    ADDED(location_reach, "location-reach", "10", 1, 1000,
          "they see N annotations to each side of the one that is scored"),
    CHOICE(placement, "placement", "bahdanau", placement_choice,
           "which state asks, and where the context goes"),
    FLAG(input_feeding, "input-feeding",
         "the attentional vector enters the next step, if there is one"),
    CHOICE(cell, "cell", "gru", cell_choice, "the recurrent cell"),
    INT(encoder_layers, "encoder-layers", "1", 1, CONFIG_LAYERS, "layers of the encoder"),
    INT(decoder_layers, "decoder-layers", "1", 1, CONFIG_LAYERS, "recurrent layers of the decoder"),
    ADDED(pyramid, "pyramid", "0", 0, CONFIG_LAYERS - 1,
          "the N encoder layers above the first read pairs of frames, so each halves the time"),
    FLAG(unidirectional, "unidirectional", "a recurrent encoder reads forward only"),
    FLAG(residual, "residual", "layers from the second on add their input to their output"),
    FLAG(layer_norm, "layer-norm", "normalize the cells' pre-activations"),
    INT(emb, "emb", "128", 1, 8192, "embedding size of both sides"),
    INT(hidden, "hidden", "256", 1, 8192,
        "state size of each direction of a recurrent encoder and of the decoder, width of a "
        "transformer"),
    INT(attention_size, "attention-size", "0", 0, 8192,
        "width of the attention's hidden layer; 0: the same as --hidden"),
    CHOICE(start, "start", "last", start_choice, "the decoder's first state"),
    CHOICE(readout, "readout", "tanh", readout_choice, "the layer before the output"),
    INT(readout_size, "readout-size", "0", 0, 8192, "its width; 0: the same as --emb"),
    CHOICE(tie, "tie", "none", tie_choice, "which embedding tables are shared"),
    ADDED(mixtures, "mixtures", "20", 1, 64,
          "a written stroke is distributed as a mixture of N Gaussians"),
    ATTEND_ROW_REAL(attend_network_options, stroke_floor, "stroke-floor", "X", "0.1", 0.001, 1,
                    "the least standard deviation of a Gaussian of the mixture, where that of all "
                    "strokes is 1",
                    ATTEND_PLAIN, .absent = "0.02"),
    ADDED_FLAG(skip, "skip",
               "decoder layers from the second on also read the last word or stroke and the "
               "context, and the output reads every layer"),
    ADDED(monotonic_order, "monotonic-order", "0", 0, 1,
          "1: the next position of monotonic attention also depends on the last one; 0: it only "
          "must not lie before it"),
    ADDED_CHOICE(encoder, "encoder", "recurrent", encoder_choice, "how the source is read"),
    ADDED(encoder_heads, "encoder-heads", "4", 1, SELF_ATTENTION_HEADS,
          "heads of a transformer encoder's self-attention"),
    ADDED(encoder_ff, "encoder-ff", "0", 0, 65536,
          "width inside its layers; 0: four times --hidden"),
    ADDED_CHOICE(encoder_activation, "encoder-activation", "relu", activation_choice,
                 "the nonlinearity inside its layers"),
    ADDED_CHOICE(encoder_positions, "encoder-positions", "sinusoidal", positions_choice,
                 "how it knows the place of a word"),
    {0},
};

void model_config_complete(struct attend_network_options *c)
{
    const struct {
        int *field, value;
    } when_zero[] = {{&c->attention_size, c->hidden},
                     {&c->readout_size, c->emb},
                     {&c->encoder_layers, 1},
                     {&c->decoder_layers, 1},
                     {&c->heads, 1},
                     {&c->span, 1},
                     {&c->gaussians, 1},
                     {&c->location_filters, 1},
                     {&c->location_reach, 1},
                     {&c->positions, 1},
                     {&c->mixtures, 1},
                     {&c->encoder_heads, 1}};
    for (size_t i = 0; i < sizeof when_zero / sizeof *when_zero; i++)
        if (*when_zero[i].field == 0)
            *when_zero[i].field = when_zero[i].value;
    if (!c->target_width || c->stroke_floor == 0)
        c->stroke_floor = MODEL_CONFIG_NO_FLOOR;
}

/* ---- Valid combinations ---- */

static enum attend_status refuse(struct attend_error *err, const char *sentence)
{
    return error_set(err, ATTEND_USAGE, "%s", sentence);
}

/* Names of a table as a sentence has them: a, b or c. */
struct names {
    char text[256]; /* all but the last */
    const char *last;
};

static void add_name(struct names *n, const char *name)
{
    const size_t used = strlen(n->text);
    if (n->last)
        snprintf(n->text + used, sizeof n->text - used, "%s%s", used ? ", " : "", n->last);
    n->last = name;
}

static enum attend_status refuse_beside(struct attend_error *err, const char *setting,
                                        const char *table, const struct names *n, const char *why)
{
    return error_set(err, ATTEND_USAGE, "%s needs `%s` %s%s%s%s", setting, table, n->text,
                     n->text[0] ? " or " : "", n->last, why);
}

/* Heads, or coverage. */
static enum attend_status refuse_attention(struct attend_error *err, bool heads)
{
    struct names n = {.last = NULL};
    for (const struct attention_ops *const *a = attentions; *a; a++)
        if (heads ? (*a)->heads : (*a)->coverage)
            add_name(&n, (*a)->name);
    return refuse_beside(err, heads ? "`heads`" : "`coverage`", "attention", &n, "");
}

/* Input feeding, or skip links. */
static enum attend_status refuse_placement(struct attend_error *err, bool feeding)
{
    struct names n = {.last = NULL};
    for (const struct placement_ops *const *p = placements; *p; p++)
        if (feeding ? (*p)->feeds : (*p)->skips)
            add_name(&n, (*p)->name);
    return refuse_beside(err, feeding ? "`input_feeding`" : "`skip`", "placement", &n,
                         feeding ? "; in the others the context enters the cell anyway"
                                 : "; in the others the context comes after the layers");
}

static enum attend_status refuse_encoder(struct attend_error *err, const char *setting)
{
    struct names n = {.last = NULL};
    for (const struct encoder_ops *const *e = encoders; *e; e++)
        if ((*e)->cells)
            add_name(&n, (*e)->name);
    return refuse_beside(err, setting, "encoder", &n, "; the others read all of a source at once");
}

static enum attend_status check_attention(const struct attend_network_options *c,
                                          struct attend_error *err)
{
    const struct attention_ops *attention = model_config_attention(c);
    if (c->heads > 1 && !attention->heads)
        return refuse_attention(err, true);
    if (c->heads > 1 && c->hidden % c->heads)
        return refuse(err, "`heads` must divide `hidden`");
    if (c->coverage && !attention->coverage)
        return refuse_attention(err, false);
    if (c->copy && attention == &attention_none)
        return refuse(err, "`copy` needs an attention; choose an `attention` other than none");
    if (c->input_feeding && !model_config_placement(c)->feeds)
        return refuse_placement(err, true);
    if (c->skip && !model_config_placement(c)->skips)
        return refuse_placement(err, false);
    return ATTEND_OK;
}

/* A hard attention has an output for every position. */
static enum attend_status check_hard(const struct attend_network_options *c,
                                     struct attend_error *err)
{
    const struct attention_ops *attention = model_config_attention(c);
    if (!attention->hard)
        return c->monotonic_order ? refuse(err, "`monotonic_order` needs `attention` monotonic")
                                  : ATTEND_OK;
    if (c->copy)
        return refuse(err, "`copy` needs a soft attention; monotonic has a word for every position "
                           "instead");
    if (c->target_width)
        return refuse(err, "`attention` monotonic needs a target of words, not strokes");
    if (c->target_vocab > CONFIG_HARD_VOCAB)
        return error_set(err, ATTEND_USAGE,
                         "`attention` monotonic computes the output at every source position, so "
                         "the target may have at most %d different tokens, such as characters, "
                         "not %d",
                         CONFIG_HARD_VOCAB, c->target_vocab);
    return ATTEND_OK;
}

/* What only some encoders have. */
static enum attend_status check_encoder(const struct attend_network_options *c,
                                        struct attend_error *err)
{
    const bool copies = model_config_start(c) == START_COPY;
    const struct encoder_ops *encoder = model_config_encoder(c);
    if (!encoder->cells && (copies || c->unidirectional || c->pyramid))
        return refuse_encoder(err, copies              ? "`start` copy"
                                   : c->unidirectional ? "`unidirectional`"
                                                       : "`pyramid`");
    if (!encoder->cells && c->hidden % c->encoder_heads)
        return refuse(err, "`encoder_heads` must divide `hidden`");
    return ATTEND_OK;
}

/* What a source of frames excludes, or needs. */
static enum attend_status check_source(const struct attend_network_options *c,
                                       struct attend_error *err)
{
    if (c->source_width > CONFIG_FRAME_WIDTH)
        return error_set(err, ATTEND_USAGE, "frames have at most %d numbers, not %d",
                         CONFIG_FRAME_WIDTH, c->source_width);
    if (c->pyramid && !c->source_width)
        return refuse(err, "`pyramid` needs a source of frames; the words of a text stay apart");
    if (c->pyramid >= c->encoder_layers)
        return error_set(err, ATTEND_USAGE, "`pyramid` %d needs `encoder_layers` %d or more",
                         c->pyramid, c->pyramid + 1);
    if (c->copy && c->source_width)
        return refuse(err, "`copy` needs a source of tokens; frames cannot be copied");
    if (model_config_tie(c) == TIE_ALL && c->source_width)
        return refuse(err, "`tie` all needs a source of tokens; frames have no embedding table");
    return ATTEND_OK;
}

/* A target of strokes has no words that could be copied, and no table that could be shared. */
static enum attend_status check_target(const struct attend_network_options *c,
                                       struct attend_error *err)
{
    if (c->target_width && c->source_width)
        return refuse(err, "a target of strokes needs a source of text");
    if (c->target_width && c->copy)
        return refuse(err, "`copy` needs a target of words; strokes cannot be copied");
    if (c->target_width && model_config_tie(c) != TIE_NONE)
        return refuse(err, "`tie` needs a target of words; strokes have no embedding table");
    return ATTEND_OK;
}

/* How many layers there must be. */
static enum attend_status check_layers(const struct attend_network_options *c,
                                       struct attend_error *err)
{
    const int recurrent = model_config_encoder(c)->cells ? c->encoder_layers : 0;
    if (model_config_start(c) == START_COPY && recurrent != c->decoder_layers)
        return refuse(err, "`start` copy needs as many `encoder_layers` as `decoder_layers`");
    if (c->residual && recurrent < 2 && c->decoder_layers < 2)
        return refuse(err, "`residual` needs at least two layers in the encoder or decoder");
    if (c->skip && c->decoder_layers < 2)
        return refuse(err, "`skip` needs at least two `decoder_layers`");
    return ATTEND_OK;
}

enum attend_status model_config_check(const struct attend_network_options *c,
                                      struct attend_error *err)
{
    if (model_config_tie(c) != TIE_NONE && c->readout_size != c->emb)
        return refuse(err, "`tie` target and `tie` all need `readout_size` equal to `emb`");
    enum attend_status status = check_encoder(c, err);
    if (!status)
        status = check_layers(c, err);
    if (!status)
        status = check_source(c, err);
    if (!status)
        status = check_target(c, err);
    if (!status)
        status = check_attention(c, err);
    return status ? status : check_hard(c, err);
}
