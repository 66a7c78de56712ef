/* attend trouble: lists the sentences whose attention looks wrong, worst first. */
#include "commands.h"
#include "trouble.h"

#include <string.h>

int cmd_trouble(const struct command *command, const struct flags *flags,
                const char *const *operand, int count)
{
    static const char *const none[] = {"model", "src", "tgt", "pieces", NULL};
    const char *src = flags->src, *tgt = flags->tgt;
    (void)operand, (void)count;
    if (flags->matrix)
        return args_none(command, flags, none, "does not go with --matrix, which needs no model")
                   ? trouble_report(command, flags)
                   : EXIT_USAGE;
    if (!src)
        return args_usage(command, "give --src or --matrix");
    if (tgt && strcmp(src, "-") == 0 && strcmp(tgt, "-") == 0)
        return args_usage(command, "only one of --src and --tgt can be standard input");
    return trouble_report(command, flags);
}
