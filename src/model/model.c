#include "model/model.h"

#include "base/bug.h"
#include "base/error.h"
#include "base/option_json.h"
#include "base/strbuf.h"
#include "model/file.h"
#include "model/weights.h"
#include "text/detect.h"
#include "text/tokenizer.h"
#include "text/vocab.h"

#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* What a file's config records beside the settings a user chooses. */
#define SIZE_ROW(field)                                                                            \
    {                                                                                              \
        .name = #field, .kind = OPTION_INT, .offset = offsetof(struct model_config, field),        \
        .min = VOCAB_SPECIALS, .max = VOCAB_MAX_SIZE                                               \
    }
static const struct option_row size_rows[] = {SIZE_ROW(source_vocab), SIZE_ROW(target_vocab), {0}};

/* How lines are read before their tokenizer splits them. */
struct reading {
    char *source_form, *target_form;
    bool source_features, target_features;
};
static const char *form_name(int i) { return utf8_forms[i]; }
#define FORM_ROW(flag, field)                                                                      \
    {                                                                                              \
        .name = flag, .kind = OPTION_CHOICE, .offset = offsetof(struct reading, field),            \
        .fallback = "none", .choices = form_name                                                   \
    }
#define FEATURES_ROW(flag, field)                                                                  \
    {                                                                                              \
        .name = flag, .kind = OPTION_FLAG, .offset = offsetof(struct reading, field)               \
    }
static const struct option_row reading_rows[] = {
    FORM_ROW("source-normalize", source_form),
    FORM_ROW("target-normalize", target_form),
    FEATURES_ROW("source-features", source_features),
    FEATURES_ROW("target-features", target_features),
    {0},
};

/* The names of a side's parts in the file. */
static const struct side_names {
    const char *tokenizer, *state, *vocab, *language, *detect;
} source_names = {"source_tokenizer", "tokenizer.source", "vocab.source", "source_language",
                  "language.source"},
  target_names = {"target_tokenizer", "tokenizer.target", "vocab.target", "target_language",
                  "language.target"};
enum { SIDE_TENSORS = 3, SIDE_TEXTS = 2 };

/* ---- Saving ---- */

/* A name as option_print reads it: from a field that could be written to. */
static char *name_of(const struct tokenizer *t, char *room, size_t size)
{
    snprintf(room, size, "%s", utf8_forms[t->form]);
    return room;
}

static void add_config(struct strbuf *s, const struct model_config *config,
                       const struct tokenizer *source, const struct tokenizer *target)
{
    char forms[2][16];
    const struct reading reading = {.source_form = name_of(source, forms[0], sizeof forms[0]),
                                    .target_form = name_of(target, forms[1], sizeof forms[1]),
                                    .source_features = source->features,
                                    .target_features = target->features};
    strbuf_addc(s, '{');
    option_json_add(s, size_rows, config);
    option_json_add(s, model_config_rows, config);
    option_json_add(s, reading_rows, &reading);
    strbuf_addc(s, '}');
}

static struct file_tensor byte_tensor(const char *name, const void *bytes, size_t length)
{
    return (struct file_tensor){
        .name = name, .dtype = FILE_U8, .rows = 1, .cols = length, .bytes = bytes};
}

/* The tensors of one side; returns how many. */
static int side_tensors(struct file_tensor *out, const struct model_side *side,
                        const struct side_names *names, const struct strbuf *vocab)
{
    int count = 0;
    const void *state;
    size_t length;
    out[count++] = byte_tensor(names->vocab, vocab->text, vocab->length);
    if (tokenizer_state(side->tokenizer, &state, &length))
        out[count++] = byte_tensor(names->state, state, length);
    if (side->detect)
        out[count++] = byte_tensor(names->detect, side->detect, sizeof *side->detect);
    return count;
}

/* The texts of one side; returns how many. */
static int side_texts(struct file_text *out, const struct model_side *side,
                      const struct side_names *names)
{
    int count = 0;
    out[count++] = (struct file_text){names->tokenizer, side->tokenizer->ops->name};
    if (side->language)
        out[count++] = (struct file_text){names->language, side->language};
    return count;
}

enum attend_status model_save(const char *path, const struct seq2seq *net,
                              const struct model_side *source, const struct model_side *target,
                              struct attend_error *err)
{
    return model_save_with(path, net, source, target, &(struct model_extra){0}, err);
}

