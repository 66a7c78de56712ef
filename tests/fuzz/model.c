/* Model files: a model that loads is described, its settings are read, and it translates a line.
 *
 * Aimed at: src/model/file.c src/model/model.c src/model/text_side.c src/model/weights.c
 *   src/model/config.c src/base/option_json.c */
#include "fuzz.h"

#include "attend/model.h"
#include "attend/translate.h"
#include "model_mutate.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Models of this size translate a sentence within a millisecond. */
enum { PARAMETERS_MAX = 20000 };

size_t LLVMFuzzerCustomMutator(uint8_t *data, size_t size, size_t max_size, unsigned int seed)
{
    enum { RAW = 8 }; /* one in this many mutations ignores the container */
    const size_t length = seed % RAW ? model_mutate(data, size, max_size, seed / RAW) : 0;
    return length ? length : LLVMFuzzerMutate(data, size, max_size);
}

static struct attend_translator_options options(void)
{
    struct attend_translator_options o = attend_translator_defaults();
    o.threads = 1;
    o.max_length = 1;
    o.beam = 2;
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
    float sum = 0; /* read all parameters */
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
    struct attend_error err = {.message = ""};
    const struct attend_translator_options wanted = options();
    enum attend_status status = attend_translator_new(&t, &model, 1, &wanted, &err);
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
    struct attend_error err = {.message = ""};
    const enum attend_status status = attend_model_load(&model, fuzz_file(0, data, size), &err);
    fuzz_check_error(status, &err);
    if (status)
        return 0;
    char *text = attend_model_describe(model);
    fuzz_check_text(text, true);
    char *config = attend_model_config(model, &err);
    int examples;
    const char *const *line = attend_model_examples(model, &examples);
    FUZZ_CHECK(examples <= 100 && !line == !examples);
    for (int i = 0; i < examples; i++)
        fuzz_check_text(line[i], false);
    if (attend_model_info(model).parameters <= PARAMETERS_MAX)
        translate(model);
    attend_text_free(text);
    attend_text_free(config);
    attend_model_free(model);
    return 0;
}
