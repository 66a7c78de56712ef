/* Links between the words of two sentences, read from the Pharaoh format: `i-j` for a sure link
 * from source word i to target word j, `ipj` for a possible one, with white space between links. */
#ifndef ATTEND_METRIC_LINKS_H
#define ATTEND_METRIC_LINKS_H

#include "attend/status.h"

#include <stdbool.h>
#include <stddef.h>

struct strbuf;

struct link {
    int source, target; /* from 0 */
    bool sure;
};

/* A set, all zero when empty: in the order of source, then target, and each pair once; a pair that
 * is given as possible and as sure is sure. */
struct links {
    struct link *item; /* (count) */
    int count, size;   /* size: how many `item` has room for */
};

/* The largest number that a link in a file may have. */
enum { LINKS_MAX_NUMBER = 1000000 };

/* Replace `out` by the links of a line, which counts words from `base`, 0 or 1; `file` and
 * `line_number` are for messages. On failure `out` is empty. */
enum attend_status links_parse(struct links *out, const char *line, size_t length, int base,
                               const char *file, int line_number, struct attend_error *err);
enum attend_status links_add(struct links *, struct link, struct attend_error *err);
/* The link of a pair, or NULL. */
const struct link *links_find(const struct links *, int source, int target);
/* The first link to a word that sentences of so many words do not have, or NULL. */
const struct link *links_beyond(const struct links *, int sources, int targets);
/* Exchange source and target. */
void links_turn(struct links *);
/* Append `i-j` and `ipj`, counted from 0 with spaces between, in the order of target, then source.
 */
void links_print(const struct links *, struct strbuf *out);
/* Set the count to 0 and keep the memory. */
void links_clear(struct links *);
void links_release(struct links *);

#endif
