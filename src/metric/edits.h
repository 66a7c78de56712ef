/* The edits that turn a reference into an output, one by one.
 *
 *     cost(i, j) = min(cost(i-1, j-1) + [a_i != b_j], cost(i-1, j) + 1, cost(i, j-1) + 1)
 *
 * Of several cheapest ways, the one is taken that, read from the end, keeps or substitutes first,
 * then deletes, then inserts. Their number is symbols_distance. */
#ifndef ATTEND_METRIC_EDITS_H
#define ATTEND_METRIC_EDITS_H

#include <stdbool.h>

struct symbols;

enum edit_kind { EDIT_SAME, EDIT_SUBSTITUTED, EDIT_DELETED, EDIT_INSERTED };

struct edit {
    enum edit_kind kind;
    int output, reference; /* positions of the symbols; -1: none */
};

/* All zero when empty. */
struct edits {
    struct edit *item; /* (count) from left to right */
    int count;
    unsigned char *way; /* working memory */
    int *row;
};

/* Symbols of an output times symbols of its reference that are compared at most. */
#define EDITS_MOST_CELLS ((size_t)1 << 30)

/* false when out of memory, or when the two are longer than EDITS_MOST_CELLS allows. */
bool edits_align(struct edits *, const struct symbols *output, const struct symbols *reference);
void edits_release(struct edits *);

#endif
