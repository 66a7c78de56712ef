#include "corpus/valid_set.h"

#include "base/error.h"
#include "base/strbuf.h"
#include "base/utf8.h"
#include "corpus/pairs.h"
#include "corpus/store.h"
#include "text/tokenizer.h"

#include <stdlib.h>

struct valid_set {
    struct valid_text text; /* the public part; must be first */
    struct corpus corpus;
    char **line[2];
};

/* The text of one side of a pair; a source of frames is a path, which stays as it is. */
static char *text_of(const struct text_pair *pair, int i, const struct text_side *side)
{
    struct strbuf text = {0};
    utf8_normalize(&text, i ? pair->target : pair->source,
                   i ? pair->target_length : pair->source_length,
                   side->tokenizer ? side->tokenizer->form : UTF8_NONE, NULL);
    return strbuf_detach(&text);
}

/* Keep the text of the pairs that were encoded. */
static enum attend_status keep_text(struct valid_set *v, struct pairs *pairs,
                                    const struct text_side *side, struct attend_error *err)
{
    const int count = v->corpus.source.count;
    struct text_pair pair;
    int kept = 0;
    enum attend_status status = pairs_rewind(pairs, err);
    while (!status && kept < count && !(status = pairs_next(pairs, &pair, err)) && pair.source) {
        if ((int)pair.line != v->corpus.line[kept])
            continue;
        for (int i = 0; i < 2 && !status; i++) {
            v->line[i][kept] = text_of(&pair, i, &side[i]);
            if (!v->line[i][kept])
                status = error_set(err, ATTEND_NO_MEMORY, "out of memory for validation text");
        }
        kept++;
    }
    return status;
}

enum attend_status valid_set_new(struct valid_text **out, const struct store *store,
                                 struct pairs *pairs, const struct text_side *side,
                                 struct attend_error *err)
{
    struct valid_set *v = calloc(1, sizeof *v);
    if (!v)
        return error_set(err, ATTEND_NO_MEMORY, "out of memory for validation text");
    enum attend_status status = store_read_all(store, &v->corpus, err);
    for (int i = 0; i < 2 && !status; i++) {
        v->line[i] = calloc((size_t)v->corpus.source.count + 1, sizeof *v->line[i]);
        if (!v->line[i])
            status = error_set(err, ATTEND_NO_MEMORY, "out of memory for validation text");
    }
    if (!status)
        status = keep_text(v, pairs, side, err);
    v->text = (struct valid_text){&v->corpus, (const char *const *)v->line[0],
                                  (const char *const *)v->line[1], &side[1]};
    if (status)
        valid_set_free(&v->text);
    else
        *out = &v->text;
    return status;
}

void valid_set_free(struct valid_text *text)
{
    struct valid_set *v = (struct valid_set *)text;
    if (!v)
        return;
    for (int side = 0; side < 2; side++) {
        for (int i = 0; v->line[side] && i < v->corpus.source.count; i++)
            free(v->line[side][i]);
        free(v->line[side]);
    }
    corpus_release(&v->corpus);
    free(v);
}
