#include "text/fold.h"

#include "base/strbuf.h"
#include "text/tokenizer.h"

#include <stdlib.h>
#include <string.h>

static bool is_mark(const struct fold *f, int i)
{
    return !(f->ended && i == f->count - 1) && tokenizer_is_mark(f->tokenizer, f->piece[i]);
}

/* The next piece in this direction that is not a mark of case; -1: none. */
static int plain_piece(const struct fold *f, int i, int step)
{
    while (i >= f->tags && i < f->count && is_mark(f, i))
        i += step;
    return i >= f->tags && i < f->count && !(f->ended && i == f->count - 1) ? i : -1;
}

/* The place of a piece among those that are not marks. */
static enum tokenizer_place plain_place(const struct fold *f, int i)
{
    const int before = i > f->tags ? plain_piece(f, i - 1, -1) : -1;
    return tokenizer_place(f->tokenizer, before < 0 ? NULL : f->piece[before], f->piece[i]);
}

/* Whether piece i is a mark for what follows. The mark that ends capitals is for what is before. */
static bool opens(const struct fold *f, int i)
{
    return i >= f->tags && is_mark(f, i) && strcmp(f->piece[i], letter_marks[LETTER_MARK_END]) != 0;
}

/* A word begins with its first mark. */
static enum tokenizer_place place_of(const struct fold *f, int i)
{
    if (i < f->tags || (f->ended && i == f->count - 1))
        return TOKENIZER_BEGINS;
    if (!is_mark(f, i)) {
        const enum tokenizer_place place = plain_place(f, i);
        return place == TOKENIZER_BEGINS && opens(f, i - 1) ? TOKENIZER_CONTINUES : place;
    }
    if (i == f->tags || !opens(f, i) || opens(f, i - 1))
        return i == f->tags ? TOKENIZER_BEGINS : TOKENIZER_CONTINUES;
    const int marked = plain_piece(f, i, 1);
    return marked < 0 ? TOKENIZER_CONTINUES : plain_place(f, marked);
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
    const bool special = from < f->tags || (f->ended && from == f->count - 1);
    if (!special && !(from < to && tokenizer_is_feature(f->tokenizer, f->piece[from])))
        tokenizer_join_part(f->tokenizer, out, f->piece, from, to);
    for (int i = from; i < to && out->length == before; i++)
        strbuf_adds(out, f->piece[i]);
}
