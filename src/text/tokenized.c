#include "text/tokenized.h"

#include "base/bug.h"
#include "base/error.h"
#include "base/utf8.h"
#include "text/tokenizer.h"
#include "text/vocab.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

/* A text while it is cut. */
struct cut {
    struct tokenized *out;
    const struct corpus_side *side;
    size_t base;   /* of the text proper in the text as given */
    size_t tokens; /* of all texts so far */
};

/* ---- One token more ---- */

static bool grow(struct tokenized *t, size_t tokens)
{
    if (tokens < t->size)
        return true;
    const size_t size = t->size ? 2 * t->size : 64;
    if (size > SIZE_MAX / 2 / sizeof *t->span)
        return false;
    int *ids = realloc(t->ids.ids, size * sizeof *ids);
    t->ids.ids = ids ? ids : t->ids.ids;
    struct token_span *span = realloc(t->span, size * sizeof *span);
    t->span = span ? span : t->span;
    size_t *spelt = realloc(t->spelt, size * sizeof *spelt);
    t->spelt = spelt ? spelt : t->spelt;
    if (!ids || !span || !spelt)
        return false;
    t->size = size;
    return true;
}

static void add_token(void *context, const struct tokenizer_piece *piece)
{
    struct cut *c = context;
    struct tokenized *t = c->out;
    if (t->failed || !grow(t, c->tokens)) {
        t->failed = true;
        return;
    }
    t->ids.ids[c->tokens] = vocab_id(c->side->vocab, piece->text, piece->length);
    t->span[c->tokens] = (struct token_span){c->base + piece->from, c->base + piece->to};
    t->spelt[c->tokens++] = t->spelling.length;
    strbuf_add(&t->spelling, piece->text, piece->length);
    strbuf_addc(&t->spelling, '\0');
    t->failed = t->failed || t->spelling.failed;
}

/* ---- Pieces with spaces between ---- */

static const char MARK[] = "\xE2\x96\x81"; /* U+2581, for a blank in a piece */
enum { MARK_BYTES = sizeof MARK - 1 };

static void add_blanks(struct strbuf *out, const char *piece, size_t length)
{
    for (size_t at = 0; at < length;) {
        const bool mark = length - at >= MARK_BYTES && memcmp(piece + at, MARK, MARK_BYTES) == 0;
        strbuf_addc(out, mark ? ' ' : piece[at]);
        at += mark ? MARK_BYTES : 1;
    }
}

/* A piece as the vocabulary has it: as it stands, or with blanks for the marks. */
static void add_piece(struct cut *c, const char *text, size_t from, size_t to)
{
    struct strbuf blanks = {0};
    struct tokenizer_piece piece = {text + from, to - from, from, to};
    add_blanks(&blanks, piece.text, piece.length);
    c->out->failed = c->out->failed || blanks.failed;
    if (!blanks.failed && vocab_id(c->side->vocab, piece.text, piece.length) == VOCAB_UNK &&
        vocab_id(c->side->vocab, blanks.text, blanks.length) != VOCAB_UNK) {
        piece.text = blanks.text;
        piece.length = blanks.length;
    }
    add_token(c, &piece);
    strbuf_release(&blanks);
}

static void cut_pieces(struct cut *c, const char *text, size_t length)
{
    for (size_t at = 0; at < length;) {
        const char *space = memchr(text + at, ' ', length - at);
        const size_t end = space ? (size_t)(space - text) : length;
        if (end > at)
            add_piece(c, text, at, end);
        at = end + 1;
    }
}

/* ---- Texts ---- */

/* Without what does not belong to it. */
static void trim(const char **text, size_t *length, size_t *base)
{
    static const char mark[] = "\xEF\xBB\xBF";
    enum { BYTES = sizeof mark - 1 };
    *base = 0;
    if (*length >= BYTES && memcmp(*text, mark, BYTES) == 0)
        *base = BYTES;
    *text += *base;
    *length -= *base;
    while (*length && (*text)[*length - 1] == '\r')
        --*length;
}

static enum attend_status check(const char *text, size_t length, const char *name, int number,
                                struct attend_error *err)
{
    size_t bad;
    if (!utf8_valid(text, length, &bad))
        return error_set(err, ATTEND_DATA,
                         "%s:%d: invalid UTF-8 at byte %zu of the line; convert it to UTF-8", name,
                         number, bad + 1);
    if (memchr(text, '\n', length))
        return error_set(err, ATTEND_DATA, "%s:%d: holds a line end; give one line at a time", name,
                         number);
    return ATTEND_OK;
}

static enum attend_status add_text(struct cut *c, enum tokenized_as as, const char *text,
                                   struct attend_error *err)
{
    struct tokenized *t = c->out;
    const int number = t->ids.count + 1;
    size_t length = strlen(text);
    const enum attend_status status = check(text, length, c->side->name, number, err);
    if (status)
        return status;
    trim(&text, &length, &c->base);
    if (as == TOKENIZED_PIECES)
        cut_pieces(c, text, length);
    else if (!tokenizer_split(c->side->tokenizer, text, length, add_token, c))
        t->failed = true;
    if (t->failed)
        return error_set(err, ATTEND_NO_MEMORY, "%s:%d: out of memory for its tokens",
                         c->side->name, number);
    if (c->tokens - t->ids.start[t->ids.count] > SEQUENCES_MAX_LENGTH)
        return error_set(err, ATTEND_DATA, "%s:%d: has more than %d pieces; shorten the line",
                         c->side->name, number, SEQUENCES_MAX_LENGTH);
    t->ids.start[++t->ids.count] = c->tokens;
    return ATTEND_OK;
}

enum attend_status tokenized_make(struct tokenized *out, const struct corpus_side *side,
                                  enum tokenized_as as, const char *const *text, int count,
                                  struct attend_error *err)
{
    struct tokenized t = {.ids.start = calloc((size_t)count + 1, sizeof *t.ids.start)};
    struct cut cut = {.out = &t, .side = side};
    enum attend_status status = ATTEND_OK;
    if (!t.ids.start || !grow(&t, 0))
        status =
            error_set(err, ATTEND_NO_MEMORY, "%s: out of memory for %d lines", side->name, count);
    for (int i = 0; i < count && !status; i++)
        status = add_text(&cut, as, text[i], err);
    if (status)
        tokenized_release(&t);
    else
        *out = t;
    return status;
}

void tokenized_release(struct tokenized *t)
{
    sequences_release(&t->ids);
    free(t->span);
    free(t->spelt);
    strbuf_release(&t->spelling);
    *t = (struct tokenized){0};
}

/* ---- Looking ---- */

static size_t index_of(const struct tokenized *t, int i, int k)
{
    BUG_ON(i < 0 || i >= t->ids.count || k < 0 || k >= tokenized_count(t, i));
    return t->ids.start[i] + (size_t)k;
}

const char *tokenized_spelling(const struct tokenized *t, int i, int k)
{
    return t->spelling.text + t->spelt[index_of(t, i, k)];
}

struct token_span tokenized_span(const struct tokenized *t, int i, int k)
{
    return t->span[index_of(t, i, k)];
}
