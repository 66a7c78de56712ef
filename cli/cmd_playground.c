/* attend playground: writes a page that trains small models. */
#include "commands.h"

#include <attend/browser.h>

int cmd_playground(const struct command *command, const struct flags *flags,
                   const char *const *operand, int count)
{
    (void)operand, (void)count;
    struct attend_error err;
    char engine[PLACE_SIZE];
    if (!args_need(command, flags->output, "output"))
        return EXIT_USAGE;
    if (!args_engine(command, engine))
        return EXIT_FAILED;
    const enum attend_status status = attend_playground_html(flags->output, engine, &err);
    return status ? args_fail(command, status, &err) : EXIT_DONE;
}
