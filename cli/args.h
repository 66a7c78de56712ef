/* Parses the command line: flags become settings, other arguments (operands) keep their order. */
#ifndef ATTEND_CLI_ARGS_H
#define ATTEND_CLI_ARGS_H

#include "flags.h"
#include "place.h"

#include <limits.h>
#include <stdbool.h>
#include <stdio.h>

/* Exit codes; EXIT_SIGNAL is added to the number of a signal. */
enum { EXIT_DONE = 0, EXIT_FAILED = 1, EXIT_USAGE = 2, EXIT_SIGNAL = 128 };

enum { COMMAND_GROUPS = 9, COMMAND_DEFAULTS = 2, COMMAND_ANY = INT_MAX };

/* One subcommand: a row of the table in commands.c. */
struct command {
    const char *name;
    const char *summary;  /* one line */
    const char *synopsis; /* the operands, as the usage line shows them; or "" */
    int operands;         /* largest number of operands; COMMAND_ANY: no limit */
    int (*run)(const struct command *, const struct flags *, const char *const *operand, int count);
    struct flag_group group[COMMAND_GROUPS];
    struct {
        const char *name, *text;
    } defaults[COMMAND_DEFAULTS]; /* defaults that differ from those of the rows */
    const char *without; /* a setting of its groups that has no effect and is refused; or NULL */
};

/* Parse and run; argv[0] is the command's name. Returns the exit code. */
int args_run(const struct command *, int argc, char **argv);

/* Parse a command line again, since the file of --config may have changed since. The caller frees
 * the result. */
enum attend_status args_again(struct args **out, const struct args *, struct attend_error *err);
const struct flags *args_flags(const struct args *);
/* NULL is fine. */
void args_free(struct args *);

/* Make the settings of a command, which fill `flags`, with every setting at its default. Free them
 * with attend_settings_free. NULL when out of memory. */
struct attend_settings *args_settings(const struct command *, struct flags *flags);

/* ---- Messages ---- */

/* Print "attend COMMAND: message" on stderr and return the exit code for the status. */
int args_fail(const struct command *, enum attend_status status, const struct attend_error *err);
/* The same for a usage error; the message ends with a pointer to --help. */
int args_usage(const struct command *, const char *message);
/* Print a message of the library on stderr. The library names options by their fields, in
 * backquotes; they are printed as flags: `max_length` becomes --max-length. */
void args_say(const char *message);

/* Flush a file. Returns EXIT_DONE, or EXIT_FAILED after an error message; there is no message if
 * the reader of a pipe has gone. Set errno to 0 before writing to the file. The command may be
 * NULL, for a message of the program itself. main.c flushes stdout at the end of every command. */
int args_flush(const struct command *, FILE *);
/* Returns false, after an error message, if one of the settings (a list that ends with NULL) was
 * given. */
bool args_none(const struct command *, const struct flags *, const char *const *names,
               const char *why);
/* Returns whether a setting has a value; if not, after an error message. */
bool args_need(const struct command *, const void *value, const char *name);

/* Check that each model, of a list that ends with NULL, is a path or the name of a ready model. Returns
 * EXIT_DONE, or an exit code after an error message. `needed`: the first one must be there. */
int args_models(const struct command *, const struct flags *, const char *const *models,
                bool needed);
/* The file attend.wasm, which pages have inside. False after printing how to get it. */
bool args_engine(const struct command *, char out[PLACE_SIZE]);
/* args_fail for a call that loads the models itself: if one of them was not found, that is the
 * message. */
int args_fail_models(const struct command *, const struct flags *, const char *const *models,
                     enum attend_status status, const struct attend_error *err);

#endif
