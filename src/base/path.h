/* Paths: where links lead, and whether two of them name one file. */
#ifndef ATTEND_BASE_PATH_H
#define ATTEND_BASE_PATH_H

#include "attend/status.h"

#include <stdbool.h>

/* The file that writing to `path` writes: `path` itself, or where the symbolic link there leads, in
 * as many steps as it takes, even when nothing is there yet. For the caller to free. Links that go
 * round in a circle are ATTEND_IO. */
enum attend_status path_follow(char **out, const char *path, struct attend_error *err);

/* Whether two paths name one regular file, by whatever links, or, when neither exists, would once
 * it is written. False for folders, pipes and devices, which may well be given twice. */
bool path_same(const char *a, const char *b);

#endif
