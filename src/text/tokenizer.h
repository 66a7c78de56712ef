/* Tokenizers turn text into pieces, which a vocabulary numbers, and pieces back into text.
 *
 * A line goes through four steps. First, Unicode normalization. Then, with `features`, the first
 * tab ends the text, and the part after it, separated by `;`, is a list of features (V;PST), which
 * become pieces of their own between U+27E8 and U+27E9, before those of the text. Then the case of
 * the text's letters (text/letter_case.h). Finally, the tokenizer's own split. A tokenizer that is ready (created, and learned or loaded if its row has
 * state) is immutable: threads may share it. */
#ifndef ATTEND_TEXT_TOKENIZER_H
#define ATTEND_TEXT_TOKENIZER_H

#include "attend/status.h"
#include "attend/subwords.h"
#include "base/utf8.h"
#include "text/letter_case.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct strbuf;
struct vocab;

/* The brackets of features: U+27E8, U+27E9. */
#define TOKENIZER_OPEN "\xE2\x9F\xA8"
#define TOKENIZER_CLOSE "\xE2\x9F\xA9"

/* One piece of a line. */
struct tokenizer_piece {
    const char *text; /* its spelling, not NUL-terminated */
    size_t length;    /* at least 1 */
    size_t from, to;  /* bytes of the line that it stands for; none when equal */
};
/* Bytes [from, to) of a text. */
struct token_span {
    size_t from, to;
};
/* Receives the pieces of a line in order; each is valid only during the call. */
typedef void tokenizer_piece_fn(void *context, const struct tokenizer_piece *);

/* Iterates over lines of valid UTF-8 (no LF, no NUL): gives the next line, or returns false at the
 * end. A text is valid until the next call. */
struct tokenizer_walk {
    bool (*next)(void *context, const char **text, size_t *length);
    void *context;
};

/* How a row with state learns from text. */
extern const char *const tokenizer_methods[]; /* names; NULL ends them */
struct tokenizer_lesson {
    int vocab_size;     /* number of ids, including the special ones; small texts give fewer */
    const char *method; /* one of tokenizer_methods; NULL: the first */
    /* Spellings in the text that must be pieces of their own, NULL at the end; or NULL. Set by
     * tokenizer_learn. */
    const char *const *symbols;
    attend_subwords_learn_fn *learn; /* NULL: only rows that need it not can learn */
};

/* The position of a piece relative to words, which are separated by blanks. */
enum tokenizer_place {
    TOKENIZER_BEGINS,    /* first piece of a word */
    TOKENIZER_CONTINUES, /* part of the same word as the piece before */
    TOKENIZER_BETWEEN,   /* a blank between words */
};

/* Asks for a sampled segmentation instead of the best one; see text/subword_sampling.h. */
struct tokenizer_sampling {
    double alpha; /* above 0 */
    uint64_t key; /* the same key gives the same pieces of a text */
};

/* A row of the table. Rows with state get it as their first argument, others get NULL. */
struct tokenizer_ops {
    const char *name;
    const char *help; /* one line for --help */
    /* Emits the pieces of one line of valid UTF-8 (no LF, no NUL) in order, with their positions in
     * this text; false when memory ran out. */
    bool (*split)(const void *state, const char *text, size_t length, tokenizer_piece_fn *emit,
                  void *context);
    /* Appends the text of the pieces. join inverts split, except for white space that the tokenizer
     * does not keep. Unless `end` is NULL, end[i] becomes out->length after piece i. */
    void (*join)(const void *state, struct strbuf *out, const char *const *pieces, int count,
                 size_t *end);
    /* The position of a piece; `before` is the previous piece, NULL for the first. */
    enum tokenizer_place (*place)(const char *before, const char *piece);

    /* ---- Only for rows with state ---- */
    enum attend_status (*learn)(void **state, const struct tokenizer_walk *,
                                const struct tokenizer_lesson *, struct attend_error *err);
    /* From untrusted bytes: ATTEND_FORMAT when they are invalid. */
    enum attend_status (*load)(void **state, const void *bytes, size_t length,
                               struct attend_error *err);
    /* Gives the bytes for load; the state owns them. */
    void (*save)(const void *state, const void **bytes, size_t *length);
    /* The i-th of its own pieces, in its order; NULL past the last. */
    const char *(*piece)(const void *state, int i);
    void (*free)(void *state);
    /* Like split, but with sampled pieces; NULL if a text has only one segmentation. */
    bool (*sample)(const void *state, const char *text, size_t length,
                   const struct tokenizer_sampling *, tokenizer_piece_fn *emit, void *context);
};

/* To add one:
 *     1. write text/<name>.c, which defines `const struct tokenizer_ops tokenizer_<name>` (spaces.c
 *        is a short example);
 *     2. add X(<name>) to the list; models store this name, so it must never change;
 *     3. add what its round trip keeps and the pieces of a few texts to tokenizer_test.c.
 *        The checks of every row (round trip, difficult text) and --help use the list. */
