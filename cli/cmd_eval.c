/* attend eval: judge output against references. */
#include "commands.h"

#include <attend/eval.h>

#include <stdio.h>

int cmd_eval(const struct command *command, const struct attend_options *options,
             const char *const *operand, int count)
{
    (void)operand, (void)count;
    const char *reference, *hypothesis = attend_options_text(options, "hyp");
    struct attend_accuracy result;
    struct attend_error err;
    if (!args_need(command, options, "ref", &reference))
        return EXIT_USAGE;
    const enum attend_status status =
        attend_eval_accuracy(hypothesis ? hypothesis : "-", reference, &result, &err);
    if (status)
        return args_fail(command, status, &err);
    printf("accuracy %.2f%% (%ld of %ld lines)\n",
           result.total ? 100.0 * (double)result.correct / (double)result.total : 0.0,
           result.correct, result.total);
    return EXIT_DONE;
}
