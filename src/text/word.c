/* The tokenizer for running text: words (runs of letters, marks and numbers), and every other
 * character that is not a blank as a piece of its own. Punctuation carries U+FFED on the sides
 * where it touches its neighbor, so that the text can be restored. Where two pieces touch, the
 * right one carries the mark in front if it is punctuation; otherwise the left one carries it at
 * its end.
 *
 * A U+FFED in the text itself becomes U+25A0, the same square in normal width. */
#include "base/strbuf.h"
#include "base/utf8.h"
#include "text/tokenizer.h"

#include <string.h>

static const char MARK[] = "\xEF\xBF\xAD", SQUARE[] = "\xE2\x96\xA0"; /* U+FFED, U+25A0 */
enum { MARK_BYTES = sizeof MARK - 1 };

/* Zero-width joiners and non-joiners are part of the word around them. */
static bool is_shaper(const char *text, size_t length)
{
    return length >= 3 &&
           (memcmp(text, "\xE2\x80\x8C", 3) == 0 || memcmp(text, "\xE2\x80\x8D", 3) == 0);
}

/* The length in bytes of the word at the start of the text; 0 when there is none. */
static size_t word_length(const char *text, size_t length)
{
    size_t at = 0;
    while (at < length) {
        bool in_word;
        const size_t bytes = utf8_point(text + at, length - at, &in_word);
        if (!in_word && !(at && is_shaper(text + at, length - at)))
            break;
        at += bytes;
    }
    return at;
}

static size_t blank_length(const char *text, size_t length, bool blank)
{
    size_t at = 0;
    while (at < length && tokenizer_is_blank(text[at]) == blank)
        at++;
    return at;
}

static bool has_mark(const char *text) { return memcmp(text, MARK, MARK_BYTES) == 0; }

/* A punctuation piece with its marks. */
static void add_marked(struct strbuf *out, const char *text, size_t length, bool before, bool after)
{
    strbuf_clear(out);
    if (before)
        strbuf_adds(out, MARK);
    for (size_t at = 0; at < length;) {
        const bool own = length - at >= MARK_BYTES && has_mark(text + at);
        strbuf_add(out, own ? SQUARE : text + at, own ? MARK_BYTES : 1);
        at += own ? MARK_BYTES : 1;
    }
    if (after)
        strbuf_adds(out, MARK);
}

/* Emits the pieces of [from, to), a part of the text without blanks. */
static bool split_chunk(const char *text, size_t from, size_t to, tokenizer_piece_fn *emit,
                        void *context)
{
    struct strbuf marked = {0};
    for (size_t at = from; at < to && !marked.failed;) {
        const char *piece = text + at;
        size_t end = at + word_length(piece, to - at);
        if (end > at) {
            emit(context, &(struct tokenizer_piece){piece, end - at, at, end});
            at = end;
            continue;
        }
        /* A grapheme cluster: an emoji sequence is one piece. */
        end = at + utf8_cluster(piece, to - at);
        add_marked(&marked, piece, end - at, at > from, word_length(text + end, to - end) > 0);
        if (!marked.failed)
            emit(context, &(struct tokenizer_piece){marked.text, marked.length, at, end});
        at = end;
    }
    const bool good = !marked.failed;
    strbuf_release(&marked);
    return good;
}

static bool split(const void *state, const char *text, size_t length, tokenizer_piece_fn *emit,
                  void *context)
{
    (void)state;
    for (size_t at = 0; at < length;) {
        at += blank_length(text + at, length - at, true);
        const size_t bytes = blank_length(text + at, length - at, false);
        if (!split_chunk(text, at, at + bytes, emit, context))
            return false;
        at += bytes;
    }
    return true;
}

static void join(const void *state, struct strbuf *out, const char *const *pieces, int count,
                 size_t *end)
{
    (void)state;
    bool touches = true; /* the previous piece, or the start of the line */
    for (int i = 0; i < count; i++) {
        const char *piece = pieces[i];
        size_t length = strlen(piece);
        const bool before = length >= MARK_BYTES && has_mark(piece);
        if (!before && !touches)
            strbuf_addc(out, ' ');
        piece += before ? MARK_BYTES : 0;
        length -= before ? MARK_BYTES : 0;
        touches = length >= MARK_BYTES && has_mark(piece + length - MARK_BYTES);
        strbuf_add(out, piece, length - (touches ? MARK_BYTES : 0));
        if (end)
            end[i] = out->length;
    }
}

static enum tokenizer_place place(const char *before, const char *piece)
{
    const size_t length = before ? strlen(before) : 0;
    const bool touches = length >= MARK_BYTES && has_mark(before + length - MARK_BYTES);
    const bool marked = strncmp(piece, MARK, MARK_BYTES) == 0;
    return before && (touches || marked) ? TOKENIZER_CONTINUES : TOKENIZER_BEGINS;
}

const struct tokenizer_ops tokenizer_word = {
    .name = "word",
    .help = "pieces are words and punctuation",
    .split = split,
    .join = join,
    .place = place,
};
