/* Pictures on their way to a file, in the form that its ending names. */
#ifndef ATTEND_CLI_PICTURE_H
#define ATTEND_CLI_PICTURE_H

#include "args.h"

#include <attend/plot.h>

bool picture_ends_in(const char *path, const char *ending);
/* Whether a picture can be saved under this name: .svg and what the painter takes. */
bool picture_takes(const char *path);
/* Save a picture, which may be NULL when memory ran out, and free it. The exit code, after saying
 * what is wrong. */
int picture_save(const struct command *, struct attend_picture *, const char *path);
/* The same for a text, SVG or HTML. */
int picture_save_text(const struct command *, char *text, const char *path);

/* The look that the settings of `plot` ask for. */
struct attend_look picture_look(const struct attend_options *);
/* Whether a terminal gets colours: where they were asked for, or where standard output is a
 * terminal that says it has 24 bits of them. */
bool picture_colours(const struct attend_options *);

#endif
