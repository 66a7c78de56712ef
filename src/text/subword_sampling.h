/* Samples how a word is cut into pieces, instead of always taking the best segmentation.
 *
 * Unigram (Kudo 2018): a segmentation x_1 .. x_n has a probability proportional to (p(x_1) ...
 * p(x_n))^alpha. It is sampled exactly, from all segmentations: first the sum over all
 * segmentations of every prefix is computed, then the pieces are sampled from the end of the word.
 * A large alpha gives the best segmentation; with alpha 0 all are equally probable.
 *
 * Merges (Provilkov et al. 2020, BPE-dropout): the word starts as characters. In each round, every
 * adjacent pair that forms a piece is skipped with probability alpha; of the remaining pairs, the
 * one with the highest score is merged, the first among equals. A round without a merge ends the
 * process. Alpha 0 gives the best segmentation, 1 gives characters. */
#ifndef ATTEND_TEXT_SUBWORD_SAMPLING_H
#define ATTEND_TEXT_SUBWORD_SAMPLING_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct subword_rule {
    bool merges;
    double alpha;
    /* log p of a piece; for merges, a higher score is merged earlier. NAN when there is no such
     * piece. */
    double (*score)(const void *context, const char *piece, size_t length);
    const void *context;
    size_t longest; /* longest piece in bytes */
};

/* Sets the ends of the pieces of a word (valid UTF-8), in bytes and ascending; `end` has room for
 * `length` of them. Returns their number; 0 when the pieces cannot spell the word, -1 when out of
 * memory. The same key gives the same segmentation. */
int subword_sample(const struct subword_rule *, uint64_t key, const char *word, size_t length,
                   size_t *end);

#endif
