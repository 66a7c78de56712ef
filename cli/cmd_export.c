/* attend export: writes a page that has models inside. */
#include "commands.h"

#include <attend/browser.h>

int cmd_export(const struct command *command, const struct flags *flags, const char *const *operand,
               int count)
{
    (void)operand, (void)count;
    struct attend_error err;
    char engine[PLACE_SIZE];
    if (!args_need(command, flags->models, "model") || !args_need(command, flags->html, "html"))
        return EXIT_USAGE;
    const int code = args_models(command, flags, flags->models, true);
    if (code != EXIT_DONE)
        return code;
    if (!args_engine(command, engine))
        return EXIT_FAILED;
    const struct attend_export what = {.models = flags->models,
                                       .names = flags->called,
                                       .engine = engine,
                                       .title = flags->title,
                                       .floats = flags->floats};
    const enum attend_status status = attend_export_html(flags->html, &what, &err);
    return status ? args_fail(command, status, &err) : EXIT_DONE;
}
