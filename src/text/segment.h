/* Drawing how a word is cut into pieces, where the best way is not the only one.
 *
 * Unigram (Kudo 2018): a way with the pieces x_1 .. x_n comes with a probability proportional to
 * (p(x_1) ... p(x_n))^alpha. It is drawn exactly, from all ways there are: first the sum over the
 * ways of every beginning of the word, then the pieces from its end backwards. A large alpha gives
 * the best way, 0 any with equal probability.
 *
 * Merges (Provilkov et al. 2020, BPE-dropout): the word begins as characters; in each round every
 * two neighbours that together are a piece are passed over with probability alpha, and of the rest
 * those with the highest score become one, the first among equals. A round without any ends it.
 * Alpha 0 gives the best way, 1 characters. */
#ifndef ATTEND_TEXT_SEGMENT_H
#define ATTEND_TEXT_SEGMENT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct segment_rule {
    bool merges;
    double alpha;
    /* log p of a piece, or of a merge the higher the earlier it is made; NAN when there is no such
     * piece. */
    double (*score)(const void *context, const char *piece, size_t length);
    const void *context;
    size_t longest; /* piece, in bytes */
};

/* The ends of the pieces of a word of valid UTF-8, in bytes and ascending; `end` has room for
 * `length` of them. How many there are; 0 when the pieces at hand cannot spell the word, -1 without
 * memory. The same key draws the same way. */
int segment_draw(const struct segment_rule *, uint64_t key, const char *word, size_t length,
                 size_t *end);

#endif
