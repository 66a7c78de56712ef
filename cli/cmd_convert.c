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
    const struct attend_conversion conversion = {
        .int8 = attend_options_number(options, "int8") > 0,
        .source_lang = attend_options_text(options, "source-lang"),
        .target_lang = attend_options_text(options, "target-lang"),
    };
    if (!conversion.int8 && !conversion.source_lang && !conversion.target_lang)
        return args_usage(command,
                          "what to convert to is needed: --int8, --source-lang or --target-lang");
    const enum attend_status status = attend_convert(model, output, &conversion, &err);
    return status ? args_fail(command, status, &err) : EXIT_DONE;
}
