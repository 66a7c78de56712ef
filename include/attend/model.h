/* A trained model: one file, loaded once. A loaded model never changes, so threads can share it. */
#ifndef ATTEND_MODEL_H
#define ATTEND_MODEL_H

#include "attend/status.h"

#include <stdbool.h>
#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

struct attend_model;

/** Map a model file into memory and check all of it. The file must not shrink while the model is in
 * use: reading a part that is gone ends the process. */
ATTEND_API enum attend_status attend_model_load(struct attend_model **out, const char *path,
                                                struct attend_error *err);
/** The same, but the model is copied into memory, so later changes of the file do not matter. Meant
 * for servers and other long-running programs. */
ATTEND_API enum attend_status attend_model_load_copy(struct attend_model **out, const char *path,
                                                     struct attend_error *err);
/** The same without the weights: what a model is, its languages, vocabularies and examples. The whole
 * file is checked, and attend_model_info says how much memory its weights would take. Such a model
 * cannot translate or write. */
ATTEND_API enum attend_status attend_model_load_outline(struct attend_model **out, const char *path,
                                                        struct attend_error *err);
/** Translators made from the model must be freed first. */
ATTEND_API void attend_model_free(struct attend_model *model);

/** False for a model trained with `attention` none, which has no weights to show. */
ATTEND_API bool attend_model_attends(const struct attend_model *model);

/** Whether the model can produce a text: its target vocabulary has all tokens of the text. A text
 * that is not one line of UTF-8 cannot be produced. */
ATTEND_API bool attend_model_spells(const struct attend_model *model, const char *text);

/** The shape of a network: an input of attend_train, and a result of attend_model_network.
 * `attend train --help-all` lists the names. */
struct attend_network_options {
    size_t size;
    const char *attention; /**< "additive", "dot" ... */
    const char *placement; /**< where attention sits in the decoder: "bahdanau", "luong" ... */
    const char *cell;      /**< "gru", "lstm" ... */
    const char *start;     /**< the decoder's first state: "last", "mean" ... */
    const char *readout;   /**< the layer before the output: "tanh" ... */
    const char *tie;       /**< which embedding tables are shared: "none" ... */
    int emb;               /**< E */
    int hidden;            /**< H, of each encoder direction and of the decoder */
    int attention_size;    /**< A; 0: the same as hidden */
    int readout_size;      /**< R; 0: the same as emb */
    int encoder_layers, decoder_layers;
    int heads;           /**< heads of the attention, if it takes several */
    int span;            /**< local attention: words to each side of the center */
    int gaussians;       /**< window attention: number of Gaussians */
    int positions;       /**< source positions of location attention and of learned
                            encoder_positions; 0: the longest source's */
    bool copy;           /**< source words can be copied to the output */
    bool coverage;       /**< the attention also reads the weights of earlier steps, if it can */
    bool input_feeding;  /**< the decoder also reads its last attentional vector */
    bool residual;       /**< residual connections between layers */
    bool layer_norm;     /**< layer normalization in the recurrent cells */
    bool unidirectional; /**< the encoder has no backward direction */
    int source_vocab, target_vocab; /**< result only: the vocabulary sizes of a model */
    int source_width;     /**< result only: numbers in a frame of the source; 0: it is tokens */
    int pyramid;          /**< encoder layers above the first that halve the time; frames only */
    int location_filters; /**< location_aware attention: filters over the last weights */
    int location_reach;   /**< location_aware attention: annotations to each side that they see */
    int mixtures;     /**< Gaussians of the distribution of a stroke, if the target is strokes */
    int target_width; /**< result only: numbers in a stroke, 3; 0 if the target is words */
    bool skip; /**< upper decoder layers also read the last word or stroke and the context, and the
                  output reads every layer */
    double stroke_floor;            /**< least standard deviation of the Gaussians of a stroke */
    const char *encoder;            /**< how the source is read: "recurrent" or "transformer" */
    const char *encoder_activation; /**< of a transformer, between its two products: "relu" ... */
    const char
        *encoder_positions; /**< how it knows the place of a word: "sinusoidal" or "learned" */
    int encoder_heads;      /**< heads of its self-attention */
    int encoder_ff;         /**< width between its two products; 0: four times hidden */
    int monotonic_order;    /**< monotonic attention: 1 if the next position depends on the last */
};
ATTEND_DEFAULTS(network)
/** Fill `out` with the shape of a model, up to out->size bytes. Its texts are static. */
ATTEND_API void attend_model_network(const struct attend_model *model,
                                     struct attend_network_options *out);

