/* A text as numbers: one per code point or one per word. */
#ifndef ATTEND_METRIC_SYMBOLS_H
#define ATTEND_METRIC_SYMBOLS_H

#include "attend/status.h"

#include <stdbool.h>

/* All zero when empty. `failed` records that memory ran out, so a sequence of additions needs one
 * check at its end. */
struct symbols {
    int *item; /* (count) */
    int count, size;
    bool failed;
};

void symbols_add(struct symbols *, int symbol);
/* Replace `out` by the code points of a valid text, optionally in lower case, without trailing
 * white space. */
void symbols_read(struct symbols *out, const char *text, bool lowercase);
/* Set the count to 0 and keep the memory. */
void symbols_clear(struct symbols *);
void symbols_release(struct symbols *);

bool symbols_blank(int point);

/* Edit distance: the fewest insertions, deletions and replacements; -1 when out of memory. */
int symbols_distance(const struct symbols *, const struct symbols *other);
/* The length of the longest common subsequence, which need not be contiguous; -1 when out of
 * memory. */
int symbols_subsequence(const struct symbols *, const struct symbols *other);

#endif
