/* Lists what a vocabulary lacks, for people: the text and its position in code points. */
#include "text/tokenized.h"
#include "text/tokenizer.h"
#include "text/vocab.h"

#include <stdlib.h>

/* Counts the code points of a text up to a byte. */
struct ruler {
    const char *text;
    size_t byte;
    int points;
};

static int measure(struct ruler *r, size_t byte)
{
    if (byte < r->byte)
        *r = (struct ruler){.text = r->text}; /* features stand before the text */
    for (; r->byte < byte; r->byte++)
        r->points += ((unsigned char)r->text[r->byte] & 0xC0) != 0x80;
    return r->points;
}

static bool make_room(struct tokenized *t)
{
    if (t->unknowns < t->unknown_size)
        return true;
    const int size = t->unknown_size ? 2 * t->unknown_size : 16;
    struct token_unknown *more = realloc(t->unknown, (size_t)size * sizeof *more);
    if (!more)
        return false;
    t->unknown = more;
    t->unknown_size = size;
    return true;
}

static bool add(struct tokenized *t, struct ruler *ruler, struct token_span span)
{
    while (span.from < span.to && tokenizer_is_blank(ruler->text[span.from]))
        span.from++;
    if (span.from == span.to)
        return true;
    if (!make_room(t))
        return false;
    const int start = measure(ruler, span.from), end = measure(ruler, span.to);
    t->unknown[t->unknowns++] =
        (struct token_unknown){t->ids.count - 1, start, end, t->spelling.length};
    strbuf_add(&t->spelling, ruler->text + span.from, span.to - span.from);
    strbuf_addc(&t->spelling, '\0');
    return !t->spelling.failed;
}

bool tokenized_list_unknown(struct tokenized *t, const char *given)
{
    struct ruler ruler = {.text = given};
    const size_t end = t->ids.start[t->ids.count];
    bool good = true;
    for (size_t k = t->ids.start[t->ids.count - 1]; k < end && good; k++) {
        if (t->ids.ids[k] != VOCAB_UNK)
            continue;
        struct token_span span = t->span[k];
        while (k + 1 < end && t->ids.ids[k + 1] == VOCAB_UNK && t->span[k + 1].from == span.to)
            span.to = t->span[++k].to;
        good = add(t, &ruler, span);
    }
    return good;
}

const struct token_unknown *tokenized_unknown(const struct tokenized *t, int i, int *count)
{
    int low = 0, high = t->unknowns; /* the first entry of a text >= i */
    while (low < high) {
        const int middle = low + (high - low) / 2;
        if (t->unknown[middle].text < i)
            low = middle + 1;
        else
            high = middle;
    }
    *count = 0;
    while (low + *count < t->unknowns && t->unknown[low + *count].text == i)
        ++*count;
    return *count ? &t->unknown[low] : NULL;
}
