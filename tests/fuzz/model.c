/* Model files: what loads is described, asked for its settings, and translates a line.
 *
 * Aimed at: src/model/file.c src/model/model.c src/model/model_side.c src/model/weights.c
 *   src/model/config.c src/base/option_json.c */
#include "fuzz.h"

#include "attend/model.h"
#include "attend/translate.h"
#include "model_mutate.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Sentences of these models take a millisecond at most. */
enum { PARAMETERS_MAX = 20000 };

size_t LLVMFuzzerCustomMutator(uint8_t *data, size_t size, size_t max_size, unsigned int seed)
{
    enum { RAW = 8 }; /* one of so many goes without regard for the container */
    const size_t length = seed % RAW ? model_mutate(data, size, max_size, seed / RAW) : 0;
    return length ? length : LLVMFuzzerMutate(data, size, max_size);
}

static const struct attend_options *options(void)
{
    static const char *const settings[][2] = {{"threads", "1"}, {"max-length", "1"}, {"beam", "2"}};
    static struct attend_options *o;
    struct attend_error err;
    if (o)
        return o;
    FUZZ_CHECK(!attend_options_new(&o, "translate", &err));
    for (size_t i = 0; i < sizeof settings / sizeof *settings; i++)
        FUZZ_CHECK(!attend_options_set(o, settings[i][0], settings[i][1], &err));
    return o;
}

static void check_translation(const struct attend_translation *t)
{
    fuzz_check_text(t->text, false);
    FUZZ_CHECK(t->source_count >= 0 && t->target_count >= 0);
    for (int i = 0; i < t->source_count; i++)
        fuzz_check_text(t->source[i], false);
    for (int i = 0; i < t->target_count; i++)
        fuzz_check_text(t->target[i], false);
    float sum = 0; /* reads them all */
    for (int i = 0; t->attention && i < t->source_count * t->target_count; i++)
        sum += t->attention[i];
    FUZZ_CHECK(isfinite(sum) || !isfinite(sum));
    char *json = attend_translation_json(t);
    FUZZ_CHECK(json);
    fuzz_check_json(json, strlen(json));
    attend_text_free(json);
}

static void translate(const struct attend_model *model)
{
    static const char *const lines[] = {"a b the", "c"};
    struct attend_translator *t = NULL;
    struct attend_translation out[2];
    struct attend_error err = {""};
    enum attend_status status = attend_translator_new(&t, &model, 1, options(), &err);
    fuzz_check_error(status, &err);
    if (status)
        return;
    status = attend_translate(t, lines, 2, out, &err);
    fuzz_check_error(status, &err);
    for (int i = 0; !status && i < 2; i++) {
        check_translation(&out[i]);
        attend_translation_release(&out[i]);
    }
    attend_translator_free(t);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct attend_model *model = NULL;
    struct attend_error err = {""};
    const enum attend_status status = attend_model_load(&model, fuzz_file(0, data, size), &err);
    fuzz_check_error(status, &err);
    if (status)
        return 0;
    char *text = attend_model_describe(model);
    fuzz_check_text(text, true);
    char *config = attend_model_config(model, &err);
    if (attend_model_info(model).parameters <= PARAMETERS_MAX)
        translate(model);
    attend_text_free(text);
    attend_text_free(config);
    attend_model_free(model);
    return 0;
}
