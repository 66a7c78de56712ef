/* Tokenizers: text into the pieces that a vocabulary numbers, and pieces back into text.
 *
 * A line goes through three steps: a Unicode normal form; with `features`, the first tab ends the
 * text and what follows it, cut at each `;`, are features (V;PST), which become pieces of their
 * own, between U+27E8 and U+27E9, in front of the text's; and the split of the tokenizer's row. A
 * tokenizer that is ready (made, and learned or loaded if its row has state) does not change: many
 * threads may use one. */
#ifndef ATTEND_TEXT_TOKENIZER_H
#define ATTEND_TEXT_TOKENIZER_H

#include "attend/status.h"
#include "base/utf8.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct strbuf;
struct vocab;

/* One piece of a line. */
struct tokenizer_piece {
    const char *text; /* its spelling, without a NUL behind it */
    size_t length;    /* at least 1 */
    size_t from, to;  /* the bytes of the line that it was made from; none when they are equal */
};
/* Receives the pieces of a line one after the other; each is valid only during the call. */
typedef void tokenizer_piece_fn(void *context, const struct tokenizer_piece *);

/* A walk over lines of valid UTF-8 (no LF, no NUL): the next one, or false when there is none. The
 * text need not outlive the following call. */
struct tokenizer_walk {
    bool (*next)(void *context, const char **text, size_t *length);
    void *context;
};

/* How a row with state learns it from text. */
extern const char *const tokenizer_methods[]; /* their names; NULL ends them */
struct tokenizer_lesson {
    int vocab_size;     /* ids wanted, the special ones included; small text gives fewer */
    const char *method; /* one of tokenizer_methods; NULL: the first */
};

/* How a piece stands to the words of a line, which are what blanks separate. */
enum tokenizer_place {
    TOKENIZER_BEGINS,    /* a word */
    TOKENIZER_CONTINUES, /* the word before */
    TOKENIZER_BETWEEN,   /* words: it is a blank */
};

/* A segmentation that is drawn instead of the best one; see text/segment.h. */
struct tokenizer_draw {
    double alpha; /* above 0 */
    uint64_t key; /* the same key draws the same pieces of a text */
};

/* A row of the table. The functions of one with state get that state; the others get NULL. */
struct tokenizer_ops {
    const char *name;
    const char *help; /* one line for --help */
    /* Hands over the pieces of one line of valid UTF-8 (no LF, no NUL) in their order, with their
     * places in this text; false when memory ran out. */
    bool (*split)(const void *state, const char *text, size_t length, tokenizer_piece_fn *emit,
                  void *context);
    /* Appends the text of the pieces. What split made of a text, join turns back into it, but for
     * white space that the tokenizer does not keep. */
    void (*join)(const void *state, struct strbuf *out, const char *const *pieces, int count);
    /* Of a piece and the one before it, NULL for the first. */
    enum tokenizer_place (*place)(const char *before, const char *piece);

    /* ---- For rows with state alone ---- */
    enum attend_status (*learn)(void **state, const struct tokenizer_walk *,
                                const struct tokenizer_lesson *, struct attend_error *err);
    /* From bytes that need not be trusted: ATTEND_FORMAT when they are wrong. */
    enum attend_status (*load)(void **state, const void *bytes, size_t length,
                               struct attend_error *err);
    /* What load takes; the bytes are the state's. */
    void (*save)(const void *state, const void **bytes, size_t *length);
    /* The i-th piece of those it was made with, in its order; NULL past the last. */
    const char *(*piece)(const void *state, int i);
    void (*free)(void *state);
    /* As split, but other pieces of the same text; NULL when a text has only one segmentation. */
    bool (*sample)(const void *state, const char *text, size_t length,
                   const struct tokenizer_draw *, tokenizer_piece_fn *emit, void *context);
};

/* To add one:
 * 1. write text/<name>.c, which defines `const struct tokenizer_ops tokenizer_<name>` (spaces.c is
 *    a short example);
 * 2. add X(<name>) to the list: models save this name, so it stays;
 * 3. write what it should make of a few texts in tokenizer_test.c and of their words in
 * fold_test.c; the checks of every row (round trip, hard text) and --help follow the list by
 * themselves. */
