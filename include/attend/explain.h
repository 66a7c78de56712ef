/* Explaining a translation: every step of the decoder, the effect of other attention, and which
 * source words mattered. */
#ifndef ATTEND_EXPLAIN_H
#define ATTEND_EXPLAIN_H

#include "attend/plot.h"
#include "attend/translate.h"

#ifdef __cplusplus
extern "C" {
#endif

/* ---- Step by step ---- */

/** Every step of the decoder. Words are the model's tokens, `</s>` last on both sides. */
struct attend_steps {
    int source_count, target_count, heads, top;
    char **source;              /**< (source_count) */
    char **target;              /**< (target_count) the word that each step chose or was given */
    double *token_score;        /**< (target_count) natural logarithm of its probability */
    double log_probability;     /**< the sum of token_score */
    char **best;                /**< (target_count, top) the most likely words of each step */
    double *best_score;         /**< (target_count, top) natural logarithms of their probability */
    float *score;               /**< (target_count, heads, source_count) scores before the softmax,
                                   -INFINITY where attention cannot look; NULL: no attention */
    float *weight;              /**< the same after the softmax; NULL: no attention */
    int state_size, query_size; /**< query_size 0: the query is the state itself */
    float *state, *query;       /**< (target_count, size) decoder state, and its projection */
    double *state_norm, *query_norm, *context_norm; /**< (target_count) Euclidean norms */
    bool *told; /**< (target_count) whether a focus replaced weights at this step */
    int gates; /**< gates of the decoder's top cell, its candidate state among them; 0: it has none */
    const char *const *gate_name; /**< (gates) "reset", "update", "forget" ...; static texts */
    float *gate; /**< (target_count, gates, state_size) their values at each step */
};

/** What to trace. */
struct attend_steps_job {
    const char *source;
    const char *target;               /**< NULL: the model's own translation */
    const struct attend_focus *focus; /**< (focus_count) given weights; or NULL */
    int focus_count;
    int top; /**< how many of the most likely words of each step to return */
    void *reserved[2];
};
/** Trace the decoder on one sentence. The search uses the translator's settings; of an ensemble,
 * the first model is traced. Free *out with attend_steps_free. */
ATTEND_API enum attend_status attend_steps_new(struct attend_steps **out,
                                               struct attend_translator *translator,
                                               const struct attend_steps_job *job,
                                               struct attend_error *err);
ATTEND_API void attend_steps_free(struct attend_steps *steps);
/** A block of lines for each step; `verbose` adds the first numbers of state and query. `width` is
 * the number of columns of the terminal: tables are continued below, words cut and other lines broken
 * as needed. 0: nothing is. Free texts with attend_text_free; NULL when out of memory. */
ATTEND_API char *attend_steps_text(const struct attend_steps *steps, bool verbose, int width);
/** The same as JSON. Steps count from 1 in the text and from 0 in JSON. */
ATTEND_API char *attend_steps_json(const struct attend_steps *steps);

/* ---- What if the model had looked elsewhere? ---- */

struct attend_what_if {
    struct attend_translation before, after; /**< without the focus, and with it */
    double under;               /**< log-probability of the words of `before` with the focus */
    struct attend_focus *focus; /**< (focus_count) a copy of the given weights */
    int focus_count;
    void *reserved[2];
};
/** Translate a sentence without and with a focus. If target is not NULL, `before` is this target
 * instead of a translation. A focus on a step that neither translation reaches is ATTEND_USAGE.
 * Release out with attend_what_if_release. */
ATTEND_API enum attend_status attend_what_if(struct attend_what_if *out,
                                             struct attend_translator *translator,
                                             const char *source, const char *target,
                                             const struct attend_focus *focus, int focus_count,
                                             struct attend_error *err);
ATTEND_API void attend_what_if_release(struct attend_what_if *what_if);
ATTEND_API char *attend_what_if_text(const struct attend_what_if *what_if);
ATTEND_API char *attend_what_if_json(const struct attend_what_if *what_if);

/* ---- Which source words mattered? ---- */

/** Measures of how much a source word mattered to a target word. Deletion curves also have a
 * baseline: removing words in random order. */
enum attend_measure {
    ATTEND_ATTENTION,     /**< the attention weight, averaged over heads */
    ATTEND_LEAVE_ONE_OUT, /**< how much log P(word) falls without the source word */
    ATTEND_GRADIENT,      /**< gradient of log P(word) times the source word's embedding */
    ATTEND_INTEGRATED,    /**< the same with the gradient averaged on the way from 0 to the
                             embedding */
    ATTEND_MEASURES,      /**< number of measures */
    ATTEND_RANDOM = ATTEND_MEASURES, /**< the baseline */
    ATTEND_ORDERS                    /**< number of deletion curves */
};
/** "attention", "leave-one-out", "gradient", "integrated gradients", "random". */
ATTEND_API const char *attend_measure_name(int measure);

struct attend_explain_job {
    const char *source, *target; /**< target NULL: the model's own translation */
    bool mask;                   /**< replace words by `<unk>` instead of removing them */
    int ig_steps;                /**< points of the integral; 0: 32 */
    int seed;                    /**< seed of the random orders */
    double max_cost;             /**< larger attend_explain_cost is ATTEND_USAGE; 0: no limit */
    const struct attend_frames *frames; /**< the source, instead of `source`, of a model that reads
                                           frames; or NULL */
    void *reserved[1];
};
/** The cost of explaining a pair, known in advance: the number of tokens that run through the
 * model, where a backward pass counts twice. Counts are tokens without `</s>`; ig_steps 0: 32. A
 * source of S frames and T target words costs less: with n spans, (n + 1) (S + T + 1). */
ATTEND_API double attend_explain_cost(int source_count, int target_count, int ig_steps);

/** The explanation of one pair. If the model reads frames, the source has spans of time instead of
 * words, named as in attend_translation, at most 64 and without `</s>`; it has no gradients and no
 * curves. Otherwise `</s>` is the last word on both sides. The source's `</s>` cannot
 * be left out: its leave-one-out value is NAN, and ranks and curves exclude it. */
struct attend_explanation {
    int source_count, target_count;
    char **source, **target;
    double log_probability;        /**< of the target */
    float *value[ATTEND_MEASURES]; /**< (target_count, source_count). NULL: the model has no
                                      attention, or its weights are int8 and have no gradients */
    double incompleteness; /**< largest error of the integral: integrated gradients of a target word
                              should sum to its log P minus that with zero embeddings */
    double *kendall[ATTEND_MEASURES];  /**< (target_count) Kendall's tau-b of attention and the
                                          absolute values, over source words. NAN: nothing to rank;
                                          NULL: no attention or no such values */
    double *spearman[ATTEND_MEASURES]; /**< (target_count) Spearman's rho, likewise */
    double mean_kendall[ATTEND_MEASURES], mean_spearman[ATTEND_MEASURES]; /**< without `</s>` */
    int points;                   /**< points of a curve: source words without `</s>`, plus 1 */
    double *curve[ATTEND_ORDERS]; /**< (points) deletion curve: log P of the target per token after
                                     0, 1, 2 ... source words are removed, most important first;
                                     or NULL */
    double area[ATTEND_ORDERS];   /**< mean of the curve; lower is better */
};
enum { ATTEND_EXPLAIN_LONGEST = 2000 };
/** Explain a pair. Free *out with attend_explanation_free. More than ATTEND_EXPLAIN_LONGEST tokens
 * on a side are ATTEND_USAGE. */
ATTEND_API enum attend_status attend_explain(struct attend_explanation **out,
                                             struct attend_translator *translator,
                                             const struct attend_explain_job *job,
                                             struct attend_error *err);
ATTEND_API void attend_explanation_free(struct attend_explanation *explanation);
/** Tables of all measures, their correlations and areas, for a terminal of `width` columns or, if it
 * is 0, of any width. Free texts with attend_text_free; NULL when out of memory. */
ATTEND_API char *attend_explanation_text(const struct attend_explanation *explanation, int width);
ATTEND_API char *attend_explanation_json(const struct attend_explanation *explanation);
/** The deletion curves, as text for a terminal (only the style's `title` and `width` are used) and as
 * a picture (only its `title` and `dark` are used). */
ATTEND_API char *attend_explanation_curves(const struct attend_explanation *explanation,
                                           const struct attend_style *style);
ATTEND_API struct attend_picture *
attend_explanation_picture(const struct attend_explanation *explanation,
                           const struct attend_style *style);
/** A measure as the weights of a picture, (target_count, source_count). Attention is
 * returned as it is; of other measures, the absolute values are divided by the sum of their row,
 * and NAN stays NAN. Free them with attend_array_free; NULL when the measure is missing or when out
 * of memory. */
ATTEND_API float *attend_explanation_shares(const struct attend_explanation *explanation,
                                            enum attend_measure measure);

/* ---- How the encoder reads ---- */

/** What every word of a source looks at, in each layer and head of a transformer encoder. A source of
 * more than ATTEND_SELF_SPANS frames is cut into at most so many spans of equal length. A row of
 * words is the mean of the rows of its pieces, frames of a span likewise, and a column the sum of
 * their columns. */
struct attend_self_attention {
    int layers, heads, count;
    char *
        *word; /**< (count) the tokens of the source, `</s>` last; or the times or numbers at which
                      spans of frames begin */
    float *weight; /**< (layers, heads, count, count) row i: where word i looks; it sums to 1 */
    bool frames;   /**< the source is frames */
};
enum { ATTEND_SELF_SPANS = 64 };
struct attend_self_attention_job {
    const char *source;                 /**< a line */
    const struct attend_frames *frames; /**< the source, instead of `source`, of a model that reads
                                           frames; or NULL */
    bool words;                         /**< merge pieces into words */
    double
        max_weights; /**< more weights, layers * heads * count^2, are ATTEND_USAGE; 0: no limit */
    void *reserved[2];
};
/** Read one source with the encoder; of an ensemble, with that of the first model. A blank line gives
 * a result without words. ATTEND_USAGE for another encoder than the transformer, and for more than
 * ATTEND_EXPLAIN_LONGEST tokens. Free *out with attend_self_attention_free. */
ATTEND_API enum attend_status attend_self_attention_new(struct attend_self_attention **out,
                                                        struct attend_translator *translator,
                                                        const struct attend_self_attention_job *job,
                                                        struct attend_error *err);
ATTEND_API void attend_self_attention_free(struct attend_self_attention *self);
/** The weights of a layer and a head, both from 0, as a matrix that borrows their memory. Its target
 * words, the rows, are the words that look. */
ATTEND_API struct attend_matrix
attend_self_attention_matrix(const struct attend_self_attention *self, int layer, int head);
/** One JSON object: `source`, the words, and `layers`, of each its heads, of each its rows. Free it
 * with attend_text_free; NULL when out of memory. */
ATTEND_API char *attend_self_attention_json(const struct attend_self_attention *self);

/* ---- How faithful is a model's attention? ---- */

/** A mean with its 95% interval, by bootstrap over pairs; all NAN when there are no values. */
struct attend_mean {
    double mean, low, high;
};
enum { ATTEND_SHARES = 11 }; /**< shares of removed words: 0, 1/10 .. 1 */
struct attend_faithfulness {
    int pairs, words; /**< pairs with words on both sides, and their target tokens without `</s>` */
    struct attend_mean kendall[ATTEND_MEASURES], spearman[ATTEND_MEASURES]; /**< with attention */
    struct attend_mean area[ATTEND_ORDERS];     /**< areas of the deletion curves */
    double curve[ATTEND_ORDERS][ATTEND_SHARES]; /**< mean deletion curves; NAN: no such measure */
    struct attend_mean agreement; /**< share of target words whose most attended source word also
                                     has the largest leave-one-out value */
    double incompleteness;        /**< the largest of all pairs */
    void *reserved[2];
};
struct attend_faithfulness_job {
    const char *const *source, *const *target; /**< (count) */
    int count;
    bool mask;     /**< as in attend_explain_job */
    int ig_steps;  /**< points of the integral; 0: 32 */
    int resamples; /**< bootstrap resamples; 0: 1000 */
    int seed;      /**< seed of resamples and random orders */
    void *reserved[2];
};
/** Explain many given pairs and summarize the results. */
ATTEND_API enum attend_status attend_faithfulness(struct attend_faithfulness *out,
                                                  struct attend_translator *translator,
                                                  const struct attend_faithfulness_job *job,
                                                  struct attend_error *err);
/** The means with their intervals, for a terminal of `width` columns or, if it is 0, of any width. */
ATTEND_API char *attend_faithfulness_text(const struct attend_faithfulness *faithfulness,
                                          int width);
ATTEND_API char *attend_faithfulness_json(const struct attend_faithfulness *faithfulness);
/** The mean deletion curves against the share of removed words; the styles as above. */
ATTEND_API char *attend_faithfulness_curves(const struct attend_faithfulness *faithfulness,
                                            const struct attend_style *style);
ATTEND_API struct attend_picture *
attend_faithfulness_picture(const struct attend_faithfulness *faithfulness,
                            const struct attend_style *style);

#ifdef __cplusplus
}
#endif

#endif
