/* Texts cut into tokens, once.
 *
 * Each text is checked, normalized and cut here. The ids that a model reads, the words that a
 * person sees, their positions in the text and all counts come from the same cut, so they cannot
 * disagree. A leading byte order mark and trailing carriage returns are removed from every text. */
#ifndef ATTEND_TEXT_TOKENIZED_H
#define ATTEND_TEXT_TOKENIZED_H

#include "attend/status.h"
#include "base/strbuf.h"
#include "text/sequences.h"
#include "text/tokenizer.h"

#include <stdbool.h>

struct language_pair;
struct languages;
struct tokenizer;
struct vocab;

/* How texts become ids; all pointers are borrowed. */
struct tokenizing {
    const struct tokenizer *tokenizer;
    const struct vocab *vocab;
    const char *name;                  /* of the file or the argument, for messages */
    const struct languages *languages; /* whose tags begin each text; NULL: none */
    const struct language_pair *pair;  /* (texts) the pair of each text, if there are tags */
    int most; /* tokens of one text, tags not counted; 0: SEQUENCES_MAX_LENGTH with them */
};

/* All zero is no text. */
struct tokenized {
    struct sequences ids;    /* of each text, without </s> */
    struct token_span *span; /* (tokens) bytes of the text as given */
    size_t *spelled;         /* (tokens) offset of each token's spelling */
    struct strbuf spelling;
    size_t size; /* room, in tokens */
    int tags;    /* tokens at the start of each text that are tags; a text without words has none */
    /* What the vocabulary lacks, in the order of the texts and their tokens. */
    struct token_unknown {
        int text;       /* its number */
        int start, end; /* code points of the text as given */
        size_t spelled; /* offset of its text in `spelling` */
    } * unknown;        /* (unknowns) */
    int unknowns, unknown_size;
    bool failed;
};

enum tokenized_as {
    TOKENIZED_TEXT,   /* the tokenizer cuts it */
    TOKENIZED_SOURCE, /* the same, and unknown words are read in a known form (text/known.h) */
    TOKENIZED_PIECES, /* pieces separated by spaces; U+2581 is a blank within a piece, unless the
                       * vocabulary has it literally */
};

/* Tokenize `count` texts. A text that is not UTF-8, contains a line end or is too long is
 * ATTEND_DATA; the message starts with side->name and the number of the text, counted from 1. On
 * failure there is nothing to release. */
enum attend_status tokenized_make(struct tokenized *out, const struct tokenizing *side,
                                  enum tokenized_as, const char *const *text, int count,
                                  struct attend_error *err);
void tokenized_release(struct tokenized *);

/* Tokens of text i, without </s>. */
static inline int tokenized_count(const struct tokenized *t, int i)
{
    return sequences_length(&t->ids, i);
}
/* What text i has that is unknown: *count entries. Adjacent unknown tokens are one. */
const struct token_unknown *tokenized_unknown(const struct tokenized *, int i, int *count);
/* Token k of text i as the text spells it, so that even unknown tokens are readable, and its
 * position. */
const char *tokenized_spelling(const struct tokenized *, int i, int k);
struct token_span tokenized_span(const struct tokenized *, int i, int k);

/* For tokenized.c: list what is unknown in the last text, which was given so. False when out of
 * memory. */
bool tokenized_list_unknown(struct tokenized *, const char *given);

#endif
