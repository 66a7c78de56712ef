/* The tokenizer for text whose pieces already stand apart: words, phonemes, symbols. */
#include "base/strbuf.h"
#include "text/tokenizer.h"

#include <stdbool.h>

static bool is_blank(char c) { return c == ' ' || c == '\t'; }

static void split(const char *text, size_t length, tokenizer_piece_fn *emit, void *context)
{
    for (size_t at = 0; at < length;) {
        const size_t start = at;
        while (at < length && !is_blank(text[at]))
            at++;
        if (at > start)
            emit(context, text + start, at - start);
        while (at < length && is_blank(text[at]))
            at++;
    }
}

static void join(struct strbuf *out, const char *const *pieces, int count)
{
    for (int i = 0; i < count; i++) {
        if (i)
            strbuf_addc(out, ' ');
        strbuf_adds(out, pieces[i]);
    }
}

const struct tokenizer_ops tokenizer_spaces = {
    .name = "spaces",
    .help = "pieces are what stands between spaces or tabs",
    .split = split,
    .join = join,
};
