/* How a SentencePiece model rewrites a text before it is split: characters by its table, except
 * within user-defined symbols; then blanks. */
#ifndef ATTEND_TEXT_NORMALIZER_H
#define ATTEND_TEXT_NORMALIZER_H

#include "text/charsmap.h"

#include <stdbool.h>
#include <stddef.h>

struct piece_trie;

/* U+2581 stands for a blank within pieces. */
#define NORMALIZER_MARK "\xE2\x96\x81"
enum { NORMALIZER_MARK_BYTES = sizeof NORMALIZER_MARK - 1 };

struct normalizer {
    struct charsmap map;
    const struct piece_trie *symbols; /* these stay as they are; NULL: none */
    bool blank_before;                /* a blank before the first word */
    bool blank_after;                 /* or after the last */
    bool single_blanks;               /* one between words, none at the ends */
    bool mark_blanks;                 /* U+2581 for each blank */
};

/* A normalized text, and where each of its bytes comes from. All zero is an empty one. */
struct normalized {
    char *text;     /* (length) ended by NUL */
    size_t *origin; /* (length + 1) ascending offsets in the given text; of the end, too */
    size_t length, size;
};

/* Normalize a valid text; false when out of memory. `out` must be all zero. */
bool normalizer_run(const struct normalizer *, const char *text, size_t length,
                    struct normalized *out);
void normalized_release(struct normalized *);

#endif
