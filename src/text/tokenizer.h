/* Tokenizers: text into the pieces that a vocabulary numbers, and pieces back into text. */
#ifndef ATTEND_TEXT_TOKENIZER_H
#define ATTEND_TEXT_TOKENIZER_H

#include <stddef.h>

struct strbuf;

/* Receives one piece: at least one byte, within the text that is being split. */
typedef void tokenizer_piece_fn(void *context, const char *piece, size_t length);

struct tokenizer_ops {
    const char *name;
    const char *help; /* one line for --help */
    /* Hands over the pieces of one line of valid UTF-8 (no LF, no NUL) in their order. */
    void (*split)(const char *text, size_t length, tokenizer_piece_fn *emit, void *context);
    /* Appends the text of the pieces. What split made of a text, join turns back into it, but for
     * white space that the tokenizer does not keep. */
    void (*join)(struct strbuf *out, const char *const *pieces, int count);
};

/* To add one:
 * 1. write text/<name>.c, which defines `const struct tokenizer_ops tokenizer_<name>` (spaces.c is
 *    a short example);
 * 2. add X(<name>) to the list: models save this name, so it stays;
 * 3. write what it should make of a few texts in tokenizer_test.c; the checks of every row (round
 *    trip, hard text) and --help follow the list by themselves. */
#define TOKENIZER_LIST(X) X(spaces) X(char)

#define TOKENIZER_ROW(name) extern const struct tokenizer_ops tokenizer_##name;
TOKENIZER_LIST(TOKENIZER_ROW)
#undef TOKENIZER_ROW

#define TOKENIZER_ONE(name) +1
enum { TOKENIZER_COUNT = 0 TOKENIZER_LIST(TOKENIZER_ONE) };
#undef TOKENIZER_ONE

extern const struct tokenizer_ops *const tokenizers[TOKENIZER_COUNT];

/* NULL when there is none of that name. */
const struct tokenizer_ops *tokenizer_find(const char *name);

#endif
