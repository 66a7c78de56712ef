/* Signs in the attention that a translation is wrong: source words left out, words repeated. */
#ifndef ATTEND_TROUBLE_H
#define ATTEND_TROUBLE_H

#include "attend/plot.h"
#include "attend/status.h"

#ifdef __cplusplus
extern "C" {
#endif

/** A repetition in the target: two or more words that occur again in the same order, or a word that
 * follows itself. */
struct attend_repeat {
    int first, again; /**< positions of both occurrences in the target, from 0 */
    int length;       /**< words of each occurrence */
    double weight; /**< how much both attend to the same source words: the mean over their words of
                      sum_j min(a_tj, a_uj), 0 to 1; 1 for words that follow themselves at once,
                      twice or in twos */
};

/** The figures of one matrix. Rows are divided by their sums first. `</s>` as the last word of a
 * side does not count as a word: its row is ignored, and its column counts only in entropy and
 * dispersion, because models attend to it when no other word is needed. With S and T words and
 * weights a:
 *
 *     coverage_j  = sum_t a_tj
 *     shortage    = mean_j max(0, 1 - coverage_j)
 *     repetition  = sum of the weights of repeated words / T
 *     entropy     = mean_t -sum_j a_tj log a_tj                     nats
 *     dispersion  = mean_t sum_j a_tj |j - sum_i i a_ti|            words
 *     score       = shortage + 2 repetition + entropy / (5 log columns)
 *
 * Shortage follows the coverage penalty of Wu et al. (2016, section 7), but without the logarithm,
 * which would let a single word without attention outweigh all others. */
struct attend_trouble {
    double score; /**< 0: nothing wrong; comparable only for one model and language pair */
    double shortage, repetition;
    double entropy, relative_entropy; /**< relative: divided by log columns, 0 to 1 */
    double dispersion;
    double length_ratio;          /**< T / S; 0 when there is no source word */
    int source_count;             /**< S */
    int target_count;             /**< T */
    double *coverage;             /**< (S) */
    int *missed, missed_count;    /**< source words with a coverage below limits.missed */
    int *crowded, crowded_count;  /**< and above limits.crowded times max(1, T / S) */
    struct attend_repeat *repeat; /**< (repeats) in the order of the target, with a weight of at
                                     least limits.repeated */
    int repeats;
    void *reserved[2];
};

struct attend_trouble_limits {
    double missed, crowded, repeated;
    void *reserved[2];
};
/** The defaults of the program. */
#define ATTEND_TROUBLE_LIMITS                                                                      \
    ((struct attend_trouble_limits){.missed = 0.2, .crowded = 2, .repeated = 0.5})

/** Examine a matrix. Release out with attend_trouble_release. ATTEND_DATA when a weight is negative
 * or not finite. */
ATTEND_API enum attend_status attend_trouble_find(struct attend_trouble *out,
                                                  const struct attend_matrix *matrix,
                                                  const struct attend_trouble_limits *limits,
                                                  struct attend_error *err);
ATTEND_API void attend_trouble_release(struct attend_trouble *trouble);
/** One JSON object without a line end: line (from `number`), the figures above, and the words with
 * their positions. Free the text with attend_text_free; NULL when out of memory. */
ATTEND_API char *attend_trouble_json(const struct attend_trouble *trouble,
                                     const struct attend_matrix *matrix, long number);

#ifdef __cplusplus
}
#endif

#endif
