/* Links between the words of two sentences, read from the Pharaoh format: `i-j` for a sure link
 * from source word i to target word j, `ipj` for a possible one, with white space between links; or
 * taken from a matrix of attention. */
#ifndef ATTEND_METRIC_LINKS_H
#define ATTEND_METRIC_LINKS_H

#include "attend/status.h"

#include <stdbool.h>
#include <stddef.h>

struct strbuf;

struct link {
    int source, target; /* counted from 0 */
    bool sure;
};

/* A sorted set (by source, then target) in which each pair occurs once. All zero when empty. A pair
 * that is given as both possible and sure is sure. */
struct links {
    struct link *item; /* (count) */
    int count, size;   /* size: room in `item` */
};

/* The largest word number in a file. */
enum { LINKS_MAX_NUMBER = 1000000 };

/* Replace `out` by the links of a line. Words are counted from `base`, 0 or 1; `file` and
 * `line_number` are for messages. On failure `out` is empty. */
enum attend_status links_parse(struct links *out, const char *line, size_t length, int base,
                               const char *file, int line_number, struct attend_error *err);
enum attend_status links_add(struct links *, struct link, struct attend_error *err);
/* Replace `out` by one link for each target word, to the source word of most weight; `weight` is
 * (targets, columns). If the source `ends`, the last column is </s>, and a word that attends most
 * to it gets no link. The first `skip` columns are no words and do not count. */
enum attend_status links_from_weights(struct links *out, const float *weight, int targets,
                                      int columns, int skip, bool ends, struct attend_error *err);
/* The link of a pair, or NULL. */
const struct link *links_find(const struct links *, int source, int target);
/* The first link whose words are outside sentences of these lengths, or NULL. */
const struct link *links_beyond(const struct links *, int sources, int targets);
/* Swap source and target. */
void links_turn(struct links *);
/* Append `i-j` and `ipj`, counted from 0 and separated by spaces, in the order of target, then
 * source. */
void links_print(const struct links *, struct strbuf *out);
/* Set the count to 0 and keep the memory. */
void links_clear(struct links *);
void links_release(struct links *);

#endif
