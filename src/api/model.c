#include "api/model.h"

#include "api/fit.h"
#include "settings/train_settings.h"
#include "base/error.h"
#include "base/strbuf.h"
#include "frames/options.h"
#include "frames/source.h"
#include "text/languages.h"
#include "text/shortlist.h"
#include "text/tokenized.h"
#include "text/tokenizer.h"
#include "text/vocab.h"

#include <stdlib.h>
#include <string.h>

typedef enum attend_status load_fn(struct model **, const char *path, struct attend_error *);

static enum attend_status load(struct attend_model **out, const char *path, load_fn *how,
                               struct attend_error *err)
{
    struct attend_model *m = calloc(1, sizeof *m);
    if (!m)
        return error_set(err, ATTEND_NO_MEMORY, "%s: out of memory", path);
    const enum attend_status status = how(&m->model, path, err);
    if (status) {
        free(m);
        return status;
    }
    m->fits = fit_limit(m->model);
    *out = m;
    return ATTEND_OK;
}

enum attend_status attend_model_load(struct attend_model **out, const char *path,
                                     struct attend_error *err)
{
    return load(out, path, model_load, err);
}

enum attend_status attend_model_load_copy(struct attend_model **out, const char *path,
                                          struct attend_error *err)
{
    return load(out, path, model_load_copy, err);
}

enum attend_status attend_model_load_outline(struct attend_model **out, const char *path,
                                             struct attend_error *err)
{
    return load(out, path, model_load_outline, err);
}

void attend_model_free(struct attend_model *m)
{
    if (!m)
        return;
    model_free(m->model);
    free(m);
}

bool attend_model_attends(const struct attend_model *m)
{
    return m->model->net.decoder.attention.ops != &attention_none;
}

/* The language of a side; NULL: it is unknown, or there are several. */
static const char *only_language(const struct model *m, int side)
{
    const struct languages *l = m->source.languages;
    if (!l)
        return side ? m->target.language : m->source.language;
    if (languages_tagged(l, side))
        return NULL;
    return l->item[side ? l->pair[0].to : l->pair[0].from].code;
}

bool attend_model_spells(const struct attend_model *m, const char *text)
{
    const struct text_side *side = &m->model->target;
    struct tokenized tokens = {0};
    if (side->frames ||
        tokenized_make(&tokens,
                       &(struct tokenizing){
                           .tokenizer = side->tokenizer, .vocab = side->vocab, .name = "text"},
                       TOKENIZED_TEXT, &text, 1, NULL))
        return false;
    bool known = true;
    for (int k = 0; k < tokenized_count(&tokens, 0) && known; k++)
        known = tokens.ids.ids[k] != VOCAB_UNK;
    tokenized_release(&tokens);
    return known;
}

struct attend_model_info attend_model_info(const struct attend_model *model)
{
    const struct model *m = model->model;
    const struct attend_network_options *c = &m->net.config;
    return (struct attend_model_info){
        .source = only_language(m, 0),
        .target = only_language(m, 1),
        .attention = c->attention,
        .placement = c->placement,
        .cell = c->cell,
        .heads = c->heads,
        .parameters = m->net.params.size,
        .int8 = m->net.int8,
        .calibrated = m->calibrated,
        .longest_source = m->source.longest,
        .frames = m->source.frames ? frame_source_reader(m->source.frames) : NULL,
        .memory = m->map.size + m->net.packed.size};
}

const char *const *attend_model_examples(const struct attend_model *model, int *count)
{
    *count = model->model->examples.count;
    return *count ? model->model->examples.line : NULL;
}

_Static_assert((int)ATTEND_SPECIAL_TOKENS == (int)VOCAB_SPECIALS, "the library's own");
const char *attend_model_token(const struct attend_model *model, bool target, int i)
{
    const struct vocab *v = target ? model->model->target.vocab : model->model->source.vocab;
    return v && i >= 0 && i < vocab_size(v) - VOCAB_SPECIALS ? vocab_piece(v, i + VOCAB_SPECIALS)
                                                             : NULL;
}

static void describe_frames(struct strbuf *out, const char *name, const struct frame_source *frames)
{
    char *text = frame_source_describe(frames);
    strbuf_addf(out, "%-18s %s\n", name, text ? text : "");
    out->failed = out->failed || !text;
    free(text);
}

