/* The shortest way from a model file to a translation. */
#include "attend/translate.h"

#include "api/translation.h"
#include "base/error.h"

#include <string.h>

enum attend_status attend_translator_open(struct attend_translator **out, const char *path,
                                          const struct attend_translator_options *options,
                                          struct attend_error *err)
{
    struct attend_model *model = NULL;
    struct attend_translator *translator = NULL;
    enum attend_status status = attend_model_load(&model, path, err);
    if (!status)
        status = attend_translator_new(&translator, (const struct attend_model *const[]){model}, 1,
                                       options, err);
    if (status) {
        attend_model_free(model);
        return status;
    }
    translator->own = model;
    *out = translator;
    return ATTEND_OK;
}

char *attend_translate_line(struct attend_translator *translator, const char *line,
                            struct attend_error *err)
{
    struct attend_translation translation;
    if (attend_translate(translator, &line, 1, &translation, err))
        return NULL;
    char *text = strdup(translation.text);
    attend_translation_release(&translation);
    if (!text)
        error_set(err, ATTEND_NO_MEMORY, "out of memory for a translation");
    return text;
}
