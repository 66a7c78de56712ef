/* Reads words that a vocabulary lacks in a form that it has: in another case, in another Unicode
 * normal form, with plain quotation marks and dashes, or without punctuation around them.
 *
 * Forms are tried in this order, each as it is, in small letters, with a capital and in capitals;
 * the first whose tokens are all known wins:
 *
 *     the word    its NFC    its NFKC with plain punctuation    the same three without punctuation
 *                                                                at their ends (`spaces`, `word`)
 *
 * With the tokenizers `spaces` and `word`, unknown punctuation beside known words is read as a
 * blank. Text whose tokens are all known is never touched. */
#ifndef ATTEND_TEXT_KNOWN_H
#define ATTEND_TEXT_KNOWN_H

#include "base/strbuf.h"
#include "base/utf8.h"

struct tokenizing;

/* A range of bytes of a text. */
struct known_range {
    size_t from, to;
};

/* A text in which unknown words were replaced. Start from all zero. */
struct known_text {
    struct strbuf text;
    struct utf8_origin origin; /* of positions in `text` */
};
/* Replace the given ranges of a text, which are ascending and unknown; false if none has a known
 * form, and then nothing is made. `beside`: the text also has known tokens. When memory runs out,
 * text.failed is set. */
bool known_rewrite(struct known_text *, const struct tokenizing *, const char *text, size_t length,
                   const struct known_range *, int count, bool beside);
void known_release(struct known_text *);

#endif
