/* The shape of a model: what is fixed when it is made and stored in its file. */
#ifndef ATTEND_MODEL_CONFIG_H
#define ATTEND_MODEL_CONFIG_H

#include "base/option.h"

enum { CONFIG_LAYERS = 8 };

/* Choices that are not tables of mechanisms: name, what it means. Each list gives an enum and the
 * names that the configuration takes. */
#define PLACEMENT_LIST(X)                                                                          \
    X(BAHDANAU, "bahdanau", "the previous state asks, the context enters the cell")                \
    X(LUONG, "luong", "the new state asks, tanh(W [context; state]) goes to the output")           \
    X(CONDITIONAL, "conditional",                                                                  \
      "the state asks once it has read the word, the context moves it on")
#define START_LIST(X)                                                                              \
    X(ZERO, "zero", "0")                                                                           \
    X(LAST, "last", "tanh(W .) of the encoder state that has read everything")                     \
    X(MEAN, "mean", "tanh(W .) of the mean annotation")                                            \
    X(COPY, "copy", "the same encoder layer's state that has read everything, as it is")
#define READOUT_LIST(X)                                                                            \
    X(LINEAR, "linear", "as it is")                                                                \
    X(TANH, "tanh", "its tanh")                                                                    \
    X(MAXOUT, "maxout", "the larger of each two")
#define TIE_LIST(X)                                                                                \
    X(NONE, "none", "three tables")                                                                \
    X(TARGET, "target", "the output layer is the target embedding")                                \
    X(ALL, "all", "so is the source embedding: one vocabulary for both sides")

#define X_PLACEMENT(name, text, help) PLACEMENT_##name,
#define X_START(name, text, help) START_##name,
#define X_READOUT(name, text, help) READOUT_##name,
#define X_TIE(name, text, help) TIE_##name,
enum placement { PLACEMENT_LIST(X_PLACEMENT) };
enum start { START_LIST(X_START) };
enum readout { READOUT_LIST(X_READOUT) };
enum tie { TIE_LIST(X_TIE) };
#undef X_PLACEMENT
#undef X_START
#undef X_READOUT
#undef X_TIE

struct model_config {
    int source_vocab, target_vocab;     /* V of each side, specials included */
    int emb;                            /* E */
    int hidden;                         /* H */
    int attention_size;                 /* A; 0 on the command line: the same as hidden */
    int readout_size;                   /* R; 0 on the command line: the same as emb */
    char *attention, *placement, *cell; /* names, as the tables and lists have them */
    char *start, *readout, *tie;
    int heads, span, gaussians;
    int positions; /* longest training source, </s> counted; location attention */
    bool copy;     /* source words, see nn/copy.h */
    bool coverage, input_feeding, residual, layer_norm, unidirectional;
    int encoder_layers, decoder_layers;
};

/* The settings a user may choose, over struct model_config. */
extern const struct option_row model_config_rows[];

/* Fill in what 0 stands for. */
void model_config_complete(struct model_config *);
/* Whether the choices go together; the message says which do. */
enum attend_status model_config_check(const struct model_config *, struct attend_error *err);

/* Annotation width C. */
static inline int model_config_annotation(const struct model_config *c)
{
    return c->unidirectional ? c->hidden : 2 * c->hidden;
}
enum placement model_config_placement(const struct model_config *);
enum start model_config_start(const struct model_config *);
enum readout model_config_readout(const struct model_config *);
enum tie model_config_tie(const struct model_config *);

#endif
