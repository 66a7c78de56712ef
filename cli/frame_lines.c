#include "frame_lines.h"

/* The text file whose lines a command reads; NULL: none. */
static const char *file_of(const struct flags *flags)
{
    const char *const file[] = {flags->input,    flags->src,           flags->eval.test,
                                flags->eval.src, flags->distill.train, flags->distill.train_src};
    for (size_t i = 0; i < sizeof file / sizeof *file; i++)
        if (file[i])
            return file[i];
    return NULL;
}

enum attend_status frame_lines_open(struct frame_modules *modules,
                                    struct attend_translator *translator,
                                    const struct attend_model *model, const struct flags *flags,
                                    struct attend_error *err)
{
    const char *reader = attend_model_info(model).frames;
    return reader ? attend_translator_files(translator, file_of(flags),
                                            frame_modules_load(modules, reader), err)
                  : ATTEND_OK;
}
