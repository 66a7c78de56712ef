#include "model/config.h"

#include "base/error.h"
#include "nn/attention.h"
#include "nn/cell.h"

#include <string.h>

/* ---- Names ---- */

#define TEXT(name, text, help) text,
static const char *const placements[] = {PLACEMENT_LIST(TEXT) NULL};
static const char *const starts[] = {START_LIST(TEXT) NULL};
static const char *const readouts[] = {READOUT_LIST(TEXT) NULL};
static const char *const ties[] = {TIE_LIST(TEXT) NULL};
#undef TEXT

static const char *placement_name(int i) { return placements[i]; }
static const char *start_name(int i) { return starts[i]; }
static const char *readout_name(int i) { return readouts[i]; }
static const char *tie_name(int i) { return ties[i]; }
static const char *cell_name(int i) { return cells[i] ? cells[i]->name : NULL; }
static const char *attention_name(int i) { return attentions[i] ? attentions[i]->name : NULL; }

/* Where a name stands in its list; a config that was not made from options may have none. */
static int place(const char *const *names, const char *name, int otherwise)
{
    for (int i = 0; name && names[i]; i++)
        if (strcmp(names[i], name) == 0)
            return i;
    return otherwise;
}

enum placement model_config_placement(const struct model_config *c)
{
    return (enum placement)place(placements, c->placement, PLACEMENT_BAHDANAU);
}
enum start model_config_start(const struct model_config *c)
{
    return (enum start)place(starts, c->start, START_LAST);
}
enum readout model_config_readout(const struct model_config *c)
{
    return (enum readout)place(readouts, c->readout, READOUT_TANH);
}
enum tie model_config_tie(const struct model_config *c)
{
    return (enum tie)place(ties, c->tie, TIE_NONE);
}

/* ---- Rows ---- */

#define FIELD(field) offsetof(struct model_config, field)
#define INT(field, flag, text, low, high, what)                                                    \
    {                                                                                              \
        .name = flag, .kind = OPTION_INT, .offset = FIELD(field), .fallback = text, .min = low,    \
        .max = high, .value = "N", .help = what                                                    \
    }
#define CHOICE(field, flag, text, names, what)                                                     \
    {                                                                                              \
        .name = flag, .kind = OPTION_CHOICE, .offset = FIELD(field), .fallback = text,             \
        .value = "NAME", .choices = names, .help = what                                            \
    }
#define FLAG(field, flag, what)                                                                    \
    {                                                                                              \
        .name = flag, .kind = OPTION_FLAG, .offset = FIELD(field), .help = what                    \
    }

const struct option_row model_config_rows[] = {
    CHOICE(attention, "attention", "additive", attention_name,
           "how the decoder looks at the source"),
    INT(heads, "heads", "1", 1, 64, "heads of dot, scaled_dot, general or cosine attention"),
    FLAG(coverage, "coverage", "additive attention also sees what was attended before"),
    FLAG(copy, "copy",
         "words of the source can be copied: their attention is mixed into the output"),
    INT(span, "span", "5", 1, 1000, "local attention looks N words to each side of its centre"),
    INT(gaussians, "gaussians", "3", 1, 64, "window attention is a sum of N Gaussians"),
    INT(positions, "positions", "0", 0, 1000000,
        "location attention knows N positions; 0: as many as the longest training source has"),
    CHOICE(placement, "placement", "bahdanau", placement_name,
           "which state asks, and where the context goes"),
    FLAG(input_feeding, "input-feeding", "luong: the attentional vector enters the next step"),
    CHOICE(cell, "cell", "gru", cell_name, "the recurrent cell"),
    INT(encoder_layers, "encoder-layers", "1", 1, CONFIG_LAYERS, "recurrent layers of the encoder"),
    INT(decoder_layers, "decoder-layers", "1", 1, CONFIG_LAYERS, "recurrent layers of the decoder"),
    FLAG(unidirectional, "unidirectional", "the encoder reads forward only"),
    FLAG(residual, "residual", "layers from the second on add their input to their output"),
    FLAG(layer_norm, "layer-norm", "normalise the cells' pre-activations"),
    INT(emb, "emb", "128", 1, 8192, "embedding size of both sides"),
    INT(hidden, "hidden", "256", 1, 8192,
        "state size of each encoder direction and of the decoder"),
    INT(attention_size, "attention-size", "0", 0, 8192,
        "width of the attention's hidden layer; 0: as --hidden"),
    CHOICE(start, "start", "last", start_name, "the decoder's first state"),
    CHOICE(readout, "readout", "tanh", readout_name, "the layer before the output"),
    INT(readout_size, "readout-size", "0", 0, 8192, "its width; 0: as --emb"),
    CHOICE(tie, "tie", "none", tie_name, "tables that are shared"),
    {0},
};

void model_config_complete(struct model_config *c)
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
                     {&c->positions, 1}};
    for (size_t i = 0; i < sizeof when_zero / sizeof *when_zero; i++)
        if (*when_zero[i].field == 0)
            *when_zero[i].field = when_zero[i].value;
}

/* ---- What goes together ---- */

static enum attend_status refuse(struct attend_error *err, const char *sentence)
{
    return error_set(err, ATTEND_USAGE, "%s", sentence);
}

static enum attend_status check_attention(const struct model_config *c, struct attend_error *err)
{
    const struct attention_ops *attention =
        attention_find(c->attention ? c->attention : "additive");
    if (c->heads > 1 && !attention->heads)
        return refuse(err, "--heads goes with --attention dot, scaled_dot, general or cosine");
    if (c->heads > 1 && c->hidden % c->heads)
        return refuse(err, "--heads must divide --hidden");
    if (c->coverage && !attention->coverage)
        return refuse(err, "--coverage goes with --attention additive");
    if (c->copy && attention == &attention_none)
        return refuse(err, "--copy needs attention, and --attention none is none");
    if (c->input_feeding && model_config_placement(c) != PLACEMENT_LUONG)
        return refuse(err, "--input-feeding goes with --placement luong; in the others the context "
                           "enters the cell anyway");
    return ATTEND_OK;
}

enum attend_status model_config_check(const struct model_config *c, struct attend_error *err)
{
    if (model_config_start(c) == START_COPY && c->encoder_layers != c->decoder_layers)
        return refuse(err, "--start copy needs as many --encoder-layers as --decoder-layers");
    if (model_config_tie(c) != TIE_NONE && c->readout_size != c->emb)
        return refuse(err, "--tie target and --tie all need --readout-size to be --emb");
    if (c->residual && c->encoder_layers < 2 && c->decoder_layers < 2)
        return refuse(err, "--residual needs two layers or more on a side");
    return check_attention(c, err);
}
