#include "text/tokenized.h"

#include "base/bug.h"
#include "base/error.h"
#include "base/utf8.h"
#include "text/known.h"
#include "text/languages.h"
#include "text/tokenizer.h"
#include "text/vocab.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

/* A text that is being cut. */
struct cut {
    struct tokenized *out;
    const struct tokenizing *side;
    const char *text;                 /* trimmed */
    size_t base;                      /* start of the trimmed text in the given text */
    size_t tokens;                    /* in all texts so far */
    int unknown;                      /* tokens of this text */
    const struct utf8_origin *origin; /* of a text with replaced words; or NULL */
};

/* ---- Adding a token ---- */

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
    size_t *spelled = realloc(t->spelled, size * sizeof *spelled);
    t->spelled = spelled ? spelled : t->spelled;
    if (!ids || !span || !spelled)
        return false;
    t->size = size;
    return true;
}

/* The position of a piece in the trimmed text. */
static struct token_span span_of(const struct cut *c, const struct tokenizer_piece *piece)
{
    if (!c->origin)
        return (struct token_span){piece->from, piece->to};
    const size_t from = utf8_origin_from(c->origin, piece->from);
    return (struct token_span){from, piece->to > piece->from ? utf8_origin_to(c->origin, piece->to)
                                                             : from};
}

static void add_id(struct cut *c, const struct tokenizer_piece *piece, int id)
{
    struct tokenized *t = c->out;
    const struct token_span span = span_of(c, piece);
    if (t->failed || !grow(t, c->tokens)) {
        t->failed = true;
        return;
    }
    t->ids.ids[c->tokens] = id;
    t->span[c->tokens] = (struct token_span){c->base + span.from, c->base + span.to};
    t->spelled[c->tokens++] = t->spelling.length;
    if (c->side->tokenizer->letter_case == LETTER_CASE_LOWER)
        letter_unfold(&t->spelling, piece->text, piece->length, c->text + span.from,
                      span.to - span.from);
    else
        strbuf_add(&t->spelling, piece->text, piece->length);
    strbuf_addc(&t->spelling, '\0');
    t->failed = t->failed || t->spelling.failed;
}

static void add_token(void *context, const struct tokenizer_piece *piece)
{
    struct cut *c = context;
    const int id = vocab_id(c->side->vocab, piece->text, piece->length);
    c->unknown += id == VOCAB_UNK;
    add_id(c, piece, id);
}

static void add_tags(struct cut *c, int text)
{
    const struct languages *l = c->side->languages;
    int id[LANGUAGES_TAGS];
    c->out->tags = languages_ids(l, c->side->pair[text], id);
    for (int k = 0; k < c->out->tags; k++) {
        struct strbuf tag = {0};
        languages_spell(l, c->side->pair[text], k, &tag);
        c->out->failed = c->out->failed || tag.failed;
        if (!tag.failed)
            add_id(c, &(struct tokenizer_piece){tag.text, tag.length, 0, 0}, id[k]);
        strbuf_release(&tag);
    }
}

/* ---- Pieces separated by spaces ---- */

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

/* Add a piece as the vocabulary has it: literally, or with blanks for the marks. */
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

/* Removes a byte order mark and trailing carriage returns. */
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
        return error_item(err, ATTEND_DATA, name, number - 1,
                          "invalid UTF-8 at byte %zu; convert it to UTF-8", bad + 1);
    if (memchr(text, '\n', length))
        return error_item(err, ATTEND_DATA, name, number - 1,
                          "holds a line end; give one line at a time");
    return ATTEND_OK;
}

/* The unknown tokens of the text that is being cut, without features; returns how many. */
static int unknown_ranges(const struct cut *c, struct known_range *range)
{
    const struct tokenized *t = c->out;
    int count = 0;
    for (size_t k = t->ids.start[t->ids.count]; k < c->tokens; k++) {
        const struct known_range r = {t->span[k].from - c->base, t->span[k].to - c->base};
        if (t->ids.ids[k] == VOCAB_UNK && r.to > r.from &&
            (count == 0 || r.from >= range[count - 1].to) &&
            !tokenizer_is_feature(c->side->tokenizer, t->spelling.text + t->spelled[k]))
            range[count++] = r;
    }
    return count;
}

