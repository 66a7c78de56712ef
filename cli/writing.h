/* attend translate with a model that writes by hand: traces instead of lines. */
#ifndef ATTEND_CLI_WRITING_H
#define ATTEND_CLI_WRITING_H

#include "session.h"

/* Write the lines as a picture, a page or ink, as the ending of --output says; without it, InkML to
 * standard output. Returns an exit code, after an error message if it failed. */
int writing_run(const struct session *, const struct command *, const struct flags *,
                const char *const *argument, int count);

#endif