#define TOKENIZER_LIST(X) X(spaces) X(char) X(word) X(sentencepiece)

#define TOKENIZER_ROW(name) extern const struct tokenizer_ops tokenizer_##name;
TOKENIZER_LIST(TOKENIZER_ROW)
#undef TOKENIZER_ROW

#define TOKENIZER_ONE(name) +1
enum { TOKENIZER_COUNT = 0 TOKENIZER_LIST(TOKENIZER_ONE) };
#undef TOKENIZER_ONE

extern const struct tokenizer_ops *const tokenizers[TOKENIZER_COUNT];

/* NULL when there is no tokenizer of this name. */
const struct tokenizer_ops *tokenizer_find(const char *name);

/* Settings of every row; all zero means none. */
struct tokenizer_settings {
    const char *form; /* one of utf8_forms; NULL: none */
    bool features;
    const char *letter_case; /* one of letter_cases; NULL: keep */
};

struct tokenizer {
    const struct tokenizer_ops *ops;
    enum utf8_form form;
    bool features;
    enum letter_case letter_case;
    void *state; /* NULL if the row has no state, or not yet */
};

/* Create a tokenizer. If its row has state, it must learn before use. `settings` may be NULL. */
enum attend_status tokenizer_new(struct tokenizer **out, const char *name,
                                 const struct tokenizer_settings *, struct attend_error *err);
/* Create a tokenizer from the bytes of tokenizer_state (or a .model file of SentencePiece); length
 * 0 if the row has no state. The bytes are not trusted: ATTEND_FORMAT when they are invalid. */
enum attend_status tokenizer_load(struct tokenizer **out, const char *name,
                                  const struct tokenizer_settings *, const void *bytes,
                                  size_t length, struct attend_error *err);
/* Make an identical tokenizer. */
enum attend_status tokenizer_copy(struct tokenizer **out, const struct tokenizer *,
                                  struct attend_error *err);
void tokenizer_free(struct tokenizer *);

/* Whether it must learn before use. */
bool tokenizer_must_learn(const struct tokenizer *);
/* Learn from text, in one walk. The text is kept in memory, so the caller should pass a sample.
 * Does nothing if the tokenizer need not learn. */
enum attend_status tokenizer_learn(struct tokenizer *, const struct tokenizer_walk *,
                                   const struct tokenizer_lesson *, struct attend_error *err);
/* The vocabulary for a text: the tokenizer's own pieces in their order, followed by the features of
 * the text. A tokenizer without own pieces takes the most frequent `max_size` pieces of the text
 * (text/vocab.h). Takes at most one walk. */
enum attend_status tokenizer_vocab(struct vocab **out, const struct tokenizer *,
                                   const struct tokenizer_walk *, int max_size,
                                   struct attend_error *err);

/* Emits the pieces with their positions in the given text, before normalization. False when memory
 * ran out, possibly after some pieces. */
bool tokenizer_split(const struct tokenizer *, const char *text, size_t length,
                     tokenizer_piece_fn *emit, void *context);
/* The same with sampled pieces, if the row can sample; features do not change. */
bool tokenizer_sample(const struct tokenizer *, const char *text, size_t length,
                      const struct tokenizer_sampling *, tokenizer_piece_fn *emit, void *context);
/* Appends the text of the pieces; with `features`, leading feature pieces follow after a tab. If
 * memory runs out, out->failed is set. */
void tokenizer_join(const struct tokenizer *, struct strbuf *out, const char *const *pieces,
                    int count);
/* The same for pieces [from, to) of a line: the pieces before tell whether capitals go on. */
void tokenizer_join_part(const struct tokenizer *, struct strbuf *out, const char *const *pieces,
                         int from, int to);

/* The same, and span[i] becomes the bytes of `out` that piece i wrote, without blanks around them; a
 * piece that wrote only blanks or nothing has an empty span. Spans do not overlap, and except for
 * features they are in order. */
void tokenizer_join_spans(const struct tokenizer *, struct strbuf *out, const char *const *pieces,
                          int count, struct token_span *span);

/* The position of a piece; `before` is the previous piece, NULL for the first. Features are words
 * of their own. */
enum tokenizer_place tokenizer_place(const struct tokenizer *, const char *before,
                                     const char *piece);
/* Whether the piece is a mark of text/letter_case.h that stands before a word. */
bool tokenizer_is_mark(const struct tokenizer *, const char *piece);
/* Whether the piece is a feature. */
bool tokenizer_is_feature(const struct tokenizer *, const char *piece);

/* The tokenizer's state as bytes for tokenizer_load; false if its row has no state. */
bool tokenizer_state(const struct tokenizer *, const void **bytes, size_t *length);

/* Blanks separate words everywhere; a no-break space does not. */
static inline bool tokenizer_is_blank(char c) { return c == ' ' || c == '\t'; }

#endif