/* Cut the text, whose tokens are those from `first` on, again with known forms of its unknown words,
 * if there are any. */
static void cut_again(struct cut *c, size_t first, size_t length)
{
    struct tokenized *t = c->out;
    const bool beside = c->tokens - first > (size_t)c->unknown;
    struct known_text known = {0};
    struct known_range *range = calloc((size_t)c->unknown, sizeof *range);
    const int count = range ? unknown_ranges(c, range) : 0;
    if (known_rewrite(&known, c->side, c->text, length, range, count, beside)) {
        c->tokens = first;
        c->unknown = 0;
        t->spelling.length = t->spelled[first];
        c->origin = &known.origin;
        t->failed = !tokenizer_split(c->side->tokenizer, known.text.text, known.text.length,
                                     add_token, c) ||
                    t->failed;
        c->origin = NULL;
    }
    t->failed = t->failed || !range || known.text.failed;
    known_release(&known);
    free(range);
}

/* Whether the last text, whose tags end at `tagged`, has too many tokens. */
static bool is_too_long(const struct cut *c, size_t tagged)
{
    const size_t most = c->side->most ? (size_t)c->side->most : SEQUENCES_MAX_LENGTH;
    const size_t start = c->side->most ? tagged : c->out->ids.start[c->out->ids.count];
    return c->tokens - start > most;
}

static enum attend_status add_text(struct cut *c, enum tokenized_as as, const char *text,
                                   struct attend_error *err)
{
    struct tokenized *t = c->out;
    const char *given = text;
    const int number = t->ids.count + 1;
    size_t length = strlen(text);
    const enum attend_status status = check(text, length, c->side->name, number, err);
    if (status)
        return status;
    trim(&text, &length, &c->base);
    c->text = text;
    c->unknown = 0;
    if (c->side->languages)
        add_tags(c, t->ids.count);
    const size_t tagged = c->tokens;
    if (as == TOKENIZED_PIECES)
        cut_pieces(c, text, length);
    else if (!tokenizer_split(c->side->tokenizer, text, length, add_token, c))
        t->failed = true;
    if (as == TOKENIZED_SOURCE && c->unknown && !t->failed)
        cut_again(c, tagged, length);
    if (t->failed)
        return error_item(err, ATTEND_NO_MEMORY, c->side->name, number - 1,
                          "out of memory for its tokens");
    if (is_too_long(c, tagged))
        return error_item(err, ATTEND_DATA, c->side->name, number - 1,
                          "has more than %d pieces; shorten the line",
                          c->side->most ? c->side->most : SEQUENCES_MAX_LENGTH);
    if (c->tokens == tagged) /* a text without words has no tags */
        c->tokens = t->ids.start[t->ids.count];
    t->ids.start[++t->ids.count] = c->tokens;
    return !c->unknown || tokenized_list_unknown(t, given)
               ? ATTEND_OK
               : error_item(err, ATTEND_NO_MEMORY, c->side->name, number - 1,
                            "out of memory for its unknown words");
}

enum attend_status tokenized_make(struct tokenized *out, const struct tokenizing *side,
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
    free(t->spelled);
    free(t->unknown);
    strbuf_release(&t->spelling);
    *t = (struct tokenized){0};
}

/* ---- Access ---- */

static size_t index_of(const struct tokenized *t, int i, int k)
{
    BUG_ON(i < 0 || i >= t->ids.count || k < 0 || k >= tokenized_count(t, i));
    return t->ids.start[i] + (size_t)k;
}

const char *tokenized_spelling(const struct tokenized *t, int i, int k)
{
    return t->spelling.text + t->spelled[index_of(t, i, k)];
}

struct token_span tokenized_span(const struct tokenized *t, int i, int k)
{
    return t->span[index_of(t, i, k)];
}
