/* The run functions of the subcommands, one file each. */
#ifndef ATTEND_CLI_COMMANDS_H
#define ATTEND_CLI_COMMANDS_H

#include "args.h"

/* To add one: write cmd_<name>.c with `int cmd_<name>(...)`, add a line here, give it settings in
 * src/api/options.c. Help, `attend --help` and the tests of every command follow the list. */
#define COMMAND_LIST(X)                                                                            \
    X(train, 0, "", "train a model on pairs of lines")                                             \
    X(translate, 0, "", "translate lines from standard input to standard output")                  \
    X(score, 0, "", "how probable given translations are")                                         \
    X(align, 0, "", "word alignments of given pairs: made, joined and judged")                     \
    X(eval, 0, "", "judge output against references")                                              \
    X(plot, 2, "[SENTENCE [TRANSLATION]]", "draw where a model looks, or how training went")       \
    X(explain, 2, "[SENTENCE [TRANSLATION]]",                                                      \
      "what the model did step by step, and whether its attention mattered")                       \
    X(trouble, 0, "", "sentences whose attention looks wrong: words left out, words said twice")   \
    X(serve, 0, "", "models behind HTTP: the LibreTranslate API, attention as data, a page")       \
    X(info, 0, "", "what is in a model")                                                           \
    X(convert, 0, "", "write a model in another form")                                             \
    X(bench, 0, "", "how fast this machine trains, translates and multiplies")

#define COMMAND_DECLARE(name, operands, synopsis, summary)                                         \
    int cmd_##name(const struct command *, const struct attend_options *,                          \
                   const char *const *operand, int count);
COMMAND_LIST(COMMAND_DECLARE)
#undef COMMAND_DECLARE

#endif
