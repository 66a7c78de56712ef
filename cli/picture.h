/* Saves pictures in the format of the file's extension. */
#ifndef ATTEND_CLI_PICTURE_H
#define ATTEND_CLI_PICTURE_H

#include "args.h"

#include <attend/plot.h>

bool picture_ends_in(const char *path, const char *ending);
/* Whether a picture can be saved under this name: it ends in .svg, .png or .pdf. */
bool picture_takes(const char *path);
/* Save and free a picture, which is NULL when out of memory. Returns EXIT_DONE, or an exit code
 * after an error message. */
int picture_save(const struct command *, struct attend_picture *, const char *path);
/* The same for a text: SVG or HTML. */
int picture_save_text(const struct command *, char *text, const char *path);

/* The style from the flags of `plot`, with the width of the terminal. */
struct attend_style picture_style(const struct flags *);
/* Whether to use color: as --color says or, for auto, if standard output is a terminal that reports
 * 24-bit color and NO_COLOR is not set. */
bool picture_colors(const struct flags *);

#endif
