/* Words for <unk>: from the source, or from a lexicon. */
#include "api/model.h"
#include "api/translation.h"
#include "attend/translate.h"

#include "base/error.h"
#include "base/strbuf.h"
#include "text/lexicon.h"
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
    *out = (struct attend_translation){.text = entry ? strdup(entry) : NULL, .complete = entry};
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
    bool copies; /* <unk> was copied: it is a source word that the target's vocabulary lacks */
    bool failed;
};

static bool is_unknown(const struct replacing *r, const char *piece)
{
    return strcmp(piece, vocab_piece(r->model->target.vocab, VOCAB_UNK)) == 0;
}

/* What a source piece spells by itself; NULL for features and pieces that only mark a blank. */
static char *spelling(struct replacing *r, const char *piece)
{
    const struct tokenizer *t = r->model->source.tokenizer;
    struct strbuf text = {0};
    if (tokenizer_is_feature(t, piece))
        return NULL;
    tokenizer_join(t, &text, &piece, 1);
    r->failed = r->failed || text.failed;
    if (text.length && text.text[strspn(text.text, " \t")])
        return strbuf_detach(&text);
    strbuf_release(&text);
    return NULL;
}

/* Whether a source piece can be what <unk> stands for: after copying, one that the target's
 * vocabulary lacks, if the source has such a piece. */
static bool is_foreign(const struct replacing *r, const char *piece)
{
    return vocab_id(r->model->target.vocab, piece, strlen(piece)) == VOCAB_UNK &&
           !tokenizer_is_feature(r->model->source.tokenizer, piece);
}

static bool any_foreign(const struct replacing *r)
{
    for (int j = 0; j < r->source_count - 1; j++)
        if (is_foreign(r, r->source[j]))
            return true;
    return false;
}

/* Where the row has most weight among the candidates that spell something, </s> left out; *text is
 * what that piece spells. -1: there is none. */
static int most_seen(struct replacing *r, const float *row, char **text)
{
    int most = -1;
    *text = NULL;
    for (int j = 0; j < r->source_count - 1; j++) {
        if ((most >= 0 && row[j] <= row[most]) || (r->copies && !is_foreign(r, r->source[j])))
            continue;
        char *spelt = spelling(r, r->source[j]);
        if (!spelt)
            continue;
        free(*text);
        *text = spelt;
        most = j;
    }
    return most;
}

/* Between tokenizers that say all in a piece, marks of what it touches come along. */
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
    struct strbuf text = {0};
    tokenizer_join(r->model->target.tokenizer, &text, (const char *const *)t->target,
                   t->target_count - t->complete);
    char *joined = strbuf_detach(&text);
    r->failed = r->failed || !joined;
    if (joined) {
        free(t->text);
        t->text = joined;
    }
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
                          .copies = model->net.decoder.copy.used};
    r.copies = r.copies && any_foreign(&r);
    if (t->target_count && !t->attention)
        return error_set(err, ATTEND_USAGE,
                         "a model without attention does not tell which word an unknown one is");
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
