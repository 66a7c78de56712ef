/* Pictures written as PNG or PDF, through a module that is loaded only then. */
#ifndef ATTEND_CLI_PAINTER_H
#define ATTEND_CLI_PAINTER_H

#include "args.h"

struct attend_picture;

/* Whether a path ends as a file that painter_save writes. */
bool painter_takes(const char *path);
/* Paint to `path`, in the form that its ending names. The exit code, after saying what is wrong. */
int painter_save(const struct command *, const struct attend_picture *, const char *path);

#endif
