/* attend trouble: sentences by how wrong their attention looks. */
#include "commands.h"
#include "trouble.h"

#include <string.h>

int cmd_trouble(const struct command *command, const struct attend_options *options,
                const char *const *operand, int count)
{
    static const char *const none[] = {"model", "src", "tgt", "pieces", NULL};
    const char *src = attend_options_text(options, "src"),
               *tgt = attend_options_text(options, "tgt");
    (void)operand, (void)count;
    if (attend_options_text(options, "matrix"))
        return args_none(command, options, none, "does not go with --matrix, which needs no model")
                   ? trouble_report(command, options)
                   : EXIT_USAGE;
    if (!src)
        return args_usage(command, "--src is needed, or --matrix");
    if (tgt && strcmp(src, "-") == 0 && strcmp(tgt, "-") == 0)
        return args_usage(command, "only one of --src and --tgt can be standard input");
    return trouble_report(command, options);
}
