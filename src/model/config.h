/* The shape of a model: the settings that are fixed when it is created and stored in its file. */
#ifndef ATTEND_MODEL_CONFIG_H
#define ATTEND_MODEL_CONFIG_H

#include "attend/model.h"
#include "base/option.h"

enum { CONFIG_LAYERS = 8, CONFIG_FRAME_WIDTH = 8192 };
/* The largest target vocabulary of a hard attention. */
enum { CONFIG_HARD_VOCAB = 1000 };

/* Choices without a table of mechanisms: name and meaning. Each list gives an enum and the names
 * that the configuration accepts. */
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
#define POSITIONS_LIST(X)                                                                          \
    X(SINUSOIDAL, "sinusoidal", "sines and cosines of many wavelengths, for any length")           \
    X(LEARNED, "learned", "a learned vector for each of the first --positions")

#define X_START(name, text, help) START_##name,
#define X_READOUT(name, text, help) READOUT_##name,
#define X_TIE(name, text, help) TIE_##name,
#define X_POSITIONS(name, text, help) POSITIONS_##name,
enum start { START_LIST(X_START) };
enum readout { READOUT_LIST(X_READOUT) };
enum tie { TIE_LIST(X_TIE) };
enum positions { POSITIONS_LIST(X_POSITIONS) };
#undef X_START
#undef X_READOUT
#undef X_TIE
#undef X_POSITIONS

struct activation_ops;
struct attention_ops;
struct encoder_ops;
struct placement_ops;

/* The settings of a model that a user can choose; a model file records them. */
extern const struct attend_setting network_rows[];

/* The floor of strokes of files that name none. Models of words have it, so that theirs need not. */
#define MODEL_CONFIG_NO_FLOOR 0.02
/* Replace zeros by the sizes that they stand for. */
void model_config_complete(struct attend_network_options *);
/* Whether the choices can be combined; the message says which can. */
enum attend_status model_config_check(const struct attend_network_options *,
                                      struct attend_error *err);

const struct activation_ops *model_config_activation(const struct attend_network_options *);
const struct encoder_ops *model_config_encoder(const struct attend_network_options *);
const struct attention_ops *model_config_attention(const struct attend_network_options *);
/* Annotation width C. */
int model_config_annotation(const struct attend_network_options *);
const struct placement_ops *model_config_placement(const struct attend_network_options *);
enum start model_config_start(const struct attend_network_options *);
enum readout model_config_readout(const struct attend_network_options *);
enum tie model_config_tie(const struct attend_network_options *);
/* How a transformer encoder knows positions. */
enum positions model_config_positions(const struct attend_network_options *);

#endif
