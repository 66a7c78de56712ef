/* attend info: describes a model. */
#include "commands.h"

#include <attend/model.h>

#include <stdio.h>

int cmd_info(const struct command *command, const struct flags *flags, const char *const *operand,
             int count)
{
    (void)operand, (void)count;
    struct attend_model *model;
    struct attend_error err;
    const char *const models[] = {flags->model, NULL};
    int code = args_models(command, flags, models, true);
    if (code != EXIT_DONE)
        return code;
    const enum attend_status status = attend_model_load(&model, flags->model, &err);
    if (status)
        return args_fail(command, status, &err);
    err.message[0] = '\0';
    char *text = flags->as_config ? attend_model_config(model, &err) : attend_model_describe(model);
    if (text)
        fputs(text, stdout);
    code = text ? EXIT_DONE : args_fail(command, ATTEND_FORMAT, &err);
    attend_text_free(text);
    attend_model_free(model);
    return code;
}
