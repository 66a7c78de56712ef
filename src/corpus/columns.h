/* Finds the source, the target and the features among the columns of a table (TSV: one row per
 * line, columns separated by one TAB). The rule:
 *
 *     without a header        `names` lists the columns in order: src is the source, tgt the
 *                             target; _ and other names are ignored; the default is "src,tgt"
 *     with a header           line 1 has the names, with src and tgt among them
 *     with both               `names` is A,B: columns A and B of the header are source and target
 *     `features` (optional)   one of these names
 *     `languages` (optional)  A,B: the columns with the languages of the source and the target; _:
 *                             that side has one language and no column
 *
 * Names are compared byte by byte. Rows may lack columns after the last one that is needed. Quotes
 * have no meaning. */
#ifndef ATTEND_CORPUS_COLUMNS_H
#define ATTEND_CORPUS_COLUMNS_H

#include "attend/status.h"

#include <stddef.h>

/* Positions from 0. */
struct columns {
    int source, target;
    int features;    /* -1: none */
    int language[2]; /* of the source, of the target; -1: none */
    int needed;      /* columns that a row must have: the largest position + 1 */
};

/* The user's options; each may be NULL. */
struct columns_names {
    const char *names, *features, *languages;
};

/* Names that break the rule are ATTEND_USAGE. */
enum attend_status columns_from_names(struct columns *out, const struct columns_names *,
                                      struct attend_error *err);
/* `header` is line 1 of the file called `file`. A missing column is ATTEND_DATA. */
enum attend_status columns_from_header(struct columns *out, const struct columns_names *,
                                       const char *header, const char *file,
                                       struct attend_error *err);

struct columns_field {
    const char *text; /* borrowed from the row; not NUL-terminated */
    size_t length;
};

struct columns_row {
    struct columns_field source, target, features, language[2];
};

/* Find the fields of a row and return its number of columns. Missing fields are all zero. */
int columns_split(const struct columns *, const char *row, size_t length, struct columns_row *out);

#endif
