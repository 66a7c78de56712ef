/* Mistakes in training text that no message would show otherwise, one note each:
 *
 *     line 1 of a table that is read without a header, but holds names of columns
 *     a source that equals its target in most pairs
 *     validation pairs, or their sources, that are also training pairs
 *     a side with capitals (or small letters) in one set and none in the other
 *
 * Nothing here changes the text or stops a run. Memory grows with the validation text alone, up to
 * a limit. */
#ifndef ATTEND_CORPUS_TRAPS_H
#define ATTEND_CORPUS_TRAPS_H

#include "attend/status.h"

#include <stdbool.h>

struct pairs;

struct traps_job {
    struct pairs *train, *valid; /* valid NULL: there is none */
    const char *name[2];         /* the files of the training and the validation text */
    bool headless[2];            /* this text is a table that is read without a header */
    bool given;                  /* the validation text was given, not held out */
    bool paths;                  /* sources are paths of files, whose case does not matter */
    const char *beside[2]; /* the files to which relative paths of sources are relative; or NULL */
    void (*note)(void *context, const char *text);
    void *context;
};

enum attend_status traps_find(const struct traps_job *, struct attend_error *err);

/* Whether a row of a table looks like a header: both cells consist of names that columns have, such
 * as `source` and `target`, `en` and `de_text`, and they differ. */
bool traps_is_header(const char *source, const char *target);

#endif
