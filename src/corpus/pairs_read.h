/* Reads the user's pairs of text, from two files or one table, once from beginning to end, and adds
 * them to one or more sets of pairs. Lines are defined by corpus/reader.h, the columns of tables by
 * corpus/columns.h. Line k of `guide` belongs to line k of the files, or to row k of the table, whose header does not
 * count: also if that pair is skipped. */
#ifndef ATTEND_CORPUS_PAIRS_READ_H
#define ATTEND_CORPUS_PAIRS_READ_H

#include "attend/status.h"

#include <stdbool.h>
#include <stddef.h>

struct languages;
struct pairs;
struct split;

/* All pointers are borrowed. "-" is standard input, for at most one of the files. */
struct pairs_input {
    const char *source, *target;    /* two files, line for line */
    const char *table;              /* or one TSV file */
    const char *columns, *features; /* columns of the table; may be NULL */
    bool header;                    /* the table has a header */
    bool skip_broken;
    bool sources_only; /* a target may be empty or missing, also the file */
    /* The names of the columns with languages; NULL: there are none. */
    const char *language_columns;
    const char *language[2];     /* the language of a side without such a column */
    struct languages *languages; /* gets the languages and pairs; not NULL if there are any */
    bool no_new;                 /* a language that it does not have yet is a fault */
    const char *guide;           /* word links, line for line with the pairs; NULL: none */
};

/* What can be wrong with a pair. All but the last end the reading, unless skip_broken is set;
 * then the pair is skipped. A pair with an empty side (only spaces and tabs) and a blank row of a
 * table are always skipped. */
enum pairs_fault {
    PAIRS_NOT_UTF8,
    PAIRS_NUL,
    PAIRS_TOO_LONG,
    PAIRS_MISSING_COLUMN,
    PAIRS_NO_LANGUAGE,
    PAIRS_EMPTY_SIDE,
    PAIRS_FAULTS
};
extern const char *const pairs_fault_names[PAIRS_FAULTS]; /* "invalid UTF-8" ... */

/* For each fault, how many pairs were skipped and where the first one is. A pair with several
 * faults counts once; a fault of the source comes before one of the target. */
struct pairs_faults {
    struct pairs_fault_count {
        size_t count;
        const char *file; /* the path of the input, or "standard input"; NULL while count is 0 */
        size_t line;      /* from 1 */
    } of[PAIRS_FAULTS];
};

/* Add every pair to sink[split_choose(...)], or to sink[0] when split is NULL. With features, the
 * source of a pair is "source<TAB>features"; the split depends only on the part before the TAB, so
 * that a source is in the same set with all its features. *faults is added to, even on failure; its
 * file names are borrowed from the input. A broken pair, files of unequal length and a set without
 * pairs are ATTEND_DATA. */
enum attend_status pairs_read(const struct pairs_input *, const struct split *,
                              struct pairs *const sink[], struct pairs_faults *faults,
                              struct attend_error *err);

/* Say what was skipped for a fault; false if nothing was. */
bool pairs_faults_print(const struct pairs_faults *, enum pairs_fault, char *out, size_t size);

#endif
