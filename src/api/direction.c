#include "api/direction.h"

#include "api/frame_lines.h"
#include "api/model.h"
#include "base/error.h"

#include <stdlib.h>
#include <string.h>

/* ---- Models for one pair ---- */

/* The only languages of a model may be named, but no others. */
static enum attend_status check_only(const struct text_side *side, const char *code,
                                     const char *word, struct attend_error *err)
{
    if (!code || (side->language && strcmp(side->language, code) == 0))
        return ATTEND_OK;
    if (!side->language)
        return error_set(err, ATTEND_USAGE,
                         "the model does not record its languages: leave out `%s`, or set them "
                         "with attend convert",
                         word);
    return error_set(err, ATTEND_USAGE, "the model does not translate %s %.40s, only %s %s", word,
                     code, word, side->language);
}

static enum attend_status check(const struct model *m, const char *from, const char *to,
                                struct attend_error *err)
{
    const struct languages *l = m->source.languages;
    const enum attend_status status =
        l ? languages_check(l, 0, from, err) : check_only(&m->source, from, "from", err);
    if (status)
        return status;
    return l ? languages_check(l, 1, to, err) : check_only(&m->target, to, "to", err);
}

/* ---- The translator's languages ---- */

static void keep(char out[LANGUAGES_CODE], const char *code)
{
    memset(out, 0, LANGUAGES_CODE);
    memcpy(out, code ? code : "", code ? strlen(code) : 0); /* a checked code is short enough */
}

enum attend_status direction_set(struct attend_translator *t, const char *from, const char *to,
                                 struct attend_error *err)
{
    const enum attend_status status = check(t->model, from, to, err);
    if (status)
        return status;
    keep(t->from, from);
    keep(t->to, to);
    return ATTEND_OK;
}

static const char *code_or(const char *own, const char *usual)
{
    return own ? own : *usual ? usual : NULL;
}

enum attend_status attend_translator_direction(const struct attend_translator *t,
                                               struct attend_direction *out,
                                               struct attend_error *err)
{
    const struct model *m = t->model;
    const struct languages *l = m->source.languages;
    struct language_pair pair;
    bool seen = true;
    if (!l) {
        *out = (struct attend_direction){m->source.language, m->target.language, true};
        return ATTEND_OK;
    }
    const enum attend_status status =
        languages_choose(l, code_or(NULL, t->from), code_or(NULL, t->to), &pair, &seen, err);
    if (!status)
        *out = (struct attend_direction){l->item[pair.from].code, l->item[pair.to].code, seen};
    return status;
}

int attend_model_pairs(const struct attend_model *model, struct attend_direction *out, int room)
{
    const struct model *m = model->model;
    const struct languages *l = m->source.languages;
    if (!l && !(m->source.language && m->target.language))
        return 0;
    if (!l && room > 0)
        out[0] = (struct attend_direction){m->source.language, m->target.language, true};
    for (int i = 0; l && i < l->pairs && i < room; i++)
        out[i] = (struct attend_direction){l->item[l->pair[i].from].code,
                                           l->item[l->pair[i].to].code, true};
    return l ? l->pairs : 1;
}

/* ---- Tokenizing ---- */

static enum attend_status choose(const struct attend_translator *t,
                                 const struct attend_constraint *c, struct language_pair *out,
                                 struct attend_error *err)
{
    const struct model *m = t->model;
    const char *from = c ? c->from : NULL, *to = c ? c->to : NULL;
    bool seen;
    if (!m->source.languages)
        return check(m, from, to, err);
    return languages_choose(m->source.languages, code_or(from, t->from), code_or(to, t->to), out,
                            &seen, err);
}

enum attend_status direction_tokenize(struct tokenized *out, const struct attend_translator *t,
                                      const char *const *text,
                                      const struct attend_constraint *constraints, int count,
                                      const char *name, struct attend_error *err)
{
    const struct text_side *side = &t->model->source;
    struct language_pair *pair = calloc((size_t)count + 1, sizeof *pair);
    enum attend_status status =
        pair ? ATTEND_OK : error_set(err, ATTEND_NO_MEMORY, "out of memory for %d lines", count);
    for (int i = 0; i < count && !status && (side->languages || constraints); i++)
        status = choose(t, constraints ? &constraints[i] : NULL, &pair[i], err);
    if (!status && side->frames)
        status = frame_lines_read(out, t, text, count, name, err);
    else if (!status)
        status = tokenized_make(out,
                                &(struct tokenizing){.tokenizer = side->tokenizer,
                                                     .vocab = side->vocab,
                                                     .name = name,
                                                     .languages = side->languages,
                                                     .pair = pair,
                                                     .most = t->max_tokens},
                                TOKENIZED_SOURCE, text, count, err);
    free(pair);
    return status;
}
