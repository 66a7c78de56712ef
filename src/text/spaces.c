/* The tokenizer for text whose pieces are already separated: words, phonemes, symbols. */
#include "base/strbuf.h"
#include "text/tokenizer.h"

static bool split(const void *state, const char *text, size_t length, tokenizer_piece_fn *emit,
                  void *context)
{
    (void)state;
    for (size_t at = 0; at < length;) {
        const size_t start = at;
        while (at < length && !tokenizer_is_blank(text[at]))
            at++;
        if (at > start)
            emit(context, &(struct tokenizer_piece){text + start, at - start, start, at});
        while (at < length && tokenizer_is_blank(text[at]))
            at++;
    }
    return true;
}

static void join(const void *state, struct strbuf *out, const char *const *pieces, int count,
                 size_t *end)
{
    (void)state;
    for (int i = 0; i < count; i++) {
        if (i)
            strbuf_addc(out, ' ');
        strbuf_adds(out, pieces[i]);
        if (end)
            end[i] = out->length;
    }
}

static enum tokenizer_place place(const char *before, const char *piece)
{
    (void)before, (void)piece;
    return TOKENIZER_BEGINS;
}

const struct tokenizer_ops tokenizer_spaces = {
    .name = "spaces",
    .help = "pieces are separated by spaces or tabs",
    .split = split,
    .join = join,
    .place = place,
};
