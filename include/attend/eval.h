/* Judging output: metrics of text, also by the length of the source and against another system. */
#ifndef ATTEND_EVAL_H
#define ATTEND_EVAL_H

#include "attend/option.h"
#include "attend/status.h"

#include <stdbool.h>

#ifdef __cplusplus
extern "C" {
#endif

/** Outputs that are judged side by side, at most: one, and what it is compared with. */
enum { ATTEND_OUTPUTS = 2 };

/** What one metric says. */
struct attend_score {
    const char *metric;   /**< as the setting `metric` takes it: "bleu" */
    const char *label;    /**< as it is written: "BLEU" */
    const char *unit;     /**< "%" or "" */
    bool lower_is_better; /**< an error rate */
    char *signature;      /**< how it was measured, as `key:value|key:value` */
    double score;         /**< 0 to 100; error rates can be more */
    double mean;          /**< with `confidence`: of the resamples, and */
    double low, high;     /**< the interval that holds 95% of them */
    double other;         /**< with `compare`: the other output's score, and */
    double p; /**< how often the one that is better over all lines is not better over a resample;
                 1 when neither is better (paired bootstrap, Koehn 2004) */
};
/** What all of them say. */
struct attend_scores {
    struct attend_score *item; /**< in the order in which they were asked for */
    int count;
    long lines;
    bool confidence, compared; /**< which of the above are there */
    int resamples;             /**< that they rest on */
};
/** Judge output by the settings of "eval": `hyp` (or standard input) against `ref` or `answers`, in
 * each `metric`. Free with attend_scores_free. */
ATTEND_API enum attend_status attend_eval_scores(struct attend_scores **out,
                                                 const struct attend_options *options,
                                                 struct attend_error *err);
/** `{"metrics":{"bleu":{"score":...,"signature":...},...}}` with numbers at full precision. Free it
 * with attend_text_free; NULL when memory runs out. */
ATTEND_API char *attend_scores_json(const struct attend_scores *scores);
ATTEND_API void attend_scores_free(struct attend_scores *scores);

/** The lines whose source has `from` to `to` words, both included. */
struct attend_length_row {
    int from, to;
    long lines;
    double score[ATTEND_OUTPUTS]; /**< of each output */
};
/** Scores by the length of the source. */
struct attend_length_table {
    const char *label, *unit; /**< of the metric, as in struct attend_score */
    int outputs;
    struct attend_length_row *row; /**< rising lengths; groups without lines are left out */
    int count;
    struct attend_length_row all; /**< all lines together */
};
/** The same settings, with one metric and also `src` and `by-length`: words are what stands between
 * spaces or tabs; groups are 1..N, N+1..2N and so on; lines without words are a group of their own,
 * 0..0. Free with attend_length_table_free. */
ATTEND_API enum attend_status attend_eval_by_length(struct attend_length_table **out,
                                                    const struct attend_options *options,
                                                    struct attend_error *err);
ATTEND_API void attend_length_table_free(struct attend_length_table *table);

#ifdef __cplusplus
}
#endif

#endif
