/* Replaces <unk> by a source word or by its entry in a lexicon. */
#include "api/model.h"
#include "api/translation.h"
#include "attend/translate.h"

#include "base/error.h"
#include "base/strbuf.h"
#include "corpus/lexicon.h"
#include "text/tokenizer.h"
#include "text/vocab.h"

#include <stdlib.h>
#include <string.h>

struct attend_lexicon {
    struct lexicon table;
};

enum attend_status attend_lexicon_load(struct attend_lexicon **out, const char *path,
                                       struct attend_error *err)
{
    struct attend_lexicon *l = calloc(1, sizeof *l);
    if (!l)
        return error_set(err, ATTEND_NO_MEMORY, "%s: out of memory", path);
    const enum attend_status status = lexicon_load(&l->table, path, err);
    if (status) {
        free(l);
        return status;
    }
    *out = l;
    return ATTEND_OK;
}

enum attend_status attend_lexicon_answer(const struct attend_lexicon *l, const char *line,
                                         struct attend_translation *out, struct attend_error *err)
{
    const char *entry = lexicon_find(&l->table, line);
    *out = (struct attend_translation){
        .text = entry ? strdup(entry) : NULL, .complete = entry, .confidence = 1, .share = 1};
    return out->text || !entry ? ATTEND_OK
                               : error_set(err, ATTEND_NO_MEMORY, "out of memory for an answer");
}

void attend_lexicon_free(struct attend_lexicon *l)
{
    if (!l)
        return;
    lexicon_release(&l->table);
    free(l);
}

/* ---- Replacing ---- */

struct replacing {
    const struct model *model;
    const struct attend_lexicon *lexicon;
    char **source; /* the translation's pieces */
    int source_count;
    int tags;    /* pieces at the start that are no words */
    bool copies; /* the model copies: <unk> is a source word that the target vocabulary lacks */
    bool failed;
};

static bool is_unknown(const struct replacing *r, const char *piece)
{
    return strcmp(piece, vocab_piece(r->model->target.vocab, VOCAB_UNK)) == 0;
}

/* The spelling of source piece j by itself, with the capitals that its marks give it; NULL for
 * features, for marks and for pieces that only mark a blank. */
static char *spelling(struct replacing *r, int j)
{
    const struct tokenizer *t = r->model->source.tokenizer;
    struct strbuf text = {0};
    int from = j;
    if (tokenizer_is_feature(t, r->source[j]) || tokenizer_is_mark(t, r->source[j]))
        return NULL;
    while (from > 0 && tokenizer_is_mark(t, r->source[from - 1]))
        from--;
    tokenizer_join_part(t, &text, (const char *const *)r->source, from, j + 1);
    r->failed = r->failed || text.failed;
    if (text.length && text.text[strspn(text.text, " \t")])
        return strbuf_detach(&text);
    strbuf_release(&text);
    return NULL;
}

/* Whether <unk> can stand for this source piece: if the model copies, the target vocabulary must
 * lack the piece, provided that the source has such a piece. */
static bool is_foreign(const struct replacing *r, const char *piece)
{
    return vocab_id(r->model->target.vocab, piece, strlen(piece)) == VOCAB_UNK &&
           !tokenizer_is_feature(r->model->source.tokenizer, piece);
}

static bool any_foreign(const struct replacing *r)
{
    for (int j = r->tags; j < r->source_count - 1; j++)
        if (is_foreign(r, r->source[j]))
            return true;
    return false;
}

/* The candidate with the largest weight of the row, without </s> and pieces that spell nothing;
 * *text is its spelling. -1: there is none. */
static int most_seen(struct replacing *r, const float *row, char **text)
{
    int most = -1;
    *text = NULL;
    for (int j = r->tags; j < r->source_count - 1; j++) {
        if ((most >= 0 && row[j] <= row[most]) || (r->copies && !is_foreign(r, r->source[j])))
            continue;
        char *spelled = spelling(r, j);
        if (!spelled)
            continue;
        free(*text);
        *text = spelled;
        most = j;
    }
    return most;
}

/* Whether a source piece can be used with its joining marks: both sides have the same tokenizer,
 * and it has no model of its own. */
static bool keeps_marks(const struct model *m)
{
    return m->source.tokenizer->ops == m->target.tokenizer->ops && !m->source.tokenizer->state;
}

static void replace_piece(struct replacing *r, char **piece, const float *row)
{
    char *text;
    const int most = most_seen(r, row, &text);
    if (most < 0)
        return;
    const char *entry = r->lexicon ? lexicon_find(&r->lexicon->table, text) : NULL;
    char *copy = strdup(entry ? entry : keeps_marks(r->model) ? r->source[most] : text);
    r->failed = r->failed || !copy;
    free(text);
    if (copy) {
        free(*piece);
        *piece = copy;
    }
}

static void rejoin(struct replacing *r, struct attend_translation *t)
{
    if (!translation_join(t, r->model->target.tokenizer, t->target_count - t->complete,
                          t->target_span))
        r->failed = true;
}

static void replace(struct replacing *r, struct attend_translation *t)
{
    bool changed = false;
    for (int i = 0; i < t->target_count - t->complete; i++)
        if (is_unknown(r, t->target[i])) {
            replace_piece(r, &t->target[i], t->attention + (size_t)i * (size_t)r->source_count);
            changed = true;
        }
    if (changed)
        rejoin(r, t);
}

enum attend_status unknown_replace(struct attend_translation *t, const struct model *model,
                                   const struct attend_lexicon *lexicon, struct attend_error *err)
{
    struct replacing r = {.model = model,
                          .lexicon = lexicon,
                          .source = t->source,
                          .source_count = t->source_count,
                          .tags = t->tags,
                          .copies = model->net.decoder.copy.used};
    if (model->source.frames)
        return error_set(err, ATTEND_USAGE,
                         "unknown words cannot be replaced: the source is frames, not words");
    r.copies = r.copies && any_foreign(&r);
    if (t->target_count && !t->attention)
        return error_set(err, ATTEND_USAGE,
                         "unknown words cannot be replaced by a model without attention");
    replace(&r, t);
    for (int i = 0; i < t->others; i++)
        replace(&r, &t->other[i]);
    return r.failed ? error_set(err, ATTEND_NO_MEMORY, "out of memory for a translation")
                    : ATTEND_OK;
}

enum attend_status attend_translation_replace_unknown(struct attend_translation *t,
                                                      const struct attend_model *model,
                                                      const struct attend_lexicon *lexicon,
                                                      struct attend_error *err)
{
    return unknown_replace(t, model->model, lexicon, err);
}
