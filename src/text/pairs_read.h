/* Pairs of text from whatever the user has, two files or one table, read once from beginning to end
 * and handed to as many sets of pairs as there are. Files are read as text/reader.h says, tables as
 * text/columns.h says. */
#ifndef ATTEND_TEXT_PAIRS_READ_H
#define ATTEND_TEXT_PAIRS_READ_H

#include "attend/status.h"

#include <stdbool.h>
#include <stddef.h>

struct pairs;
struct split;

/* All borrowed. "-" is standard input; only one of two files may be it. */
struct pairs_input {
    const char *source, *target;    /* line i of one belongs to line i of the other */
    const char *table;              /* or a TSV instead of the two */
    const char *columns, *features; /* of the table; may be NULL */
    bool header;                    /* of the table */
    bool skip_broken;
};

/* What can be wrong with a pair. The first four break it: the reading ends there, unless
 * skip_broken is set and the pair is left out. A pair with an empty side (nothing but spaces and
 * tabs), and a blank row of a table, is always left out. */
enum pairs_fault {
    PAIRS_NOT_UTF8,
    PAIRS_NUL,
    PAIRS_TOO_LONG,
    PAIRS_MISSING_COLUMN,
    PAIRS_EMPTY_SIDE,
    PAIRS_FAULTS
};
extern const char *const pairs_fault_names[PAIRS_FAULTS]; /* "invalid UTF-8" ... */

/* Of each fault, how many pairs were left out for it and where the first one stands. A pair with
 * several faults counts once, the source's coming first. */
struct pairs_faults {
    struct pairs_fault_count {
        size_t count;
        const char *file; /* the path of the input, or "standard input"; NULL while count is 0 */
        size_t line;      /* from 1 */
    } of[PAIRS_FAULTS];
};

/* Add every pair to sink[split_choose(...)], or to sink[0] when split is NULL. With features, the
 * source of a pair is "source<TAB>features", and the split looks at what is before the TAB, so that
 * a source with other features stays in its set. *faults is added to, also on failure; its files
 * are borrowed from the input.
 * ATTEND_DATA: a broken pair, files of unequal length, or a set that got no pair. */
enum attend_status pairs_read(const struct pairs_input *, const struct split *,
                              struct pairs *const sink[], struct pairs_faults *faults,
                              struct attend_error *err);

#endif
