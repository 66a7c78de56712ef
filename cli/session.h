/* What commands that run a model share: the loaded model with its translator, and files as lines.
 */
#ifndef ATTEND_CLI_SESSION_H
#define ATTEND_CLI_SESSION_H

#include "args.h"

#include <attend/translate.h>

#include <stdio.h>

struct session {
    struct attend_model *model;
    struct attend_translator *translator;
};
/* Load --model. EXIT_DONE, or the exit code after saying what is wrong. */
int session_open(struct session *, const struct command *, const struct attend_options *);
void session_close(struct session *);
/* For commands that show attention: whether the model has any, or false after saying that it has
 * none. */
bool session_attends(const struct session *, const struct command *);

/* Up to `most` lines, without their ends; each is malloc'ed. *count is 0 at the end of the file. CR
 * before LF is dropped, and so is a byte order mark at the start of the file. False when memory or
 * the file failed. */
bool read_lines(FILE *, char **line, int most, int *count, bool first);
void free_lines(char **line, int count);

#endif
