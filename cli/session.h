/* What commands that run a model share: the loaded models with their translator. */
#ifndef ATTEND_CLI_SESSION_H
#define ATTEND_CLI_SESSION_H

#include "args.h"

#include <attend/translate.h>

struct session {
    struct attend_model *model[ATTEND_ENSEMBLE];
    int models;
    struct attend_translator *translator;
};
/* Load every --model. EXIT_DONE, or the exit code after saying what is wrong. */
int session_open(struct session *, const struct command *, const struct attend_options *);
void session_close(struct session *);
/* For commands that show attention: whether the models have any, or false after saying that one has
 * none. */
bool session_attends(const struct session *, const struct command *);

#endif
