#include "text/normalizer.h"

#include "base/utf8.h"
#include "text/piece_trie.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

/* ---- Output ---- */

static bool grow(struct normalized *n, size_t more)
{
    if (n->size - n->length > more) /* one more for the end */
        return true;
    if (more > SIZE_MAX / 4 / sizeof *n->origin - n->length)
        return false;
    const size_t size = 2 * (n->length + more) + 32;
    char *text = realloc(n->text, size);
    if (text)
        n->text = text;
    size_t *origin = realloc(n->origin, size * sizeof *origin);
    if (origin)
        n->origin = origin;
    if (!text || !origin)
        return false;
    n->size = size;
    return true;
}

static bool put(struct normalized *n, const char *bytes, size_t length, size_t origin)
{
    if (!grow(n, length))
        return false;
    for (size_t i = 0; i < length; i++) {
        n->text[n->length] = bytes[i];
        n->origin[n->length++] = origin;
    }
    return true;
}

static bool put_blank(const struct normalizer *z, struct normalized *n, size_t origin)
{
    return z->mark_blanks ? put(n, NORMALIZER_MARK, NORMALIZER_MARK_BYTES, origin)
                          : put(n, " ", 1, origin);
}

/* ---- Rules ---- */

/* The first characters of a text and what they become. */
struct chunk {
    const char *text;
    size_t length, taken;
};

static struct chunk next_chunk(const struct normalizer *z, const char *text, size_t length)
{
    struct chunk c = {.text = text};
    c.taken = z->symbols ? piece_trie_longest(z->symbols, text, length) : 0;
    c.length = c.taken;
    if (c.taken)
        return c;
    c.taken = charsmap_longest(&z->map, text, length, &c.text);
    c.length = c.taken ? strlen(c.text) : 0;
    if (c.taken)
        return c;
    c.taken = c.length = utf8_length(*text);
    return c;
}

static bool put_chunk(const struct normalizer *z, struct normalized *n, const struct chunk *c,
                      size_t origin)
{
    const char *text = c->text, *const end = text + c->length;
    while (text < end) {
        const char *blank = memchr(text, ' ', (size_t)(end - text));
        const char *stop = blank ? blank : end;
        if (!put(n, text, (size_t)(stop - text), origin) || (blank && !put_blank(z, n, origin)))
            return false;
        text = stop + (blank != NULL);
    }
    return true;
}

static size_t skip_blanks(const struct normalizer *z, const char *text, size_t length)
{
    size_t at = 0;
    while (at < length) {
        const struct chunk c = next_chunk(z, text + at, length - at);
        if (c.length != 1 || *c.text != ' ')
            break;
        at += c.taken;
    }
    return at;
}

/* Remove blanks from the end; the end then comes from where the first of them did. */
static void drop_blanks(const struct normalizer *z, struct normalized *n, size_t *end)
{
    const char *blank = z->mark_blanks ? NORMALIZER_MARK : " ";
    const size_t bytes = strlen(blank);
    while (n->length >= bytes && memcmp(n->text + n->length - bytes, blank, bytes) == 0) {
        n->length -= bytes;
        *end = n->origin[n->length];
    }
}

/* The chunks of [at, length), in which a blank after a blank is dropped. */
static bool put_chunks(const struct normalizer *z, const char *text, size_t at, size_t length,
                       struct normalized *n)
{
    bool after_blank = z->single_blanks;
    while (at < length) {
        struct chunk c = next_chunk(z, text + at, length - at);
        for (; after_blank && c.length && *c.text == ' '; c.length--)
            c.text++;
        if (!put_chunk(z, n, &c, at))
            return false;
        if (c.length)
            after_blank = z->single_blanks && c.text[c.length - 1] == ' ';
        at += c.taken;
    }
    return true;
}

bool normalizer_run(const struct normalizer *z, const char *text, size_t length,
                    struct normalized *n)
{
    const size_t start = z->single_blanks ? skip_blanks(z, text, length) : 0;
    size_t end = length;
    bool good = grow(n, length + 2 * (size_t)NORMALIZER_MARK_BYTES);
    if (start < length) {
        good = good && (!z->blank_before || put_blank(z, n, start));
        good = good && put_chunks(z, text, start, length, n);
        if (good && z->single_blanks)
            drop_blanks(z, n, &end);
        good = good && (!z->blank_after || put_blank(z, n, end));
    }
    if (good) {
        n->text[n->length] = '\0';
        n->origin[n->length] = end;
    }
    return good;
}

void normalized_release(struct normalized *n)
{
    free(n->text);
    free(n->origin);
    *n = (struct normalized){0};
}
