/* Where a tag may stand in a text: the text is cut into units, and tags stand between them. A unit
 * is a word, a punctuation character or, in a script that does not separate words by blanks, a
 * token. Grapheme clusters stay whole. */
#ifndef ATTEND_MARKUP_SLOTS_H
#define ATTEND_MARKUP_SLOTS_H

#include "attend/translate.h"

#include <stdbool.h>
#include <stddef.h>

enum unit_kind {
    UNIT_BLANK,  /* space or tab */
    UNIT_WORD,   /* a letter, mark or number */
    UNIT_DENSE,  /* the same in a script without blanks between words, such as Han or Thai */
    UNIT_SYMBOL, /* everything else */
};
/* The kind of the code point at the start of a valid text that is not empty. */
enum unit_kind unit_kind(const char *text, size_t length);

/* All zero is an empty list. */
struct slots {
    struct attend_span *span;
    int count, size;
    bool failed;
};
/* Cut a valid text. `token` (count) has the bytes of its tokens, or is NULL: then every character of
 * a script without blanks is a unit. */
void slots_cut(struct slots *, const char *text, const struct attend_span *token, int count);
void slots_release(struct slots *);

#endif
