#include "metric/units.h"

#include "base/utf8.h"

#include <stdlib.h>
#include <string.h>

static const char BLANKS[] = " \t\n\v\f\r";

static void add(struct units *u, int id, size_t start, size_t length)
{
    if (u->id.count == u->room) {
        const int room = u->room ? 2 * u->room : 64;
        struct unit_span *span = realloc(u->span, (size_t)room * sizeof *span);
        u->failed = u->failed || !span;
        if (!span)
            return;
        u->span = span;
        u->room = room;
    }
    u->span[u->id.count] = (struct unit_span){start, length};
    symbols_add(&u->id, id);
}

/* The number of a symbol: equal texts get the same one. */
static int number(struct words *w, const char *text, size_t length)
{
    int node = 0;
    for (size_t at = 0; at < length;) {
        int32_t point = 0;
        at += utf8_next(text + at, length - at, &point);
        node = trie_step(&w->names, node, point);
    }
    return node;
}

static void add_characters(struct words *w, struct units *out, const char *text)
{
    const size_t all = strlen(text);
    size_t gap = 0; /* where the white space before this character begins; all + 1: none */
    for (size_t at = 0, length; at < all; at += length) {
        length = utf8_cluster(text + at, all - at);
        if (strchr(BLANKS, text[at])) {
            gap = gap > all ? at : gap;
            continue;
        }
        if (gap <= all && out->id.count > 0)
            add(out, number(w, " ", 1), gap, 1);
        add(out, number(w, text + at, length), at, length);
        gap = all + 1;
    }
}

static void add_tokens(struct words *w, struct units *out, const char *text)
{
    const size_t all = strlen(text);
    size_t start = 0;
    for (size_t at = 0, length; at < all; at += length) {
        int32_t point = 0;
        length = utf8_next(text + at, all - at, &point);
        if (!symbols_blank(point))
            continue;
        if (at > start)
            add(out, number(w, text + start, at - start), start, at - start);
        start = at + length;
    }
    if (all > start)
        add(out, number(w, text + start, all - start), start, all - start);
}

void units_read(struct words *w, struct units *out, const char *text, bool characters,
                bool lowercase)
{
    strbuf_clear(&out->line);
    symbols_clear(&out->id);
    if (lowercase)
        utf8_lower(&out->line, text);
    else
        strbuf_adds(&out->line, text);
    if (out->line.text)
        (characters ? add_characters : add_tokens)(w, out, out->line.text);
}

bool units_failed(const struct units *u) { return u->failed || u->id.failed || u->line.failed; }

void units_release(struct units *u)
{
    symbols_release(&u->id);
    strbuf_release(&u->line);
    free(u->span);
    *u = (struct units){0};
}
