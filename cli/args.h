/* The command line: flags into settings, the rest kept in order. */
#ifndef ATTEND_CLI_ARGS_H
#define ATTEND_CLI_ARGS_H

#include <attend/option.h>

#include <stdbool.h>
#include <stdio.h>

/* What the process ends with. */
enum { EXIT_DONE = 0, EXIT_FAILED = 1, EXIT_USAGE = 2 };

/* One subcommand: a row of the table in main.c. */
struct command {
    const char *name;
    const char *summary;  /* one line */
    const char *synopsis; /* after the flags: what else it takes, or "" */
    int operands;         /* at most */
    int (*run)(const struct command *, const struct attend_options *, const char *const *operand,
               int count);
};

/* Parse and run; argv[0] is the command's name. Returns the exit code. */
int args_run(const struct command *, int argc, char **argv);

/* One line on stderr, "attend COMMAND: message", and the exit code that fits the status. */
int args_fail(const struct command *, enum attend_status status, const struct attend_error *err);
/* The same for a wrong call. */
int args_usage(const struct command *, const char *message);

/* An argument is no line of a file: what the library says of line 1 of "input", "source" or
 * "target" becomes something said of the sentence or the translation. */
void args_name_operands(struct attend_error *err);

/* Write out what a file holds back. EXIT_DONE, or EXIT_FAILED after saying that it cannot be
 * written, which is not said when nobody reads it any more. Set errno to 0 before the writing. No
 * command: the message is the program's own. main.c does this at the end for all that is on
 * stdout. */
int args_flush(const struct command *, FILE *);
/* False, after saying so, if one of the settings (up to a NULL) was given. */
bool args_none(const struct command *, const struct attend_options *, const char *const *names,
               const char *why);
/* Setting `name`, or false after saying that it is needed. */
bool args_need(const struct command *, const struct attend_options *, const char *name,
               const char **out);

#endif
