/* Paths: where symbolic links lead, whether two paths name one file, and paths that stand in files. */
#ifndef ATTEND_BASE_PATH_H
#define ATTEND_BASE_PATH_H

#include "attend/status.h"

#include <stdbool.h>
#include <stddef.h>

/* The file that is written when `path` is opened for writing: `path` itself or, if it is a symbolic
 * link, the end of the chain of links, even if nothing exists there yet. The caller frees it.
 * Circular links are ATTEND_IO. */
enum attend_status path_follow(char **out, const char *path, struct attend_error *err);

/* Whether two paths name the same regular file, through any links. For files that do not exist yet:
 * whether they would become the same file. False for folders, pipes and devices, which may be given
 * twice. */
bool path_same(const char *a, const char *b);

/* A path that stands in a file: relative to the folder of `file`, unless it is absolute. If `file` is
 * NULL or "-", standard input, it is relative to the current folder. The caller frees it; NULL when
 * out of memory. */
char *path_beside(const char *file, const char *path);

/* How many bytes of `file` path_beside puts before `path`: its folder, or 0. */
size_t path_folder(const char *file, const char *path);

#endif
