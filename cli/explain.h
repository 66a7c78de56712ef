/* Parts of attend explain. */
#ifndef ATTEND_CLI_EXPLAIN_H
#define ATTEND_CLI_EXPLAIN_H

#include "session.h"

#include <attend/explain.h>

/* What the command works with. */
struct explain_job {
    const struct command *command;
    const struct attend_options *options;
    struct session session;
    const char *source, *target; /* target: NULL when it is to be found */
    struct attend_focus *focus;  /* (focuses) */
    int focuses;
};

static inline bool explain_has(const struct explain_job *job, const char *flag)
{
    return attend_options_number(job->options, flag) > 0;
}

/* Print a text that the library made, NULL when memory ran out, and free it. The exit code. */
int explain_print(const struct explain_job *, char *text);

/* explain_file.c: how faithful the attention is over --src and --tgt. */
int explain_file(struct explain_job *);

/* explain_picture.c: whether --output, if there is one, names a form that can be drawn. */
bool explain_picture_takes(const struct explain_job *);
/* Draw into --output: the measures as panels, or the curves. The exit code. */
int explain_picture(const struct explain_job *, const struct attend_explanation *);

#endif