static void describe_side(struct strbuf *out, const char *name, const struct text_side *side)
{
    if (side->frames) {
        describe_frames(out, name, side->frames);
        return;
    }
    const enum letter_case letter_case = side->tokenizer->letter_case;
    strbuf_addf(out, "%-18s %s, %d tokens", name, side->tokenizer->ops->name,
                vocab_size(side->vocab));
    if (letter_case != LETTER_CASE_KEEP)
        strbuf_addf(out, ", case %s", letter_cases[letter_case]);
    strbuf_addf(out, "%s%s\n", side->language ? ", language " : "",
                side->language ? side->language : "");
}

static void describe_languages(struct strbuf *out, const struct languages *l)
{
    if (!l)
        return;
    strbuf_addf(out, "%-18s %d pairs: ", "languages", l->pairs);
    languages_write(l, out);
    strbuf_addc(out, '\n');
}

char *attend_model_describe(const struct attend_model *model)
{
    const struct model *m = model->model;
    const struct param_set *set = &m->net.params;
    struct strbuf out = {0};
    strbuf_addf(&out, "%-18s %zu parameters, %.1f MB%s\n", "model", set->size,
                (double)m->map.size / 1e6, m->net.int8 ? ", weights in int8" : "");
    describe_side(&out, "source", &m->source);
    describe_side(&out, "target", &m->target);
    strbuf_addf(&out, "%-18s %d lines of the validation text\n", "examples", m->examples.count);
    describe_languages(&out, m->source.languages);
    if (m->shortlist)
        strbuf_addf(&out, "%-18s %zu bytes of lists of words\n", "shortlist", m->shortlist->length);
    if (m->calibrated)
        strbuf_addf(&out, "%-18s temperature %.4f, length %.4f, bias %.4f\n", "calibration",
                    m->scaling.temperature, m->scaling.length, m->scaling.bias);
    if (m->source.longest)
        strbuf_addf(&out, "%-18s %d %s\n", "longest source", m->source.longest,
                    m->source.frames ? "frames" : "tokens");
    for (const struct attend_setting *row = network_rows; row->name; row++) {
        char value[64];
        option_print(row, &m->net.config, value, sizeof value);
        strbuf_addf(&out, "%-18s %s\n", row->name, value);
    }
    strbuf_adds(&out, "tensors\n");
    for (int i = 0; i < set->count; i++)
        strbuf_addf(&out, "  %-32s %6d x %d\n", set->item[i]->path, set->item[i]->rows,
                    set->item[i]->cols);
    return strbuf_detach(&out);
}

/* ---- Settings as YAML ---- */

/* Write the settings of the run. A value that was left open (0) stays 0. Of the others, the value
 * of the model is written, because it may come from `init_from`. */
static void add_rows(struct strbuf *out, const struct attend_setting *rows, const void *asked,
                     const void *has)
{
    for (const struct attend_setting *row = rows; row->name; row++) {
        char value[256];
        if (row->local || option_print(row, asked, value, sizeof value) <= 0)
            continue;
        if (strcmp(value, "0") != 0)
            option_print(row, has, value, sizeof value);
        strbuf_addf(out, "%s: %s\n", row->name, value);
    }
}

static void add_settings(struct strbuf *out, const struct train_settings *s,
                         const struct attend_network_options *has)
{
    for (int i = 0; i < s->set.count; i++) {
        const struct option_group *group = &s->set.group[i];
        if (group->rows == frame_rows && !has->source_width)
            continue;
        add_rows(out, group->rows, group->base, group->base == &s->network ? has : group->base);
    }
}

char *attend_model_config(const struct attend_model *model, struct attend_error *err)
{
    const struct model *m = model->model;
    struct train_settings settings = {0};
    struct strbuf out = {0};
    enum attend_status status =
        train_settings_read(&settings, m->settings, "the model's settings", err);
    if (!status)
        add_settings(&out, &settings, &m->net.config);
    train_settings_release(&settings);
    if (!status)
        status = strbuf_status(&out, err);
    if (!status)
        return strbuf_detach(&out);
    strbuf_release(&out);
    return NULL;
}

void attend_model_network(const struct attend_model *model, struct attend_network_options *out)
{
    const size_t size = out->size, known = sizeof model->model->net.config;
    memset(out, 0, size);
    memcpy(out, &model->model->net.config, size < known ? size : known);
    out->size = size;
}

void attend_text_free(char *text) { free(text); }

void attend_array_free(void *array) { free(array); }
