/* attend convert: writes a model with int8 weights or other language codes. */
#include "commands.h"

#include <attend/convert.h>

int cmd_convert(const struct command *command, const struct flags *flags,
                const char *const *operand, int count)
{
    (void)operand, (void)count;
    struct attend_error err;
    const char *const models[] = {flags->model, NULL};
    if (!args_need(command, flags->model, "model") || !args_need(command, flags->output, "output"))
        return EXIT_USAGE;
    const struct attend_conversion conversion = {
        .int8 = flags->int8,
        .source_lang = flags->source_lang,
        .target_lang = flags->target_lang,
    };
    if (!conversion.int8 && !conversion.source_lang && !conversion.target_lang)
        return args_usage(command,
                          "nothing to convert: give --int8, --source-lang or --target-lang");
    const int code = args_models(command, flags, models, true);
    if (code != EXIT_DONE)
        return code;
    const enum attend_status status =
        attend_convert(flags->model, flags->output, &conversion, &err);
    return status ? args_fail(command, status, &err) : EXIT_DONE;
}
