/* From pieces back to text. */
#include "text/tokenizer.h"

#include "base/bug.h"
#include "base/strbuf.h"
#include "text/letter_case.h"

#include <stdlib.h>
#include <string.h>

enum { BRACKET = sizeof TOKENIZER_OPEN - 1 };

static bool is_feature(const char *piece)
{
    const size_t length = strlen(piece);
    return length > (size_t)2 * BRACKET && memcmp(piece, TOKENIZER_OPEN, BRACKET) == 0 &&
           memcmp(piece + length - BRACKET, TOKENIZER_CLOSE, BRACKET) == 0;
}

static bool continues(const void *context, const char *before, const char *piece)
{
    const struct tokenizer *t = context;
    return t->ops->place(before, piece) == TOKENIZER_CONTINUES;
}

/* The ends of `count` pieces, of which those that were marks wrote nothing, from the ends of the
 * restored ones; `start` is where the text begins. */
static void spread_ends(const struct letter_restored *r, int from, int count, size_t start,
                        const size_t *restored_end, size_t *end)
{
    int k = 0;
    for (int i = 0; i < count; i++) {
        if (k < r->count && r->given[k] == from + i)
            start = restored_end[k++];
        end[i] = start;
    }
}

static void join_marked(const struct tokenizer *t, struct strbuf *out, const char *const *pieces,
                        int from, int to, size_t *end)
{
    struct letter_restored restored;
    const size_t start = out->length;
    size_t *ends = end ? calloc((size_t)(to - from) + 1, sizeof *ends) : NULL;
    letter_restore(&restored, pieces, from, to, continues, t);
    if (restored.failed || (end && !ends))
        out->failed = true;
    else
        t->ops->join(t->state, out, restored.piece, restored.count, ends);
    if (ends && !out->failed)
        spread_ends(&restored, from, to - from, start, ends, end);
    letter_restored_release(&restored);
    free(ends);
}

/* Appends the text of pieces [from, to). Unless `end` is NULL, end[i] becomes out->length after piece
 * from + i. */
static void join_part(const struct tokenizer *t, struct strbuf *out, const char *const *pieces,
                      int from, int to, size_t *end)
{
    BUG_ON(tokenizer_must_learn(t));
    if (t->letter_case == LETTER_CASE_MARKED)
        join_marked(t, out, pieces, from, to, end);
    else /* `pieces` may be NULL, so nothing is added to it */
        t->ops->join(t->state, out, from ? pieces + from : pieces, to - from, end);
}

void tokenizer_join_part(const struct tokenizer *t, struct strbuf *out, const char *const *pieces,
                         int from, int to)
{
    join_part(t, out, pieces, from, to, NULL);
}

/* Appends the text of the pieces. Unless `end` is NULL, end[i] becomes out->length after piece i.
 * Returns how many pieces are features: they are the first of the pieces and the last in the
 * text. */
static int join_pieces(const struct tokenizer *t, struct strbuf *out, const char *const *pieces,
                       int count, size_t *end)
{
    int features = 0;
    while (t->features && features < count && is_feature(pieces[features]))
        features++;
    join_part(t, out, pieces, features, count, end ? end + features : NULL);
    for (int i = 0; i < features; i++) {
        strbuf_addc(out, i ? ';' : '\t');
        strbuf_add(out, pieces[i] + BRACKET, strlen(pieces[i]) - (size_t)2 * BRACKET);
        if (end)
            end[i] = out->length;
    }
    return features;
}

void tokenizer_join(const struct tokenizer *t, struct strbuf *out, const char *const *pieces,
                    int count)
{
    join_pieces(t, out, pieces, count, NULL);
}

/* The bytes [from, to) of a text without the blanks around them. */
static struct token_span trimmed(const char *text, size_t from, size_t to)
{
    const size_t start = from;
    while (from < to && tokenizer_is_blank(text[from]))
        from++;
    while (to > from && tokenizer_is_blank(text[to - 1]))
        to--;
    return from < to ? (struct token_span){from, to} : (struct token_span){start, start};
}

void tokenizer_join_spans(const struct tokenizer *t, struct strbuf *out, const char *const *pieces,
                          int count, struct token_span *span)
{
    const size_t start = out->length;
    size_t *end = calloc((size_t)count + 1, sizeof *end);
    const int features = end ? join_pieces(t, out, pieces, count, end) : 0;
    out->failed = out->failed || !end;
    for (int k = 0; k < count && !out->failed; k++) {
        /* The pieces of the text, then the features: the order in which they were written. */
        const int i = (k + features) % count;
        const size_t separator = i < features; /* the tab or semicolon before a feature */
        const size_t from = (k ? end[(k - 1 + features) % count] : start) + separator;
        span[i] = trimmed(out->text ? out->text : "", from, end[i]);
    }
    free(end);
}

bool tokenizer_is_feature(const struct tokenizer *t, const char *piece)
{
    return t->features && is_feature(piece);
}

bool tokenizer_is_mark(const struct tokenizer *t, const char *piece)
{
    return t->letter_case == LETTER_CASE_MARKED && letter_mark_of(piece, strlen(piece)) >= 0;
}

enum tokenizer_place tokenizer_place(const struct tokenizer *t, const char *before,
                                     const char *piece)
{
    if (tokenizer_is_feature(t, piece))
        return TOKENIZER_BEGINS;
    return t->ops->place(before && tokenizer_is_feature(t, before) ? NULL : before, piece);
}
