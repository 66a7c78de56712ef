/* Writes translations in the format that the flags select. */
#ifndef ATTEND_CLI_OUTPUT_H
#define ATTEND_CLI_OUTPUT_H

#include "session.h"

struct output {
    const struct attend_model *model;
    const struct output_form *form;
    int parts;  /* parts of a line: ATTEND_LINE_... */
    bool words; /* write words instead of pieces */
    FILE *file;
};

/* Select the format and open --output. Returns EXIT_DONE, or an exit code after an error
 * message. */
int output_open(struct output *, const struct session *, const struct command *,
                const struct flags *);
/* Write one translation. `id` is the number of its line, from 0. */
enum attend_status output_print(const struct output *, const struct attend_translation *, long id,
                                struct attend_error *err);
/* Close the file. Returns `code`, or EXIT_FAILED after an error message if writing failed. */
int output_close(struct output *, const struct command *, int code);

#endif
