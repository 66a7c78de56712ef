/* attend convert: a model in another form. */
#include "commands.h"

#include <attend/convert.h>

int cmd_convert(const struct command *command, const struct attend_options *options,
                const char *const *operand, int count)
{
    (void)operand, (void)count;
    const char *model, *output;
    struct attend_error err;
    if (!args_need(command, options, "model", &model) ||
        !args_need(command, options, "output", &output))
        return EXIT_USAGE;
    if (!attend_options_number(options, "int8"))
        return args_usage(command, "what to convert to is needed: --int8");
    const enum attend_status status = attend_convert_int8(model, output, &err);
    return status ? args_fail(command, status, &err) : EXIT_DONE;
}
