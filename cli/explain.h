/* Parts of attend explain. */
#ifndef ATTEND_CLI_EXPLAIN_H
#define ATTEND_CLI_EXPLAIN_H

#include "session.h"

#include <attend/explain.h>

/* One call of the command. */
struct explain_job {
    const struct command *command;
    const struct flags *flags;
    struct session session;
    const char *source, *target; /* target NULL: the model's own translation */
    struct attend_focus *focus;  /* (focus_count) */
    int focus_count;
};

/* Print and free a text of the library, which is NULL when out of memory. Returns the exit code. */
int explain_print(const struct explain_job *, char *text);

/* explain_file.c: how faithful the attention is over --src and --tgt. Returns the exit code. */
int explain_file(struct explain_job *);

/* explain_picture.c: whether --output is absent or names a format that can be drawn. */
bool explain_picture_takes(const struct explain_job *);
/* Draw the measures as panels, or the curves, into --output. Returns the exit code. */
int explain_picture(const struct explain_job *, const struct attend_explanation *);

#endif
