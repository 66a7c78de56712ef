/* attend convert: writes a model with int8 weights, other language codes or a shortlist. */
#include "commands.h"

#include <attend/convert.h>

/* Count the lists of words, if they are wanted. */
static enum attend_status count_lists(const struct flags *flags,
                                      struct attend_conversion *conversion,
                                      struct attend_shortlist **lists, struct attend_error *err)
{
    const struct attend_shortlist_text text = {
        .src = flags->src, .tgt = flags->tgt, .links = flags->links};
    if (!flags->src)
        return ATTEND_OK;
    const enum attend_status status = attend_shortlist_count(lists, flags->model, &text, err);
    conversion->shortlist = *lists;
    return status;
}

int cmd_convert(const struct command *command, const struct flags *flags,
                const char *const *operand, int count)
{
    (void)operand, (void)count;
    struct attend_error err;
    struct attend_shortlist *lists = NULL;
    const char *const models[] = {flags->model, NULL};
    if (!args_need(command, flags->model, "model") || !args_need(command, flags->output, "output"))
        return EXIT_USAGE;
    struct attend_conversion conversion = {
        .int8 = flags->int8,
        .source_lang = flags->source_lang,
        .target_lang = flags->target_lang,
    };
    if (!flags->src != !flags->tgt || (flags->links && !flags->src))
        return args_usage(command, "--src and --tgt are needed together, and --links needs both");
    if (!conversion.int8 && !conversion.source_lang && !conversion.target_lang && !flags->src)
        return args_usage(command,
                          "nothing to convert: give --int8, --source-lang, --target-lang or --src");
    const int code = args_models(command, flags, models, true);
    if (code != EXIT_DONE)
        return code;
    enum attend_status status = count_lists(flags, &conversion, &lists, &err);
    if (!status)
        status = attend_convert(flags->model, flags->output, &conversion, &err);
    attend_shortlist_free(lists);
    return status ? args_fail(command, status, &err) : EXIT_DONE;
}
