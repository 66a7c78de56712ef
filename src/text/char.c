/* The tokenizer for spelling: every grapheme cluster (what a reader calls a character) is a piece,
 * including spaces within the line. */
#include "base/strbuf.h"
#include "base/utf8.h"
#include "text/tokenizer.h"

static bool split(const void *state, const char *text, size_t length, tokenizer_piece_fn *emit,
                  void *context)
{
    (void)state;
    size_t at = 0, end = length;
    while (at < end && tokenizer_is_blank(text[at]))
        at++;
    while (end > at && tokenizer_is_blank(text[end - 1]))
        end--;
    while (at < end) {
        const size_t bytes = utf8_cluster(text + at, end - at);
        emit(context, &(struct tokenizer_piece){text + at, bytes, at, at + bytes});
        at += bytes;
    }
    return true;
}

static void join(const void *state, struct strbuf *out, const char *const *pieces, int count,
                 size_t *end)
{
    (void)state;
    for (int i = 0; i < count; i++) {
        strbuf_adds(out, pieces[i]);
        if (end)
            end[i] = out->length;
    }
}

static bool is_blank(const char *piece)
{
    while (tokenizer_is_blank(*piece))
        piece++;
    return !*piece;
}

static enum tokenizer_place place(const char *before, const char *piece)
{
    if (is_blank(piece))
        return TOKENIZER_BETWEEN;
    return before && !is_blank(before) ? TOKENIZER_CONTINUES : TOKENIZER_BEGINS;
}

const struct tokenizer_ops tokenizer_char = {
    .name = "char",
    .help = "pieces are characters; accents and joined emoji stay whole",
    .split = split,
    .join = join,
    .place = place,
};
