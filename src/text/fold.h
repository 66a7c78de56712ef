/* Which pieces of a line make up one word, a word being what stands between blanks.
 *
 * A piece that is a blank itself (the tokenizer for spelling has such) belongs to the word before
 * it, or to the first when there is none before, but is no part of its spelling. The last pieces of
 * a line that stand for themselves, as </s> does, are words of their own. */
#ifndef ATTEND_TEXT_FOLD_H
#define ATTEND_TEXT_FOLD_H

#include <stdbool.h>

struct strbuf;
struct tokenizer;

/* One side of a pair; the pieces are the caller's. */
struct fold {
    const struct tokenizer *tokenizer;
    const char *const *piece;
    int count;
    bool ended; /* the last piece is </s> */
    int words;
    int *word;   /* (count) the number of each piece's word */
    bool *blank; /* (count) */
};

/* Fills in the rest from tokenizer, piece, count and ended; false when out of memory. */
bool fold_init(struct fold *);
void fold_release(struct fold *);
/* Append the spelling of the word that begins with piece *at, and move *at behind the word; a word
 * that has none gets its pieces as they are. */
void fold_spell(const struct fold *, int *at, struct strbuf *out);

#endif
