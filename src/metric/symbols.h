/* A text as numbers: its code points, or one number for each word. */
#ifndef ATTEND_METRIC_SYMBOLS_H
#define ATTEND_METRIC_SYMBOLS_H

#include "attend/status.h"

#include <stdbool.h>

/* All zero when empty. Running out of memory is remembered in `failed`, so that a sequence of
 * additions is checked once, at its end. */
struct symbols {
    int *item; /* (count) */
    int count, size;
    bool failed;
};

void symbols_add(struct symbols *, int symbol);
/* Replace `out` by the code points of a valid text, in lower case if asked, without the white space
 * at its end. */
void symbols_read(struct symbols *out, const char *text, bool lowercase);
/* Set the count to 0 and keep the memory. */
void symbols_clear(struct symbols *);
void symbols_release(struct symbols *);

bool symbols_blank(int point);

/* Fewest insertions, deletions and replacements that make one of the other; -1 without memory. */
int symbols_distance(const struct symbols *, const struct symbols *other);
/* Length of the longest sequence that both contain in its order, not necessarily in one piece; -1
 * without memory. */
int symbols_subsequence(const struct symbols *, const struct symbols *other);

#endif
