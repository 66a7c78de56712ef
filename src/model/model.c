#include "model/model.h"

#include "base/bug.h"
#include "base/error.h"
#include "base/json_writer.h"
#include "base/option_json.h"
#include "base/strbuf.h"
#include "frames/source.h"
#include "frames/strokes.h"
#include "model/file.h"
#include "model/model_parts.h"
#include "model/weights.h"
#include "text/detect.h"
#include "text/languages.h"
#include "text/sequences.h"
#include "text/shortlist.h"
#include "text/tokenizer.h"
#include "text/vocab.h"

#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- Loading ---- */

/* The state of a load. */
struct loading {
    const char *path;
    struct file *file;
    struct model *model;
    struct reading reading;
    bool int8; /* the matrices are int8 */
    bool copy; /* copy the file into memory */
};

/* A model with choices that cannot be combined cannot have been trained. */
static enum attend_status check_config(const struct loading *l, struct attend_error *err)
{
    const struct attend_network_options *c = &l->model->net.config;
    struct attend_error why;
    if (c->source_vocab && c->source_vocab < VOCAB_SPECIALS)
        return error_set(err, ATTEND_FORMAT,
                         "%s: its config is wrong: `source_vocab` takes %d or more, not %d",
                         l->path, VOCAB_SPECIALS, c->source_vocab);
    if (model_config_check(c, &why) == ATTEND_OK)
        return ATTEND_OK;
    return error_set(err, ATTEND_FORMAT, "%s: its config is wrong: %s", l->path, why.message);
}

/* Settings that the file lacks are newer than it and take their default. */
static enum attend_status load_config(struct loading *l, struct attend_error *err)
{
    struct attend_settings set = {0};
    struct file_text text = {.name = "config"};
    char name[sizeof err->message];
    option_add(&set, NULL, model_size_rows, &l->model->net.config);
    option_add(&set, NULL, network_rows, &l->model->net.config);
    option_add(&set, NULL, model_reading_rows, &l->reading);
    enum attend_status status = file_find_text(l->file, &text, err);
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
        status = error_set(err, ATTEND_FORMAT, "%s has %d pieces, but the config says %d", name,
                           vocab_size(*out), size);
    return status;
}

