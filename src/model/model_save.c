#include "model/model.h"

#include "base/bug.h"
#include "base/error.h"
#include "base/json_writer.h"
#include "base/option_json.h"
#include "base/strbuf.h"
#include "frames/source.h"
#include "model/file.h"
#include "model/model_parts.h"
#include "model/weights.h"
#include "text/detect.h"
#include "text/languages.h"
#include "text/shortlist.h"
#include "text/tokenizer.h"
#include "text/vocab.h"

#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>

/* A source of frames has no vocabulary; that of others has the size that the file says. */
#define SIZE_ROW(field, least)                                                                     \
    {                                                                                              \
        .name = #field, .kind = ATTEND_SETTING_INT,                                                \
        .offset = offsetof(struct attend_network_options, field), .min = (least),                  \
        .max = VOCAB_MAX_SIZE                                                                      \
    }
const struct attend_setting model_size_rows[] = {
    SIZE_ROW(source_vocab, 0),
    SIZE_ROW(target_vocab, 0),
    {.name = "source_width",
     .kind = ATTEND_SETTING_INT,
     .offset = offsetof(struct attend_network_options, source_width),
     .max = CONFIG_FRAME_WIDTH,
     .absent = "0"},
    {.name = "target_width",
     .kind = ATTEND_SETTING_INT,
     .offset = offsetof(struct attend_network_options, target_width),
     .max = BATCH_STROKE,
     .absent = "0"},
    {0}};

static struct attend_choice form_choice(int i)
{
    return (struct attend_choice){.name = utf8_forms[i]};
}
#define FORM_ROW(flag, field)                                                                      \
    {                                                                                              \
        .name = flag, .kind = ATTEND_SETTING_CHOICE, .offset = offsetof(struct reading, field),    \
        .fallback = "none", .choices = form_choice                                                 \
    }
#define FEATURES_ROW(flag, field)                                                                  \
    {                                                                                              \
        .name = flag, .kind = ATTEND_SETTING_FLAG, .offset = offsetof(struct reading, field)       \
    }
static struct attend_choice case_choice(int i)
{
    return (struct attend_choice){.name = letter_case_name(i)};
}
/* Files that keep the case do not say so, like all files before this setting. */
#define CASE_ROW(flag, field)                                                                      \
    {                                                                                              \
        .name = flag, .kind = ATTEND_SETTING_CHOICE, .offset = offsetof(struct reading, field),    \
        .fallback = "keep", .choices = case_choice, .absent = "keep"                               \
    }
const struct attend_setting model_reading_rows[] = {
    FORM_ROW("source-normalize", source_form),
    FORM_ROW("target-normalize", target_form),
    FEATURES_ROW("source-features", source_features),
    FEATURES_ROW("target-features", target_features),
    CASE_ROW("source-case", source_case),
    CASE_ROW("target-case", target_case),
    {0},
};

const struct side_names model_source_names = {"source_tokenizer", "tokenizer.source",
                                              "vocab.source",     "source_language",
                                              "language.source",  "source_frames"};
const struct side_names model_target_names = {"target_tokenizer", "tokenizer.target",
                                              "vocab.target",     "target_language",
                                              "language.target",  "target_frames"};
enum { SIDE_TENSORS = 3, SIDE_TEXTS = 2 };

static void add_config(struct strbuf *s, const struct attend_network_options *config,
                       const struct tokenizer *source, const struct tokenizer *target)
{
    static const struct tokenizer none = {.form = UTF8_NONE}; /* of frames */
    source = source ? source : &none;
    target = target ? target : &none;
    const struct reading reading = {.source_form = utf8_forms[source->form],
                                    .target_form = utf8_forms[target->form],
                                    .source_features = source->features,
                                    .target_features = target->features,
                                    .source_case = letter_cases[source->letter_case],
                                    .target_case = letter_cases[target->letter_case]};
    struct json_writer w = {.out = s};
    json_begin_object(&w, NULL);
    option_json_put(&w, model_size_rows, config);
    option_json_put(&w, network_rows, config);
    option_json_put(&w, model_reading_rows, &reading);
    json_end(&w);
}

static struct file_tensor byte_tensor(const char *name, const void *bytes, size_t length)
{
    return (struct file_tensor){
        .name = name, .dtype = FILE_U8, .rows = 1, .cols = length, .bytes = bytes};
}

/* The tensors of one side; returns how many. */
static int side_tensors(struct file_tensor *out, const struct text_side *side,
                        const struct side_names *names, const struct strbuf *vocab)
{
    int count = 0;
    const void *state;
    size_t length;
    if (side->frames)
        return 0;
    out[count++] = byte_tensor(names->vocab, vocab->text, vocab->length);
    if (tokenizer_state(side->tokenizer, &state, &length))
        out[count++] = byte_tensor(names->state, state, length);
    if (side->detect)
        out[count++] = byte_tensor(names->detect, side->detect, sizeof *side->detect);
    return count;
}

/* The texts of one side; returns how many. `frames` is its source of frames as text. */
static int side_texts(struct file_text *out, const struct text_side *side,
                      const struct side_names *names, const char *frames)
{
    int count = 0;
    out[count++] = frames ? (struct file_text){names->frames, frames}
                          : (struct file_text){names->tokenizer, side->tokenizer->ops->name};
    if (side->language)
        out[count++] = (struct file_text){names->language, side->language};
    return count;
}