enum attend_status model_save_with(const char *path, const struct seq2seq *net,
                                   const struct model_side *source, const struct model_side *target,
                                   const struct model_extra *extra, struct attend_error *err)
{
    BUG_ON(vocab_size(source->vocab) != net->config.source_vocab ||
           vocab_size(target->vocab) != net->config.target_vocab);
    struct strbuf config = {0}, source_vocab = {0}, target_vocab = {0};
    struct file_tensor tensor[MODEL_EXTRA_TENSORS + WEIGHTS_TENSORS + 2 * SIDE_TENSORS];
    struct weights_names names;
    struct file_text text[MODEL_EXTRA_TEXTS + 2 * SIDE_TEXTS + 2];
    int tensors = 0, texts = 0;
    add_config(&config, &net->config, source->tokenizer, target->tokenizer);
    vocab_write(source->vocab, &source_vocab);
    vocab_write(target->vocab, &target_vocab);
    enum attend_status status = ATTEND_OK;
    if (config.failed || source_vocab.failed || target_vocab.failed) {
        status = error_set(err, ATTEND_NO_MEMORY, "%s: out of memory", path);
        goto done;
    }
    for (int i = 0; i < extra->tensors; i++)
        tensor[tensors++] = extra->tensor[i];
    tensors += weights_tensors(tensor + tensors, &names, &net->params);
    tensors += side_tensors(tensor + tensors, source, &source_names, &source_vocab);
    tensors += side_tensors(tensor + tensors, target, &target_names, &target_vocab);
    text[texts++] = (struct file_text){"config", config.text};
    texts += side_texts(text + texts, source, &source_names);
    texts += side_texts(text + texts, target, &target_names);
    if (net->int8)
        text[texts++] = (struct file_text){WEIGHTS_TEXT, WEIGHTS_INT8};
    for (int i = 0; i < extra->texts; i++)
        text[texts++] = extra->text[i];
    status = file_save(
        path,
        &(struct file_content){.text = text, .texts = texts, .tensor = tensor, .tensors = tensors},
        err);
done:
    strbuf_release(&config);
    strbuf_release(&source_vocab);
    strbuf_release(&target_vocab);
    return status;
}

/* ---- Loading ---- */

/* What a load works on. */
struct loading {
    const char *path;
    struct file *file;
    struct model *model;
    struct reading reading;
    bool int8; /* its matrices */
    bool copy; /* into memory */
};

/* Choices that do not go together cannot have been trained. */
static enum attend_status check_config(const struct loading *l, struct attend_error *err)
{
    struct attend_error why;
    if (model_config_check(&l->model->net.config, &why) == ATTEND_OK)
        return ATTEND_OK;
    return error_set(err, ATTEND_FORMAT, "%s: its config is wrong: %s", l->path, why.message);
}

/* Settings that the file does not know are newer than it and get their default. */
static enum attend_status load_config(struct loading *l, struct attend_error *err)
{
    struct option_set set = {0};
    struct file_text text = {.name = "config"};
    char name[sizeof err->message];
    enum attend_status status = option_add(&set, NULL, size_rows, &l->model->net.config, err);
    if (!status)
        status = option_add(&set, NULL, model_config_rows, &l->model->net.config, err);
    if (!status)
        status = option_add(&set, NULL, reading_rows, &l->reading, err);
    if (!status)
        status = file_find_text(l->file, &text, err);
    snprintf(name, sizeof name, "%s: its config", l->path);
    if (!status)
        status = option_json_read(&set, text.text, name, err);
    model_config_complete(&l->model->net.config);
    if (!status)
        status = check_config(l, err);
    return status;
}

static enum attend_status load_vocab(struct loading *l, struct vocab **out, const char *tensor,
                                     int size, struct attend_error *err)
{
    char name[sizeof err->message];
    snprintf(name, sizeof name, "%s: %s", l->path, tensor);
    struct file_tensor t = {.name = tensor, .dtype = FILE_U8, .rows = 1};
    enum attend_status status = file_find_tensor(l->file, &t, err);
    if (!status)
        status = vocab_parse(out, t.bytes, t.cols, name, err);
    if (!status && vocab_size(*out) != size)
        status = error_set(err, ATTEND_FORMAT, "%s has %d pieces, the config says %d", name,
                           vocab_size(*out), size);
    return status;
}