#define TOKENIZER_LIST(X) X(spaces) X(char) X(word) X(sentencepiece)

#define TOKENIZER_ROW(name) extern const struct tokenizer_ops tokenizer_##name;
TOKENIZER_LIST(TOKENIZER_ROW)
#undef TOKENIZER_ROW

#define TOKENIZER_ONE(name) +1
enum { TOKENIZER_COUNT = 0 TOKENIZER_LIST(TOKENIZER_ONE) };
#undef TOKENIZER_ONE

extern const struct tokenizer_ops *const tokenizers[TOKENIZER_COUNT];

/* NULL when there is none of that name. */
const struct tokenizer_ops *tokenizer_find(const char *name);

/* What every row can be given beside its name; all zero is nothing. */
struct tokenizer_settings {
    const char *form; /* one of utf8_forms; NULL: none */
    bool features;
};

struct tokenizer {
    const struct tokenizer_ops *ops;
    enum utf8_form form;
    bool features;
    void *state; /* NULL when the row has none, or none yet */
};

/* One that is ready, or that lacks its state and must learn. `settings` may be NULL. */
enum attend_status tokenizer_new(struct tokenizer **out, const char *name,
                                 const struct tokenizer_settings *, struct attend_error *err);
/* One that is ready, from what tokenizer_state gave (or a .model file of SentencePiece); length 0
 * when the row has no state. The bytes need not be trusted: ATTEND_FORMAT when they are wrong. */
enum attend_status tokenizer_load(struct tokenizer **out, const char *name,
                                  const struct tokenizer_settings *, const void *bytes,
                                  size_t length, struct attend_error *err);
/* Another one that does the same. */
enum attend_status tokenizer_copy(struct tokenizer **out, const struct tokenizer *,
                                  struct attend_error *err);
void tokenizer_free(struct tokenizer *);

/* Whether it must learn before it is used. */
bool tokenizer_must_learn(const struct tokenizer *);
/* One walk over the text, which is kept in memory meanwhile: the caller limits it to a sample. A
 * tokenizer that need not learn takes no walk. */
enum attend_status tokenizer_learn(struct tokenizer *, const struct tokenizer_walk *,
                                   const struct tokenizer_lesson *, struct attend_error *err);
/* The vocabulary for a text: the tokenizer's own pieces in their order and the features of the text
 * after them, or, when it has no pieces of its own, the most frequent `max_size` of the text
 * (text/vocab.h). Takes at most one walk. */
enum attend_status tokenizer_vocab(struct vocab **out, const struct tokenizer *,
                                   const struct tokenizer_walk *, int max_size,
                                   struct attend_error *err);

/* The pieces with their places in the text as it is given, before any normal form. False when
 * memory ran out; some pieces may have been handed over. */
bool tokenizer_split(const struct tokenizer *, const char *text, size_t length,
                     tokenizer_piece_fn *emit, void *context);
/* The same with pieces that are drawn, where the row can; features stay as they are. */
bool tokenizer_sample(const struct tokenizer *, const char *text, size_t length,
                      const struct tokenizer_draw *, tokenizer_piece_fn *emit, void *context);
/* Appends the text of the pieces; with `features`, leading ones stand behind a tab again. Running
 * out of memory is remembered in `out`. */
void tokenizer_join(const struct tokenizer *, struct strbuf *out, const char *const *pieces,
                    int count);

/* Of a piece and the one before it, NULL for the first; features are words of their own. */
enum tokenizer_place tokenizer_place(const struct tokenizer *, const char *before,
                                     const char *piece);
/* Whether it is a feature. */
bool tokenizer_is_feature(const struct tokenizer *, const char *piece);

/* The tokenizer's own bytes, which tokenizer_load takes; false when its row has none. */
bool tokenizer_state(const struct tokenizer *, const void **bytes, size_t *length);

/* What separates words everywhere; a no-break space is there to keep one together. */
static inline bool tokenizer_is_blank(char c) { return c == ' ' || c == '\t'; }

#endif
