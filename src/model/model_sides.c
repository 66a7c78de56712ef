/* Loading the two sides of a model: how text, or frames, become ids and back. */
#include "base/error.h"
#include "frames/source.h"
#include "frames/strokes.h"
#include "model/file.h"
#include "model/model.h"
#include "model/model_parts.h"
#include "text/detect.h"
#include "text/languages.h"
#include "text/sequences.h"
#include "text/tokenizer.h"
#include "text/vocab.h"

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

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

enum attend_status model_load_sides(struct loading *l, struct attend_error *err)
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
