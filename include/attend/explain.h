/* What a model did with a sentence, step by step, and whether its attention mattered. */
#ifndef ATTEND_EXPLAIN_H
#define ATTEND_EXPLAIN_H

#include "attend/plot.h"
#include "attend/translate.h"

#ifdef __cplusplus
extern "C" {
#endif

/* ---- Step by step ---- */

/** Every step of the decoder. Words are the model's tokens, `</s>` last on both sides; a step's row
 * has heads times source_count weights, head by head. */
struct attend_steps {
    int source_count, target_count, heads, top;
    char **source;              /**< (source_count) */
    char **target;              /**< (target_count) what each step chose, or was given */
    double *token_score;        /**< (target_count) natural logarithm of its probability */
    double log_probability;     /**< their sum */
    char **best;                /**< (target_count, top) the most likely words */
    double *best_score;         /**< (target_count, top) natural logarithms */
    float *score;               /**< (target_count, heads, source_count) before the softmax,
                                   -INFINITY where the mechanism may not look; NULL: no attention */
    float *weight;              /**< the same after it; NULL: no attention */
    int state_size, query_size; /**< query_size 0: the state itself asks */
    float *state, *query;       /**< (target_count, size) what asks, and its projection */
    double *state_norm, *query_norm, *context_norm; /**< (target_count) Euclidean */
    bool *told; /**< (target_count) whether a focus gave the weights */
};

/** The model's own translation of a sentence, or a given one (target not NULL), with a focus or
 * without (focuses 0). The search has the translator's settings; of several models the first is
 * shown. Free *out with attend_steps_free. */
struct attend_steps_job {
    const char *source, *target;
    const struct attend_focus *focus;
    int focuses;
    int top; /**< most likely words of each step */
};
ATTEND_API enum attend_status attend_steps_new(struct attend_steps **out,
                                               struct attend_translator *translator,
                                               const struct attend_steps_job *job,
                                               struct attend_error *err);
ATTEND_API void attend_steps_free(struct attend_steps *steps);
/** A block of lines for each step; verbose: with the first numbers of state and query. Free texts
 * with attend_text_free; NULL when memory runs out. */
ATTEND_API char *attend_steps_text(const struct attend_steps *steps, bool verbose);
ATTEND_API char *attend_steps_json(const struct attend_steps *steps);

/* ---- What if it had looked elsewhere? ---- */

struct attend_what_if {
    struct attend_translation before, after;
    double under; /**< log-probability of the words of `before`, when attention is told */
    struct attend_focus *focus; /**< (focuses) */
    int focuses;
};
/** Translate with and without the focus; `before` is the target instead, unless it is NULL. Release
 * out with attend_what_if_release. ATTEND_USAGE when neither translation gets as far as a step of
 * the focus. */
ATTEND_API enum attend_status attend_what_if(struct attend_what_if *out,
                                             struct attend_translator *translator,
                                             const char *source, const char *target,
                                             const struct attend_focus *focus, int focuses,
                                             struct attend_error *err);
ATTEND_API void attend_what_if_release(struct attend_what_if *what_if);
ATTEND_API char *attend_what_if_text(const struct attend_what_if *what_if);
ATTEND_API char *attend_what_if_json(const struct attend_what_if *what_if);

/* ---- Which source words mattered? ---- */

/** Measures of how much a source word mattered to a target word, and a baseline for orders. */
enum attend_measure {
    ATTEND_ATTENTION,
    ATTEND_LEAVE_ONE_OUT, /**< what log P(word) loses without the source word */
    ATTEND_GRADIENT,      /**< gradient of log P(word) times the source word's embedding */
    ATTEND_INTEGRATED,    /**< the gradient integrated from the zero embedding, times embedding */
    ATTEND_MEASURES,
    ATTEND_RANDOM = ATTEND_MEASURES,
    ATTEND_ORDERS
};
/** "attention", "leave-one-out", "gradient", "integrated gradients", "random". */
ATTEND_API const char *attend_measure_name(int measure);

struct attend_explain_job {
    const char *source, *target; /**< target NULL: the model's own translation */
    bool mask;                   /**< `<unk>` for a word instead of leaving it out */
    int ig_steps;                /**< points of the integral; 0: 32 */
    int seed;                    /**< of the random orders */
    double max_cost;             /**< ATTEND_USAGE when attend_explain_cost is more; 0: no limit */
};
/** What explaining a pair costs, before it is done: tokens run through the model, a backward pass
 * counting twice. Counts are of tokens without `</s>`; ig_steps 0: 32. */
ATTEND_API double attend_explain_cost(int source_count, int target_count, int ig_steps);

/** Everything about one pair. `</s>` is the last word on both sides; the source's cannot be left
 * out, so that its leave-one-out is NAN and it takes no part in ranks and curves. */
struct attend_explanation {
    int source_count, target_count;
    char **source, **target;
    double log_probability;        /**< of the target */
    float *value[ATTEND_MEASURES]; /**< (target_count, source_count). NULL: the model has no
                                      attention, or its weights are int8 and have no gradients */
    double incompleteness;         /**< how far the sums of the integrated gradients are, at most,
                                      from log P less that of zero embeddings */
    double *kendall[ATTEND_MEASURES];  /**< (target_count) tau-b of attention and the size of the
                                          values, over source words; NAN: nothing to order, NULL:
                                          no attention or no such values */
    double *spearman[ATTEND_MEASURES]; /**< (target_count) */
    double mean_kendall[ATTEND_MEASURES], mean_spearman[ATTEND_MEASURES]; /**< without `</s>` */
    int points;                   /**< of the curves: source words without `</s>`, and one */
    double *curve[ATTEND_ORDERS]; /**< (points) log P of the target per token when 0, 1, 2 ...
                                     source words are gone, most important first; or NULL */
    double area[ATTEND_ORDERS];   /**< the curve's mean: lower where important words go first */
};
/** Free *out with attend_explanation_free. A side of more than ATTEND_EXPLAIN_LONGEST tokens is
 * ATTEND_USAGE. */
enum { ATTEND_EXPLAIN_LONGEST = 2000 };
ATTEND_API enum attend_status attend_explain(struct attend_explanation **out,
                                             struct attend_translator *translator,
                                             const struct attend_explain_job *job,
                                             struct attend_error *err);
ATTEND_API void attend_explanation_free(struct attend_explanation *explanation);
/** Tables of all measures, their correlations, and areas. Free texts with attend_text_free; NULL
 * when memory runs out. */
ATTEND_API char *attend_explanation_text(const struct attend_explanation *explanation);
ATTEND_API char *attend_explanation_json(const struct attend_explanation *explanation);
/** The deletion curves, for a terminal, with a title that may be NULL, and as a picture: of the
 * look, title and dark count. */
ATTEND_API char *attend_explanation_curves(const struct attend_explanation *explanation,
                                           const char *title);
ATTEND_API struct attend_picture *
attend_explanation_picture(const struct attend_explanation *explanation,
                           const struct attend_look *look);
/** A measure as the weights of a picture, (target_count, source_count) for the caller to free():
 * attention as it is, of other values the size, as a share of its row's; NAN stays. NULL when
 * there is no such measure or memory runs out. */
ATTEND_API float *attend_explanation_shares(const struct attend_explanation *explanation,
                                            enum attend_measure measure);

/* ---- How faithful is a model's attention? ---- */

/** A mean with the interval that holds 95 of 100 resamples of the pairs; all NAN when there is
 * nothing to take it of. */
struct attend_mean {
    double mean, low, high;
};
enum { ATTEND_SHARES = 11 }; /**< of removed words: 0, 1/10 .. 1 */
struct attend_faithfulness {
    int pairs, words; /**< given pairs with words on both sides, and their target tokens */
    struct attend_mean kendall[ATTEND_MEASURES], spearman[ATTEND_MEASURES]; /**< with attention */
    struct attend_mean area[ATTEND_ORDERS];     /**< of the deletion curves */
    double curve[ATTEND_ORDERS][ATTEND_SHARES]; /**< their means over pairs; NAN: no such order */
    struct attend_mean agreement; /**< share of words whose most attended source word is also the
                                     one whose absence costs most */
    double incompleteness;        /**< the largest */
};
struct attend_faithfulness_job {
    const char *const *source, *const *target; /**< (count) */
    int count;
    bool mask;
    int ig_steps;  /**< 0: 32 */
    int resamples; /**< 0: 1000 */
    int seed;      /**< of resamples and random orders */
};
ATTEND_API enum attend_status attend_faithfulness(struct attend_faithfulness *out,
                                                  struct attend_translator *translator,
                                                  const struct attend_faithfulness_job *job,
                                                  struct attend_error *err);
ATTEND_API char *attend_faithfulness_text(const struct attend_faithfulness *faithfulness);
ATTEND_API char *attend_faithfulness_json(const struct attend_faithfulness *faithfulness);
/** The mean deletion curves over the share of removed words; title may be NULL. */
ATTEND_API char *attend_faithfulness_curves(const struct attend_faithfulness *faithfulness,
                                            const char *title);
ATTEND_API struct attend_picture *
attend_faithfulness_picture(const struct attend_faithfulness *faithfulness,
                            const struct attend_look *look);

#ifdef __cplusplus
}
#endif

#endif
