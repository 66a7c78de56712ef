/* attend info: what is in a model. */
#include "commands.h"

#include <attend/model.h>

#include <stdio.h>

int cmd_info(const struct command *command, const struct attend_options *options,
             const char *const *operand, int count)
{
    (void)operand, (void)count;
    const char *path;
    struct attend_model *model;
    struct attend_error err;
    if (!args_need(command, options, "model", &path))
        return EXIT_USAGE;
    const enum attend_status status = attend_model_load(&model, path, &err);
    if (status)
        return args_fail(command, status, &err);
    err.message[0] = '\0';
    char *text = attend_options_number(options, "config") ? attend_model_config(model, &err)
                                                          : attend_model_describe(model);
    if (text)
        fputs(text, stdout);
    const int code = text ? EXIT_DONE : args_fail(command, ATTEND_FORMAT, &err);
    attend_text_free(text);
    attend_model_free(model);
    return code;
}
