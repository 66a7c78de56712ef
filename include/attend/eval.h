/* Evaluation: metrics of translated text, with confidence intervals, a comparison with another
 * system, and scores by source length. */
#ifndef ATTEND_EVAL_H
#define ATTEND_EVAL_H

#include "attend/status.h"

#include <stdbool.h>

#ifdef __cplusplus
extern "C" {
#endif

/** Required: ref or answers; for attend_eval_set_ask, test or src with one of these. */
struct attend_eval_options {
    size_t size;
    const char *hyp;        /**< file of output lines; NULL: standard input */
    const char *compare;    /**< file of another system's output; or NULL */
    const char *const *ref; /**< reference files, NULL-terminated; or NULL */
    const char *answers;    /**< or a file of `item<TAB>answer` lines; several answers may follow */
    const char *metric;     /**< metric names separated by commas: "bleu,chrf" */
    const char *tokenize;   /**< how bleu finds words; NULL: "13a" */
    const char *smooth;     /**< smoothing of bleu: "exp" ... */
    bool lowercase;         /**< ignore case */
    bool every_order;       /**< chrf: the mean of the F scores of all n-gram orders */
    bool confidence;        /**< add 95% confidence intervals, by bootstrap */
    int resamples;          /**< bootstrap resamples */
    int seed;               /**< seed of the resamples */
    const char *src;        /**< file of source sentences */
    int by_length;          /**< attend_eval_by_length: source words per group */
    const char *test;       /**< attend_eval_set_ask: a table of sources and references */
    const char *columns;    /**< names of its columns; NULL: "src,tgt" */
    const char *features;   /**< name of a column whose features become source tokens; or NULL */
    bool header;            /**< its first line names the columns */
    const char *symbols;    /**< what is compared one by one: "auto", "tokens" or "characters" */
};
ATTEND_DEFAULTS(eval)

/** The largest number of outputs side by side: `hyp` and `compare`. */
enum { ATTEND_OUTPUTS = 2 };

/** The result of one metric. */
struct attend_metric_result {
    const char *metric;   /**< its name in the option `metric`: "bleu" */
    const char *label;    /**< its name for people: "BLEU" */
    const char *unit;     /**< "%" or "" */
    bool lower_is_better; /**< true for error rates */
    char *signature;      /**< how it was measured, as `key:value|key:value` */
    double score;         /**< 0 to 100; error rates can exceed 100 */
    double mean;          /**< with `confidence`: mean over the resamples */
    double low, high;     /**< with `confidence`: the interval that holds 95% of the resamples */
    double other;         /**< with `compare`: the other output's score */
    double p; /**< with `compare`: share of the resamples in which the output that is better over
                 all lines is not better; 1 when both are equal (paired bootstrap, Koehn 2004) */
};
/** The results of all metrics. */
struct attend_evaluation {
    struct attend_metric_result *item; /**< (count) in the order of the option `metric` */
    int count;
    long lines;      /**< evaluated lines */
    bool confidence; /**< mean, low and high are set */
    bool compared;   /**< other and p are set */
    int resamples;   /**< number of resamples used */
};
/** Evaluate `hyp` in each `metric`. Free *out with attend_evaluation_free. */
ATTEND_API enum attend_status attend_evaluate(struct attend_evaluation **out,
                                              const struct attend_eval_options *options,
                                              struct attend_error *err);
/** `{"metrics":{"bleu":{"score":...,"signature":...},...}}` with numbers at full precision. Free it
 * with attend_text_free; NULL when out of memory. */
ATTEND_API char *attend_evaluation_json(const struct attend_evaluation *scores);
ATTEND_API void attend_evaluation_free(struct attend_evaluation *scores);

/** The group of lines whose source has `from` to `to` words, both included. */
struct attend_length_row {
    int from, to;
    long lines;
    double score[ATTEND_OUTPUTS]; /**< of each output */
};
/** Scores by the length of the source. */
struct attend_length_table {
    const char *label, *unit; /**< of the metric, as in struct attend_metric_result */
    int outputs;
    struct attend_length_row *row; /**< (count) by rising length; empty groups are left out */
    int count;
    struct attend_length_row all; /**< all lines together */
};
/** Evaluate by source length. `metric` must name one metric, and `src` and `by_length` (N) must be
 * set. Words are separated by spaces or tabs. The groups are 1..N, N+1..2N and so on; lines without
 * words are the group 0..0. Free *out with attend_length_table_free. */
ATTEND_API enum attend_status attend_eval_by_length(struct attend_length_table **out,
                                                    const struct attend_eval_options *options,
                                                    struct attend_error *err);
ATTEND_API void attend_length_table_free(struct attend_length_table *table);

#ifdef __cplusplus
}
#endif

#endif