/* The languages as text and their letters as bytes; nothing if there is one pair. */
static void add_languages(struct strbuf *text, struct strbuf *letters, const struct languages *l)
{
    if (l)
        languages_write(l, text);
    for (int i = 0; l && i < l->count; i++)
        strbuf_add(letters, (const char *)l->item[i].detect, sizeof *l->item[i].detect);
}

/* The content of a file and what it points to. */
struct saving {
    struct strbuf config, source_vocab, target_vocab, codes, letters;
    struct weights_names names;
    char *frames[2]; /* the source of frames of each side as text; or NULL */
    char longest[16];
    struct file_tensor tensor[MODEL_EXTRA_TENSORS + WEIGHTS_TENSORS + 2 * SIDE_TENSORS + 2];
    struct file_text text[MODEL_EXTRA_TEXTS + 2 * SIDE_TEXTS + 4];
    int tensors, texts;
};

static void add_tensors(struct saving *s, const struct seq2seq *net, const struct text_side *source,
                        const struct text_side *target, const struct model_extra *extra)
{
    for (int i = 0; extra && i < extra->tensors; i++)
        s->tensor[s->tensors++] = extra->tensor[i];
    s->tensors += weights_tensors(s->tensor + s->tensors, &s->names, &net->params);
    s->tensors +=
        side_tensors(s->tensor + s->tensors, source, &model_source_names, &s->source_vocab);
    s->tensors +=
        side_tensors(s->tensor + s->tensors, target, &model_target_names, &s->target_vocab);
    if (s->letters.length)
        s->tensor[s->tensors++] = byte_tensor(MODEL_LETTERS, s->letters.text, s->letters.length);
    if (extra && extra->shortlist)
        s->tensor[s->tensors++] =
            byte_tensor(MODEL_SHORTLIST, extra->shortlist->bytes, extra->shortlist->length);
}

static void add_texts(struct saving *s, const struct seq2seq *net, const struct text_side *source,
                      const struct text_side *target, const struct model_extra *extra)
{
    s->text[s->texts++] = (struct file_text){"config", s->config.text};
    if (s->codes.length)
        s->text[s->texts++] = (struct file_text){MODEL_LANGUAGES, s->codes.text};
    s->texts += side_texts(s->text + s->texts, source, &model_source_names, s->frames[0]);
    s->texts += side_texts(s->text + s->texts, target, &model_target_names, s->frames[1]);
    snprintf(s->longest, sizeof s->longest, "%d", source->longest);
    if (source->longest > 0)
        s->text[s->texts++] = (struct file_text){MODEL_LONGEST, s->longest};
    if (net->int8)
        s->text[s->texts++] = (struct file_text){WEIGHTS_TEXT, WEIGHTS_INT8};
    for (int i = 0; extra && i < extra->texts; i++)
        s->text[s->texts++] = extra->text[i];
}

/* What a side reads: its source of frames, or its vocabulary. */
static bool write_side(const struct text_side *side, char **frames, struct strbuf *vocab)
{
    if (side->frames) {
        *frames = frame_source_text(side->frames);
        return *frames;
    }
    vocab_write(side->vocab, vocab);
    return !vocab->failed;
}

static bool write_parts(struct saving *s, const struct seq2seq *net, const struct text_side *source,
                        const struct text_side *target)
{
    add_config(&s->config, &net->config, source->tokenizer, target->tokenizer);
    const bool good = write_side(source, &s->frames[0], &s->source_vocab) &&
                      write_side(target, &s->frames[1], &s->target_vocab);
    add_languages(&s->codes, &s->letters, source->languages);
    return good && !s->config.failed && !s->codes.failed && !s->letters.failed;
}

static bool is_as_large(const struct text_side *side, int width, int vocab)
{
    return side->frames ? frame_source_width(side->frames) == width
                        : vocab_size(side->vocab) == vocab;
}

enum attend_status model_save(const char *path, const struct seq2seq *net,
                              const struct text_side *source, const struct text_side *target,
                              const struct model_extra *extra, struct attend_error *err)
{
    const struct attend_network_options *c = &net->config;
    BUG_ON(!is_as_large(source, c->source_width, c->source_vocab) ||
           !is_as_large(target, c->target_width, c->target_vocab));
    struct saving s = {.tensors = 0};
    enum attend_status status = ATTEND_NO_MEMORY;
    if (write_parts(&s, net, source, target)) {
        add_tensors(&s, net, source, target, extra);
        add_texts(&s, net, source, target, extra);
        status = file_save(
            path,
            &(struct file_content){.text = s.text,
                                   .texts = s.texts,
                                   .tensor = s.tensor,
                                   .tensors = s.tensors,
                                   .version = s.frames[0] || s.frames[1] ? FILE_VERSION_FRAMES : 0},
            err);
    } else {
        error_set(err, status, "%s: out of memory", path);
    }
    strbuf_release(&s.config);
    strbuf_release(&s.source_vocab);
    strbuf_release(&s.target_vocab);
    strbuf_release(&s.codes);
    strbuf_release(&s.letters);
    free(s.frames[0]);
    free(s.frames[1]);
    return status;
}
