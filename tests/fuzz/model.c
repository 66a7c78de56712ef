/* Model files: a model that loads is described, its settings are read, and it does what its kind
 * can do: translate lines or frames, be forced, show how its encoder reads, or write.
 *
 * Aimed at: src/model/file.c src/model/model.c src/model/text_side.c src/model/weights.c
 *   src/model/config.c src/base/option_json.c src/text/shortlist.c src/frames/source_text.c */
#include "fuzz.h"

#include "attend/explain.h"
#include "attend/frames.h"
#include "attend/model.h"
#include "attend/translate.h"
#include "attend/write.h"
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

/* A translator that uses the model's lists of words if it has some; null if there can be none. */
static struct attend_translator *translator_of(const struct attend_model *model)
{
    struct attend_translator *t = NULL;
    struct attend_error err = {.message = ""};
    struct attend_translator_options o = options();
    for (o.shortlist = 1; !t && o.shortlist >= 0; o.shortlist--) {
        const enum attend_status status = attend_translator_new(&t, &model, 1, &o, &err);
        fuzz_check_error(status, &err);
        FUZZ_CHECK(!status == (t != NULL));
    }
    return t;
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

enum { LINES = 2 };
static const char *const sources[LINES] = {"a b the", "c"};
static const char *const targets[LINES] = {"x y", "a"};

static void check_translations(enum attend_status status, const struct attend_error *err,
                               struct attend_translation *out)
{
    fuzz_check_error(status, err);
    for (int i = 0; !status && i < LINES; i++) {
        check_translation(&out[i]);
        attend_translation_release(&out[i]);
    }
}

/* Frames as wide as the model reads them; false if it reads none, or very wide ones. */
static bool make_frames(const struct attend_model *model, struct attend_frames *frames)
{
    enum { ROWS = 5, WIDTH_MAX = 64 };
    static const float values[ROWS * WIDTH_MAX] = {1, -2, 3.5f, 0, 1e30f, -1e30f, 1e-30f};
    struct attend_network_options network = {.size = sizeof network};
    attend_model_network(model, &network);
    if (network.source_width < 1 || network.source_width > WIDTH_MAX)
        return false;
    for (int i = 0; i < LINES; i++)
        frames[i] = (struct attend_frames){ROWS - i, network.source_width, values};
    return true;
}

static void translate_frames(const struct attend_model *model, struct attend_translator *t)
{
    struct attend_frames frames[LINES];
    struct attend_translation out[LINES];
    struct attend_error err = {.message = ""};
    if (!make_frames(model, frames))
        return;
    enum attend_status status = attend_translate_frames(t, frames, LINES, out, &err);
    check_translations(status, &err, out);
    status = attend_force_frames(t, frames, targets, LINES, out, &err);
    check_translations(status, &err, out);
}

static void translate_lines(struct attend_translator *t)
{
    struct attend_translation out[LINES];
    struct attend_error err = {.message = ""};
    enum attend_status status = attend_translate(t, sources, LINES, out, &err);
    check_translations(status, &err, out);
    status = attend_force(t, sources, targets, LINES, out, &err);
    check_translations(status, &err, out);
}

/* Only a transformer encoder has an answer; each of its rows is a distribution. */
static void read_encoder(const struct attend_model *model, struct attend_translator *t)
{
    struct attend_frames frames[LINES];
    struct attend_self_attention *self = NULL;
    struct attend_error err = {.message = ""};
    const struct attend_self_attention_job job = {
        .source = sources[0],
        .frames = make_frames(model, frames) ? &frames[0] : NULL,
    };
    const enum attend_status status = attend_self_attention_new(&self, t, &job, &err);
    fuzz_check_error(status, &err);
    FUZZ_CHECK(!status == (self != NULL));
    if (!self)
        return;
    char *json = attend_self_attention_json(self);
    FUZZ_CHECK(json);
    fuzz_check_json(json, strlen(json));
    attend_text_free(json);
    attend_self_attention_free(self);
}

static void translate(const struct attend_model *model)
{
    struct attend_translator *t = translator_of(model);
    if (!t)
        return;
    if (attend_model_info(model).frames)
        translate_frames(model, t);
    else
        translate_lines(t);
    read_encoder(model, t);
    attend_translator_free(t);
}

static void write(const struct attend_model *model)
{
    struct attend_writer_options o = attend_writer_defaults();
    struct attend_writing out[LINES];
    struct attend_error err = {.message = ""};
    o.max_length = 0.1;
    o.bias = 1;
    const enum attend_status status = attend_write(model, sources, LINES, &o, NULL, out, &err);
    fuzz_check_error(status, &err);
    for (int i = 0; !status && i < LINES; i++) {
        FUZZ_CHECK(out[i].count >= 0 && out[i].source_count >= 0);
        attend_writing_release(&out[i]);
    }
}

static void use(const struct attend_model *model)
{
    if (attend_model_writes(model))
        write(model);
    else
        translate(model);
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
        use(model);
    attend_text_free(text);
    attend_text_free(config);
    attend_model_free(model);
    return 0;
}