/* The tokenizer, with its state if its row has one. */
static enum attend_status load_tokenizer(struct loading *l, struct tokenizer **out,
                                         const struct side_names *names,
                                         const struct tokenizer_settings *settings,
                                         struct attend_error *err)
{
    struct file_text name = {.name = names->tokenizer};
    struct file_tensor state = {.name = names->state, .dtype = FILE_U8, .rows = 1};
    struct attend_error why = {""};
    enum attend_status status = file_find_text(l->file, &name, err);
    if (status)
        return status;
    const struct tokenizer_ops *ops = tokenizer_find(name.text);
    if (!ops)
        return error_set(err, ATTEND_FORMAT,
                         "%s: its %s is %.64s, which this program does not have; use a newer "
                         "attend",
                         l->path, names->tokenizer, name.text);
    if (ops->load)
        status = file_find_tensor(l->file, &state, err);
    if (status)
        return status;
    status = tokenizer_load(out, name.text, settings, state.bytes, state.cols, &why);
    return status ? error_set(err, status, "%s: its %s: %s", l->path, names->state, why.message)
                  : ATTEND_OK;
}

/* How text of a side that nobody looked at in training may look: as the pieces of its vocabulary.
 */
static enum attend_status guess_detect(struct model_side *side, struct attend_error *err)
{
    struct detect_counts *counts = calloc(1, sizeof *counts);
    side->detect = malloc(sizeof *side->detect);
    bool good = counts && side->detect;
    for (int i = VOCAB_SPECIALS; good && i < vocab_size(side->vocab); i++)
        good = detect_count(counts, vocab_piece(side->vocab, i));
    if (good)
        detect_make(side->detect, counts);
    free(counts);
    return good ? ATTEND_OK : error_set(err, ATTEND_NO_MEMORY, "out of memory for a language");
}

static enum attend_status load_language(struct loading *l, struct model_side *side,
                                        const struct side_names *names, struct attend_error *err)
{
    struct file_text code = {.name = names->language};
    struct file_tensor t = {.name = names->detect, .dtype = FILE_U8, .rows = 1};
    const bool known = file_find_text(l->file, &code, NULL) == ATTEND_OK;
    if (known && !model_language_valid(code.text))
        return error_set(err, ATTEND_FORMAT, "%s: is damaged: its %s is no code of a language",
                         l->path, names->language);
    enum attend_status status = model_side_name(side, known ? code.text : NULL, err);
    if (status)
        return status;
    if (file_find_tensor(l->file, &t, NULL))
        return known ? guess_detect(side, err) : ATTEND_OK;
    if (t.cols != sizeof *side->detect)
        return error_set(err, ATTEND_FORMAT, "%s: is damaged: its %s has %zu bytes, not %zu",
                         l->path, names->detect, t.cols, sizeof *side->detect);
    return model_side_detect(side, t.bytes, err);
}

static enum attend_status load_sides(struct loading *l, struct attend_error *err)
{
    struct model *m = l->model;
    const struct reading *r = &l->reading;
    enum attend_status status = load_tokenizer(
        l, &m->source.tokenizer, &source_names,
        &(struct tokenizer_settings){.form = r->source_form, .features = r->source_features}, err);
    if (!status)
        status =
            load_vocab(l, &m->source.vocab, source_names.vocab, m->net.config.source_vocab, err);
    if (!status)
        status = load_tokenizer(
            l, &m->target.tokenizer, &target_names,
            &(struct tokenizer_settings){.form = r->target_form, .features = r->target_features},
            err);
    if (!status)
        status =
            load_vocab(l, &m->target.vocab, target_names.vocab, m->net.config.target_vocab, err);
    if (!status)
        status = load_language(l, &m->source, &source_names, err);
    if (!status)
        status = load_language(l, &m->target, &target_names, err);
    return status;
}

