/* Translations on their way out, in the form that the settings ask for. */
#ifndef ATTEND_CLI_OUTPUT_H
#define ATTEND_CLI_OUTPUT_H

#include "session.h"

struct output {
    const struct attend_model *model;
    const struct output_form *form;
    int parts;  /* of a line: ATTEND_LINE_... */
    bool words; /* not pieces */
    FILE *file;
};

/* Settle the form and open --output. EXIT_DONE, or the exit code after saying what is wrong. */
int output_open(struct output *, const struct session *, const struct command *,
                const struct attend_options *);
/* `id` numbers the lines from 0. */
enum attend_status output_print(const struct output *, const struct attend_translation *, long id,
                                struct attend_error *err);
/* The exit code: `code`, or EXIT_FAILED after saying that the output cannot be written. */
int output_close(struct output *, const struct command *, int code);

#endif