/** A summary of a model. The texts live as long as the model. */
struct attend_model_info {
    const char *source, *target; /**< language codes, such as "en"; NULL: not known */
    const char *attention, *placement, *cell;
    int heads;
    size_t parameters;  /**< number of weights */
    bool int8;          /**< the weights are int8 */
    bool calibrated;    /**< it has a calibration (attend/calibration.h) */
    int longest_source; /**< tokens of the longest training source, without `</s>`, or its frames;
                           0: the model file does not say */
    const char *frames; /**< the reader of its sources (attend/frames.h), a static text; NULL:
                           they are text */
    size_t memory;      /**< bytes that the weights take when loaded with attend_model_load_copy */
};
ATTEND_API struct attend_model_info attend_model_info(const struct attend_model *model);

/** How many bytes of a valid UTF-8 line, from its start, the model can read as one source without
 * exceeding the longest one of its training; `length` if all of it. A model file that does not say
 * how long that was counts as its `max_length`, or as 100 tokens if that is not there either. */
ATTEND_API size_t attend_model_fit(const struct attend_model *model, const char *line,
                                   size_t length);

/** Example lines: source lines of the validation text that training kept in the model file, the
 * first one of middle length, the others from short to long. Returns *count texts of one line, which
 * live as long as the model; NULL if there are none. */
ATTEND_API const char *const *attend_model_examples(const struct attend_model *model, int *count);
/** Vocabularies begin with `<unk>`, `<s>` and `</s>`. */
enum { ATTEND_SPECIAL_TOKENS = 3 };
/** Token i, from 0, of the source or target vocabulary, without the special ones; NULL past the
 * last. Words and characters come in the order of their frequency in the training text. */
ATTEND_API const char *attend_model_token(const struct attend_model *model, bool target, int i);

/** A pair of languages. The texts live as long as the model. */
struct attend_direction {
    const char *from, *to; /**< language codes; NULL: not known */
    bool seen;             /**< the model was trained on this pair */
};
/** The pairs of languages that a model was trained on, at most `room` of them. Returns how many
 * there are: 1 for a model with a source and a target language, 0 if these are not known. */
ATTEND_API int attend_model_pairs(const struct attend_model *model, struct attend_direction *out,
                                  int room);

/** A language that a text may be in. */
struct attend_guess {
    const char *language; /**< language code; lives as long as the models */
    double confidence;    /**< probability, 0 to 1; the rest goes to the other languages and to
                             "none of them" */
};
/** Detect the language of a valid UTF-8 text. Each language of the models is listed once, the most
 * probable first; at most `room` are written to out. Probabilities come from the letter n-grams
 * that training counted, or from the vocabulary if a model file has no counts. Returns the number
 * of guesses written; -1 when out of memory. */
ATTEND_API int attend_detect(const struct attend_model *const *models, int count, const char *text,
                             struct attend_guess *out, int room);

/** The content of a model as text for people: its settings, vocabularies and every tensor, one per
 * line. Free it with attend_text_free; NULL when out of memory. */
ATTEND_API char *attend_model_describe(const struct attend_model *model);

/** The settings that the model was trained with, except paths and the number of threads, as YAML
 * for attend_settings_load. Free it with attend_text_free; NULL on failure. */
ATTEND_API char *attend_model_config(const struct attend_model *model, struct attend_error *err);

#ifdef __cplusplus
}
#endif

#endif
