/* attend align: word alignments of given pairs, or their error rate against gold alignments. */
#include "commands.h"
#include "frames.h"

#include <attend/align.h>

#include <stdio.h>

static int print_links(const struct command *command, struct attend_aligner *aligner)
{
    const char *links;
    struct attend_error err;
    enum attend_status status;
    bool good = true;
    while (good && !(status = attend_aligner_next(aligner, &links, &err)) && links)
        good = puts(links) >= 0;
    return good && status ? args_fail(command, status, &err) : args_flush(command, stdout);
}

static int print_error_rate(const struct command *command, struct attend_aligner *aligner)
{
    struct attend_aer aer;
    struct attend_error err;
    const enum attend_status status = attend_aligner_judge(aligner, &aer, &err);
    if (status)
        return args_fail(command, status, &err);
    printf("AER %.2f%%  precision %.2f%%  recall %.2f%%  (%ld links)\n", 100 * aer.rate,
           100 * aer.precision, 100 * aer.recall, aer.links);
    return EXIT_DONE;
}

/* The reader of a model's frames; NULL: it reads text, or it cannot be loaded, which the library
 * will report. */
static const char *reader_of(const char *path)
{
    struct attend_model *model;
    if (!path || attend_model_load(&model, path, &(struct attend_error){0}))
        return NULL;
    const char *reader = attend_model_info(model).frames; /* a static text */
    attend_model_free(model);
    return reader;
}

int cmd_align(const struct command *command, const struct flags *flags, const char *const *operand,
              int count)
{
    (void)operand, (void)count;
    struct attend_aligner *aligner;
    struct attend_error err;
    struct attend_align_options options = flags->align;
    struct frame_modules modules = {0};
    const char *const models[] = {options.model ? options.model : options.reverse_model,
                                  options.reverse_model, NULL};
    const char *reader = reader_of(options.model);
    options.modules = reader ? frame_modules_load(&modules, reader) : NULL;
    const enum attend_status status = attend_aligner_open(&aligner, &options, &err);
    if (status)
        return args_fail_models(command, flags, models, status, &err);
    const int code =
        flags->align.gold ? print_error_rate(command, aligner) : print_links(command, aligner);
    attend_aligner_close(aligner);
    return code;
}
