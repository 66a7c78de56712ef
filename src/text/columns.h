/* Which columns of a table (TSV: one row on a line, one TAB between columns) hold the source, the
 * target and the features. The rule:
 *
 *     without a header        `names` names the columns in their order: src and tgt are the source
 *                             and the target, _ and names that nobody asks for are passed over;
 *                             "src,tgt" when it is not given
 *     with a header           the names stand in line 1, src and tgt among them
 *     with both               `names` is A,B: the header's columns A and B are source and target
 *     `features` (optional)   one of these names
 *
 * Names count byte for byte. Columns behind those asked for may be there or not. Quotes mean
 * nothing. */
#ifndef ATTEND_TEXT_COLUMNS_H
#define ATTEND_TEXT_COLUMNS_H

#include "attend/status.h"

#include <stddef.h>

/* Positions from 0. */
struct columns {
    int source, target;
    int features; /* -1: none */
    int needed;   /* columns that a row must have: the last of these positions + 1 */
};

/* What the user asks for; either may be NULL. */
struct columns_names {
    const char *names, *features;
};

/* Names that do not fit the rule are ATTEND_USAGE. */
enum attend_status columns_from_names(struct columns *out, const struct columns_names *,
                                      struct attend_error *err);
/* `header` is line 1 of the file called `file`; what it lacks is ATTEND_DATA. */
enum attend_status columns_from_header(struct columns *out, const struct columns_names *,
                                       const char *header, const char *file,
                                       struct attend_error *err);

struct columns_field {
    const char *text; /* borrowed from the row; ends with its length */
    size_t length;
};

struct columns_row {
    struct columns_field source, target, features;
};

/* Find the fields of a row; returns how many columns it has. When they are fewer than needed, the
 * fields that are not there are all zero. */
int columns_split(const struct columns *, const char *row, size_t length, struct columns_row *out);

#endif
