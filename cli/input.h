/* The lines that attend translate reads: of --input or standard input, or its arguments. */
#ifndef ATTEND_CLI_INPUT_H
#define ATTEND_CLI_INPUT_H

#include "args.h"
#include "block.h"

/* All zero is an input that was not opened. */
struct input {
    struct attend_lines *lines;  /* NULL: the arguments */
    const char *const *argument; /* (arguments), borrowed */
    int arguments, taken;
    bool prompts; /* a person types: standard input and error are a terminal */
};

/* Check the arguments: a file or a model among them is a mistake. Returns EXIT_DONE, or an exit code
 * after an error message. */
int input_check(const struct command *, const struct flags *, const char *const *argument,
                int count);
/* Open --input or standard input, if there are no arguments; a lone "-" is standard input. */
enum attend_status input_open(struct input *, const char *path, const char *const *argument,
                              int count, struct attend_error *err);
/* Replace the lines of the block by the next ones, at most `most`; fewer when the input pauses or
 * ends; none only at its end. Prompts a person. On failure the block has the lines before the one at
 * fault. */
enum attend_status input_read(struct input *, struct block *, int most, struct attend_error *err);
/* The name in messages: the path, "standard input" or "argument". */
const char *input_name(const struct input *);
void input_close(struct input *);

#endif