static enum attend_status load_kind(struct loading *l, struct attend_error *err)
{
    struct file_text text = {.name = WEIGHTS_TEXT};
    if (file_find_text(l->file, &text, NULL))
        return ATTEND_OK;
    l->int8 = strcmp(text.text, WEIGHTS_INT8) == 0;
    return l->int8 ? ATTEND_OK
                   : error_set(err, ATTEND_FORMAT,
                               "%s: its weights are %.64s, which this program does not have; use a "
                               "newer attend",
                               l->path, text.text);
}

/* The parameters are only declared at first and sought in the file, so that a config which the file
 * does not live up to cannot make us take memory for it. */
static enum attend_status load_net(struct loading *l, struct attend_error *err)
{
    struct seq2seq *net = &l->model->net;
    const struct model_config config = net->config;
    encoder_declare(&net->encoder, &net->params, &config);
    decoder_declare(&net->decoder, &net->params, &config, &net->encoder.embedding);
    enum attend_status status = weights_bind(&net->params, l->file, l->int8, err);
    if (!status)
        status = file_check_all_found(l->file, MODEL_EXTRA_PREFIX, err);
    if (!status)
        status = seq2seq_init(net, &config, l->int8 ? PACKING_INT8 : PACKING_RUN, err);
    if (!status)
        status = weights_bind(&net->params, l->file, l->int8, err);
    if (!status)
        status = weights_check(&net->params, l->path, err);
    if (status)
        return status;
    struct worker alone = worker_alone();
    struct compute compute = {.worker = &alone}; /* packing copies and multiplies nothing */
    seq2seq_pack(net, &compute);
    return ATTEND_OK;
}

static enum attend_status load_settings(struct loading *l, struct attend_error *err)
{
    struct file_text text = {.name = "settings"};
    if (file_find_text(l->file, &text, NULL))
        return ATTEND_OK;
    l->model->settings = strdup(text.text);
    return l->model->settings ? ATTEND_OK
                              : error_set(err, ATTEND_NO_MEMORY, "%s: out of memory", l->path);
}

static enum attend_status load(struct loading *l, struct attend_error *err)
{
    struct model *m = l->model;
    enum attend_status status = (l->copy ? io_map_copy : io_map)(&m->map, l->path, err);
    if (!status)
        status = file_open(&l->file, &m->map, l->path, err);
    if (!status)
        status = load_config(l, err);
    if (!status)
        status = load_sides(l, err);
    if (!status)
        status = load_kind(l, err);
    if (!status)
        status = load_net(l, err);
    if (!status && m->net.decoder.copy.used)
        status = model_side_copies(&m->copies, &m->source, &m->target, err);
    m->net.decoder.copy.target_of = m->copies;
    if (!status)
        status = load_settings(l, err);
    file_close(l->file);
    free(l->reading.source_form);
    free(l->reading.target_form);
    return status;
}

static enum attend_status load_new(struct model **out, const char *path, bool copy,
                                   struct attend_error *err)
{
    struct model *m = calloc(1, sizeof *m);
    if (!m)
        return error_set(err, ATTEND_NO_MEMORY, "%s: out of memory", path);
    const enum attend_status status =
        load(&(struct loading){.path = path, .model = m, .copy = copy}, err);
    if (status == ATTEND_OK) {
        *out = m;
        return ATTEND_OK;
    }
    model_free(m);
    return status;
}

enum attend_status model_load(struct model **out, const char *path, struct attend_error *err)
{
    return load_new(out, path, false, err);
}

enum attend_status model_load_copy(struct model **out, const char *path, struct attend_error *err)
{
    return load_new(out, path, true, err);
}

enum attend_status model_load_floats(struct model **out, const char *path, struct attend_error *err)
{
    struct model *m;
    const enum attend_status status = model_load(&m, path, err);
    if (status)
        return status;
    if (m->net.int8) {
        model_free(m);
        return error_set(err, ATTEND_FORMAT,
                         "%s: its weights are int8, which can only run; take the model that it was "
                         "converted from",
                         path);
    }
    *out = m;
    return ATTEND_OK;
}

void model_free(struct model *m)
{
    if (!m)
        return;
    struct option_set texts = {.group = {{.rows = model_config_rows, .base = &m->net.config}},
                               .count = 1};
    option_release(&texts);
    seq2seq_release(&m->net);
    model_side_release(&m->source);
    model_side_release(&m->target);
    io_unmap(&m->map);
    free(m->values);
    free(m->copies);
    free(m->settings);
    free(m);
}
