/* Where a translation may be wrong, as its attention has it: words left out, words said twice. */
#ifndef ATTEND_TROUBLE_H
#define ATTEND_TROUBLE_H

#include "attend/plot.h"
#include "attend/status.h"

#ifdef __cplusplus
extern "C" {
#endif

/** Words of the target that were said before. A word counts when two words or more come again in
 * their order, or when it follows itself. */
struct attend_repeat {
    int first, again, length; /**< places of both in the target, from 0, and words of each */
    double weight; /**< how far both look at the same source words, sum_j min(a_tj, a_uj), 0 to 1,
                      in the mean; 1 for words that follow themselves at once, twice or in twos */
};

/** What one matrix says. Rows are divided by their sums first. `</s>` as the last word of a side is
 * no word: its row is left out everywhere, its column counts in entropy and dispersion only, since
 * models look there when nothing else will do. With S and T words and weights a:
 *
 *     coverage_j  = sum_t a_tj
 *     shortage    = mean_j max(0, 1 - coverage_j)
 *     repetition  = sum of the weights of repeated words / T
 *     entropy     = mean_t -sum_j a_tj log a_tj                     nats
 *     dispersion  = mean_t sum_j a_tj |j - sum_i i a_ti|            words
 *     score       = shortage + 2 repetition + entropy / (5 log columns)
 *
 * Shortage has the idea of the coverage penalty of Wu et al. (2016, section 7), without its
 * logarithm, which lets one word that nobody looks at outweigh all others. */
struct attend_trouble {
    double score; /**< 0: nothing wrong; comparable within a model and a pair of languages */
    double shortage, repetition;
    double entropy, relative_entropy; /**< the second divided by log of the columns: 0 to 1 */
    double dispersion;
    double length_ratio;         /**< T / S; 0 when there is no source word */
    int source_count;            /**< S */
    int target_count;            /**< T */
    double *coverage;            /**< (S) */
    int *missed, missed_count;   /**< source words with a coverage under limits.missed */
    int *crowded, crowded_count; /**< and over limits.crowded times max(1, T / S) */
    struct attend_repeat *repeat;
    int repeats; /**< those with a weight of at least limits.repeated, in their order */
};

struct attend_trouble_limits {
    double missed, crowded, repeated;
};
/** What the program uses unless told otherwise. */
#define ATTEND_TROUBLE_LIMITS ((struct attend_trouble_limits){0.2, 2, 0.5})

/** Release out with attend_trouble_release. ATTEND_DATA when a weight is negative or no number. */
ATTEND_API enum attend_status attend_trouble_find(struct attend_trouble *out,
                                                  const struct attend_matrix *matrix,
                                                  const struct attend_trouble_limits *limits,
                                                  struct attend_error *err);
ATTEND_API void attend_trouble_release(struct attend_trouble *trouble);
/** One JSON object without a line end: line (`number`), the figures above, and the words by name
 * and place. Free the text with attend_text_free; NULL when memory runs out. */
ATTEND_API char *attend_trouble_json(const struct attend_trouble *trouble,
                                     const struct attend_matrix *matrix, long number);

#ifdef __cplusplus
}
#endif

#endif
