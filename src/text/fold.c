#include "text/fold.h"

#include "base/strbuf.h"
#include "text/tokenizer.h"

#include <stdlib.h>

static enum tokenizer_place place_of(const struct fold *f, int i)
{
    if (f->ended && i == f->count - 1)
        return TOKENIZER_BEGINS;
    return tokenizer_place(f->tokenizer, i ? f->piece[i - 1] : NULL, f->piece[i]);
}

bool fold_init(struct fold *f)
{
    f->words = 0;
    f->word = calloc((size_t)f->count + 1, sizeof *f->word);
    f->blank = calloc((size_t)f->count + 1, sizeof *f->blank);
    if (!f->word || !f->blank) {
        fold_release(f);
        return false;
    }
    for (int i = 0; i < f->count; i++) {
        const enum tokenizer_place place = place_of(f, i);
        f->blank[i] = place == TOKENIZER_BETWEEN;
        f->words += place == TOKENIZER_BEGINS;
        f->word[i] = f->words ? f->words - 1 : 0;
    }
    return true;
}

void fold_release(struct fold *f)
{
    free(f->word);
    free(f->blank);
    f->word = NULL;
    f->blank = NULL;
}

void fold_spell(const struct fold *f, int *at, struct strbuf *out)
{
    while (*at < f->count && f->blank[*at])
        ++*at;
    const int from = *at;
    int to = from;
    while (to < f->count && !f->blank[to] && f->word[to] == f->word[from])
        to++;
    for (*at = to; *at < f->count && f->blank[*at];)
        ++*at;
    const size_t before = out->length;
    const bool special = f->ended && from == f->count - 1;
    if (!special && !(from < to && tokenizer_is_feature(f->tokenizer, f->piece[from])))
        tokenizer_join(f->tokenizer, out, f->piece + from, to - from);
    for (int i = from; i < to && out->length == before; i++)
        strbuf_adds(out, f->piece[i]);
}
