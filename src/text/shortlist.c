#include "text/shortlist.h"

#include "base/error.h"
#include "base/strbuf.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

enum { BITS = 7, MORE = 1 << BITS };

/* ---- Numbers ---- */

static void put(struct strbuf *s, unsigned number)
{
    for (; number >= MORE; number >>= BITS)
        strbuf_addc(s, (char)(number % MORE | MORE));
    strbuf_addc(s, (char)number);
}

/* The number at *at, which moves behind it; -1 if it ends too late or is `limit` or more. */
static int take(const unsigned char *bytes, size_t length, size_t *at, int limit)
{
    unsigned number = 0;
    for (int shift = 0; *at < length && shift <= 3 * BITS; shift += BITS) {
        const unsigned char byte = bytes[(*at)++];
        number |= (unsigned)(byte % MORE) << shift;
        if (byte < MORE)
            return number < (unsigned)limit ? (int)number : -1;
    }
    return -1;
}

/* ---- Lists ---- */

void shortlist_write(struct strbuf *s, const int *word, int count)
{
    put(s, (unsigned)count);
    for (int i = 0; i < count; i++)
        put(s, (unsigned)word[i]);
}

int shortlist_words(const struct shortlist *l, int source, int most, int *word)
{
    size_t at = l->start[source];
    const int all = take(l->bytes, l->length, &at, SHORTLIST_LONGEST + 1);
    const int count = all > most && source < l->sources ? most : all;
    for (int i = 0; i < count; i++)
        word[i] = take(l->bytes, l->length, &at, l->targets);
    return count;
}

/* Find where each list begins; whether all are good and nothing follows them. */
static bool check(struct shortlist *l)
{
    size_t at = 0;
    for (int i = 0; i <= l->sources; i++) {
        l->start[i] = (uint32_t)at;
        const int count = take(l->bytes, l->length, &at, SHORTLIST_LONGEST + 1);
        if (count < 0)
            return false;
        for (int k = 0; k < count; k++)
            if (take(l->bytes, l->length, &at, l->targets) < 0)
                return false;
    }
    return at == l->length;
}

enum attend_status shortlist_read(struct shortlist **out, const void *bytes, size_t length,
                                  int sources, int targets, const char *name,
                                  struct attend_error *err)
{
    struct shortlist *l = length < UINT32_MAX ? calloc(1, sizeof *l) : NULL;
    if (l) {
        *l = (struct shortlist){.sources = sources, .targets = targets, .length = length};
        l->bytes = malloc(length + 1);
        l->start = calloc((size_t)sources + 1, sizeof *l->start);
    }
    if (!l || !l->bytes || !l->start) {
        shortlist_free(l);
        return error_set(err, ATTEND_NO_MEMORY, "%s: out of memory for %zu bytes", name, length);
    }
    if (length)
        memcpy(l->bytes, bytes, length);
    if (!check(l)) {
        shortlist_free(l);
        return error_set(err, ATTEND_FORMAT, "%s: is damaged: not lists of words of its vocabulary",
                         name);
    }
    *out = l;
    return ATTEND_OK;
}

void shortlist_free(struct shortlist *l)
{
    if (!l)
        return;
    free(l->bytes);
    free(l->start);
    free(l);
}
