/* Texts cut into tokens, once.
 *
 * A text is checked, normalised and cut here; the ids that a model reads, the words that a person
 * sees, their places in the text and every count come from the same cut, so that they cannot
 * disagree. A byte order mark in front of a text and carriage returns behind it do not belong to
 * it, wherever the text comes from. */
#ifndef ATTEND_TEXT_TOKENIZED_H
#define ATTEND_TEXT_TOKENIZED_H

#include "base/strbuf.h"
#include "text/corpus.h"

/* All zero is no text. */
struct tokenized {
    struct sequences ids; /* of each text, without </s> */
    struct token_span {
        size_t from, to; /* bytes of the text as it was given */
    } * span;            /* (tokens) */
    size_t *spelt;       /* (tokens) where the spelling of each begins */
    struct strbuf spelling;
    size_t size; /* tokens that there is room for */
    bool failed;
};

enum tokenized_as {
    TOKENIZED_TEXT,   /* the tokenizer cuts it */
    TOKENIZED_PIECES, /* it consists of pieces with spaces between; U+2581 is a blank in a piece,
                         unless the vocabulary has it as it stands */
};

/* `count` texts. One that is not UTF-8, holds a line end or is too long is ATTEND_DATA; the message
 * begins with side->name and the text's number from 1. Nothing is left to release on failure. */
enum attend_status tokenized_make(struct tokenized *out, const struct corpus_side *side,
                                  enum tokenized_as, const char *const *text, int count,
                                  struct attend_error *err);
void tokenized_release(struct tokenized *);

/* Tokens of text i, without </s>. */
static inline int tokenized_count(const struct tokenized *t, int i)
{
    return sequences_length(&t->ids, i);
}
/* Token k of text i: as the text spells it, so that an unknown one can be read, and its place. */
const char *tokenized_spelling(const struct tokenized *, int i, int k);
struct token_span tokenized_span(const struct tokenized *, int i, int k);

#endif
