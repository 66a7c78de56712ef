/* The subcommands. */
#ifndef ATTEND_CLI_COMMANDS_H
#define ATTEND_CLI_COMMANDS_H

#include "args.h"

/* To add one: write cmd_<name>.c with `int cmd_<name>(...)`, add its name here and a row to the
 * table in commands.c, and its rows, if it has any of its own, to flags.c. Help, completion, manual
 * pages and the tests of every command follow the table. */
#define COMMAND_LIST(X)                                                                            \
    X(train)                                                                                       \
    X(translate)                                                                                   \
    X(distill)                                                                                     \
    X(score)                                                                                       \
    X(align)                                                                                       \
    X(eval)                                                                                        \
    X(plot)                                                                                        \
    X(explain)                                                                                     \
    X(trouble)                                                                                     \
    X(serve) X(models) X(info) X(convert) X(export) X(playground) X(bench) X(completion)

#define COMMAND_DECLARE(name)                                                                      \
    int cmd_##name(const struct command *, const struct flags *, const char *const *operand,       \
                   int count);
COMMAND_LIST(COMMAND_DECLARE)
#undef COMMAND_DECLARE

extern const struct command *const commands[]; /* ended by NULL */
/* NULL when there is no such command. */
const struct command *command_find(const char *name);

#endif
