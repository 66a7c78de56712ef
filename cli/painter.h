/* Writes pictures as PNG or PDF. The module that paints them is loaded on demand. */
#ifndef ATTEND_CLI_PAINTER_H
#define ATTEND_CLI_PAINTER_H

#include "args.h"

struct attend_picture;

/* Whether a path ends in .png or .pdf. */
bool painter_takes(const char *path);
/* Paint a picture to `path` in the format of its extension. Returns EXIT_DONE, or an exit code
 * after an error message. */
int painter_save(const struct command *, const struct attend_picture *, const char *path);

#endif
