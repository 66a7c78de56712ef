/* Prints help from the tables of commands and settings. */
#ifndef ATTEND_CLI_HELP_H
#define ATTEND_CLI_HELP_H

#include "args.h"

/* List all commands. Returns EXIT_DONE for stdout and EXIT_USAGE for stderr. */
int help_program(FILE *out);
/* Describe one command. If it has many settings, only the basic ones are listed, unless `all`. */
int help_command(const struct command *, const struct attend_settings *, bool all);

#endif