/* Load the tokenizer, with its state if it has one. */
static enum attend_status load_tokenizer(struct loading *l, struct tokenizer **out,
                                         const struct side_names *names,
                                         const struct tokenizer_settings *settings,
                                         struct attend_error *err)
{
    struct file_text name = {.name = names->tokenizer};
    struct file_tensor state = {.name = names->state, .dtype = FILE_U8, .rows = 1};
    struct attend_error why = {.message = ""};
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

/* If training recorded no character statistics for a side, estimate them from its vocabulary. */
static enum attend_status guess_detect(struct text_side *side, struct attend_error *err)
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

static enum attend_status load_language(struct loading *l, struct text_side *side,
                                        const struct side_names *names, struct attend_error *err)
{
    struct file_text code = {.name = names->language};
    struct file_tensor t = {.name = names->detect, .dtype = FILE_U8, .rows = 1};
    const bool known = file_find_text(l->file, &code, NULL) == ATTEND_OK;
    if (known && !text_language_valid(code.text))
        return error_set(err, ATTEND_FORMAT, "%s: is damaged: its %s is not a language code",
                         l->path, names->language);
    enum attend_status status = text_side_name(side, known ? code.text : NULL, err);
    if (status)
        return status;
    if (file_find_tensor(l->file, &t, NULL))
        return known ? guess_detect(side, err) : ATTEND_OK;
    if (t.cols != sizeof *side->detect)
        return error_set(err, ATTEND_FORMAT, "%s: is damaged: its %s has %zu bytes, not %zu",
                         l->path, names->detect, t.cols, sizeof *side->detect);
    return text_side_detect(side, t.bytes, err);
}

static enum attend_status load_letters(struct loading *l, struct languages *languages,
                                       struct attend_error *err)
{
    struct file_tensor t = {.name = MODEL_LETTERS, .dtype = FILE_U8, .rows = 1};
    enum attend_status status = file_find_tensor(l->file, &t, err);
    if (!status && t.cols != (size_t)languages->count * sizeof(struct detect))
        status = error_set(err, ATTEND_FORMAT, "%s: is damaged: its %s has %zu bytes", l->path,
                           MODEL_LETTERS, t.cols);
    for (int i = 0; i < languages->count && !status; i++) {
        struct language *language = &languages->item[i];
        language->detect = malloc(sizeof *language->detect);
        if (!language->detect)
            return error_set(err, ATTEND_NO_MEMORY, "out of memory for a language");
        memcpy(language->detect, (const char *)t.bytes + (size_t)i * sizeof(struct detect),
               sizeof(struct detect));
    }
    return status;
}

/* The languages of a model of several pairs. */
static enum attend_status load_languages(struct loading *l, struct attend_error *err)
{
    struct file_text text = {.name = MODEL_LANGUAGES};
    struct text_side *side = &l->model->source;
    struct attend_error why = {.message = ""};
    if (side->frames || file_find_text(l->file, &text, NULL))
        return ATTEND_OK;
    side->languages = calloc(1, sizeof *side->languages);
    if (!side->languages)
        return error_set(err, ATTEND_NO_MEMORY, "out of memory for languages");
    enum attend_status status = languages_parse(side->languages, text.text, l->path, err);
    if (!status && languages_bind(side->languages, side->vocab, &why))
        status = error_set(err, ATTEND_FORMAT, "%s: is damaged: %s", l->path, why.message);
    return status ? status : load_letters(l, side->languages, err);
}

/* Older models do not have it. */
static enum attend_status load_longest(struct loading *l, struct attend_error *err)
{
    struct file_text text = {.name = MODEL_LONGEST};
    char *end;
    if (file_find_text(l->file, &text, NULL))
        return ATTEND_OK;
    const long longest = strtol(text.text, &end, 10);
    if (end == text.text || *end || longest < 1 || longest > SEQUENCES_MAX_LENGTH)
        return error_set(err, ATTEND_FORMAT, "%s: is damaged: its %s is not a number of tokens",
                         l->path, MODEL_LONGEST);
    l->model->source.longest = (int)longest;
    return ATTEND_OK;
}

/* A side of frames; what the network reads or writes must be as wide. */
static enum attend_status load_frames(struct loading *l, struct text_side *side,
                                      const struct side_names *names, int width,
                                      struct attend_error *err)
{
    struct file_text text = {.name = names->frames};
    struct attend_error why = {.message = ""};
    enum attend_status status = file_find_text(l->file, &text, err);
    if (status)
        return status;
    status = frame_source_parse(&side->frames, text.text, strlen(text.text), &why);
    if (status)
        return error_set(err, status, "%s: is damaged: its %s: %s", l->path, names->frames,
                         why.message);
    const int own = frame_source_width(side->frames);
    return own == width
               ? ATTEND_OK
               : error_set(err, ATTEND_FORMAT,
                           "%s: is damaged: its frames have %d numbers, but the config says %d",
                           l->path, own, width);
}

static enum attend_status load_text(struct loading *l, struct text_side *side,
                                    const struct side_names *names,
                                    const struct tokenizer_settings *settings, int vocab,
                                    struct attend_error *err)
{
    const enum attend_status status = load_tokenizer(l, &side->tokenizer, names, settings, err);
    return status ? status : load_vocab(l, &side->vocab, names->vocab, vocab, err);
}

static enum attend_status load_source(struct loading *l, struct attend_error *err)
{
    struct model *m = l->model;
    const struct reading *r = &l->reading;
    const struct attend_network_options *c = &m->net.config;
    if (c->source_width)
        return load_frames(l, &m->source, &model_source_names, c->source_width, err);
    return load_text(
        l, &m->source, &model_source_names,
        &(struct tokenizer_settings){r->source_form, r->source_features, r->source_case},
        c->source_vocab, err);
}

/* A target of frames is strokes. */
static enum attend_status load_target(struct loading *l, struct attend_error *err)
{
    struct model *m = l->model;
    const struct reading *r = &l->reading;
    const struct attend_network_options *c = &m->net.config;
    if (!c->target_width)
        return load_text(
            l, &m->target, &model_target_names,
            &(struct tokenizer_settings){r->target_form, r->target_features, r->target_case},
            c->target_vocab, err);
    enum attend_status status =
        load_frames(l, &m->target, &model_target_names, c->target_width, err);
    if (!status && strokes_check(m->target.frames, NULL))
        status = error_set(err, ATTEND_FORMAT, "%s: is damaged: its target is not ink", l->path);
    return status;
}

static enum attend_status load_sides(struct loading *l, struct attend_error *err)
{
    struct model *m = l->model;
    enum attend_status status = load_source(l, err);
    if (!status)
        status = load_target(l, err);
    if (!status && !m->source.frames)
        status = load_language(l, &m->source, &model_source_names, err);
    if (!status && !m->target.frames)
        status = load_language(l, &m->target, &model_target_names, err);
    if (!status)
        status = load_languages(l, err);
    if (!status)
        status = load_longest(l, err);
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

/* First only declare the parameters and look them up in the file. So a config that does not match
 * the file cannot make the loader allocate for it. */
static enum attend_status load_net(struct loading *l, struct attend_error *err)
{
    struct seq2seq *net = &l->model->net;
    const struct attend_network_options config = net->config;
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
    /* packing only copies, so one thread is enough */
    struct compute compute = {.worker = &alone, .spent = &l->model->map};
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

static enum attend_status load_examples(struct loading *l, struct attend_error *err)
{
    struct file_text text = {.name = MODEL_EXAMPLES};
    char name[sizeof err->message];
    snprintf(name, sizeof name, "%s: is damaged: its " MODEL_EXAMPLES, l->path);
    return file_find_text(l->file, &text, NULL)
               ? ATTEND_OK
               : examples_parse(&l->model->examples, text.text, name, err);
}

static enum attend_status load_scaling(struct loading *l, struct attend_error *err)
{
    struct file_text text = {.name = SCALING_TEXT};
    l->model->scaling = scaling_none;
    if (file_find_text(l->file, &text, NULL))
        return ATTEND_OK;
    l->model->calibrated = true;
    return scaling_read(&l->model->scaling, text.text, l->path, err);
}

/* Lists can only be of words on both sides. */
static enum attend_status load_shortlist(struct loading *l, struct attend_error *err)
{
    const struct model *m = l->model;
    struct file_tensor t = {.name = MODEL_SHORTLIST, .dtype = FILE_U8, .rows = 1};
    char name[sizeof err->message];
    snprintf(name, sizeof name, "%s: its " MODEL_SHORTLIST, l->path);
    if (m->source.frames || m->target.frames || file_find_tensor(l->file, &t, NULL))
        return ATTEND_OK;
    return shortlist_read(&l->model->shortlist, t.bytes, t.cols, vocab_size(m->source.vocab),
                          vocab_size(m->target.vocab), name, err);
}

struct model_extra model_kept(const struct model *m, struct strbuf *calibration)
{
    struct model_extra extra = {.shortlist = m->shortlist};
    if (m->settings)
        extra.text[extra.texts++] = (struct file_text){"settings", m->settings};
    if (m->examples.text)
        extra.text[extra.texts++] = (struct file_text){MODEL_EXAMPLES, m->examples.text};
    if (m->calibrated) {
        scaling_write(calibration, &m->scaling);
        extra.text[extra.texts++] =
            (struct file_text){SCALING_TEXT, calibration->text ? calibration->text : ""};
    }
    return extra;
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
        status = text_side_copies(&m->copies, &m->source, &m->target, err);
    m->net.decoder.copy.target_of = m->copies;
    if (!status)
        status = load_settings(l, err);
    if (!status)
        status = load_examples(l, err);
    if (!status)
        status = load_scaling(l, err);
    if (!status)
        status = load_shortlist(l, err);
    file_close(l->file);
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

enum attend_status model_load_outline(struct model **out, const char *path,
                                      struct attend_error *err)
{
    const enum attend_status status = load_new(out, path, true, err);
    if (status)
        return status;
    struct model *m = *out;
    const size_t file = m->map.size, packed = m->net.packed.size;
    for (int i = 0; i < m->net.params.count; i++)
        m->net.params.item[i]->value = NULL;
    seq2seq_release(&m->net);
    io_unmap(&m->map);
    m->map.size = file;
    m->net.packed.size = packed;
    m->outline = true;
    return ATTEND_OK;
}

enum attend_status model_load_floats(struct model **out, const char *path, struct attend_error *err)
{
    struct model *m;
    const enum attend_status status = model_load(&m, path, err);
    if (status)
        return status;
    if (m->net.int8) {
        model_free(m);
        return error_set(
            err, ATTEND_FORMAT,
            "%s: its weights are int8, which can only be run; use the model that it was "
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
    seq2seq_release(&m->net);
    text_side_release(&m->source);
    text_side_release(&m->target);
    io_unmap(&m->map);
    free(m->values);
    free(m->copies);
    free(m->settings);
    examples_release(&m->examples);
    shortlist_free(m->shortlist);
    free(m);
}
