/* Writes a set of pairs to text files, for `attend translate` and `attend eval`. */
#ifndef ATTEND_CORPUS_SET_FILES_H
#define ATTEND_CORPUS_SET_FILES_H

#include "attend/status.h"

struct languages;
struct pairs;

/* Write PATH.src and PATH.tgt, and with languages PATH.lang, lines of source<TAB>target. If
 * `paths_of` is not NULL, sources are paths relative to the folder of that file, and become
 * absolute. */
enum attend_status set_files_write(struct pairs *, const char *path, const struct languages *,
                                   const char *paths_of, struct attend_error *err);
/* The absolute path of the folder of a file, with a slash, which the caller frees; "-" is in the current
 * folder. NULL: there is none, or out of memory. */
char *set_files_folder(const char *file);

#endif
