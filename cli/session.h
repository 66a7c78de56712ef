/* The loaded models of a command and their translator. */
#ifndef ATTEND_CLI_SESSION_H
#define ATTEND_CLI_SESSION_H

#include "args.h"
#include "frame_lines.h"

#include <attend/translate.h>

struct session {
    struct attend_model *model[ATTEND_ENSEMBLE];
    int models;
    struct attend_translator *translator;
    const char *reader;          /* of frames, if the models read them; NULL: they read text */
    struct frame_modules frames; /* the session must not be moved */
};
/* Load every --model, and make the translator. Each returns EXIT_DONE, or an exit code after an error
 * message. */
int session_models(struct session *, const struct command *, const struct flags *);
int session_start(struct session *, const struct command *, const struct flags *);
/* Both. */
int session_load(struct session *, const struct command *, const struct flags *);
/* The same, and check the languages (session_direction): for commands whose lines do not have their
 * own. */
int session_open(struct session *, const struct command *, const struct flags *);
/* Check the languages of a session that was loaded. */
int session_point(const struct session *, const struct command *);
void session_close(struct session *);
/* Check that the options leave no choice of languages, and say if the model was not trained on the
 * pair. */
enum attend_status session_direction(const struct attend_translator *, const struct command *,
                                     struct attend_error *err);
/* Check that no option was given that needs lines of text, if the models read frames. Returns
 * EXIT_DONE, or an exit code after an error message. */
int session_takes(const struct session *, const struct command *, const struct flags *);
/* Returns whether all models have attention; if not, after an error message. */
bool session_attends(const struct session *, const struct command *);

#endif
