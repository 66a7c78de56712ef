/* Groups the pieces of a line into words, which are separated by blanks.
 *
 * A piece that is a blank (the tokenizer `char` has these) belongs to the word before it, or to the
 * first word if there is none before, but not to its spelling. Trailing pieces such as </s> are
 * words of their own. */
#ifndef ATTEND_TEXT_FOLD_H
#define ATTEND_TEXT_FOLD_H

#include <stdbool.h>

struct strbuf;
struct tokenizer;

/* One side of a pair; the caller owns the pieces. */
struct fold {
    const struct tokenizer *tokenizer;
    const char *const *piece;
    int count;
    bool ended; /* the last piece is </s> */
    int tags;   /* pieces at the start that are tags of languages, words of their own */
    int words;
    int *word;   /* (count) the index of each piece's word */
    bool *blank; /* (count) */
};

/* Fills in the rest from tokenizer, piece, count, ended and tags; false when out of memory. */
bool fold_init(struct fold *);
void fold_release(struct fold *);
/* Append the spelling of the word that starts at piece *at, and move *at past the word. A word
 * without a spelling gets its pieces unchanged. */
void fold_spell(const struct fold *, int *at, struct strbuf *out);

#endif
