#include "markup/slots.h"

#include "base/utf8.h"

#include <ctype.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

/* Scripts whose words are not separated: Thai and Lao, Myanmar, Khmer, radicals, kana, Han, narrow
 * kana, Han beyond the first plane. */
static bool is_dense(int32_t point)
{
    static const struct {
        int32_t from, to;
    } ranges[] = {{0x0e00, 0x0eff}, {0x1000, 0x109f}, {0x1780, 0x17ff}, {0x2e80, 0x2fdf},
                  {0x3005, 0x3007}, {0x3040, 0x30ff}, {0x31f0, 0x31ff}, {0x3400, 0x4dbf},
                  {0x4e00, 0x9fff}, {0xf900, 0xfaff}, {0xff66, 0xff9f}, {0x20000, 0x3ffff}};
    for (size_t i = 0; i < sizeof ranges / sizeof *ranges; i++)
        if (point >= ranges[i].from && point <= ranges[i].to)
            return true;
    return false;
}

enum unit_kind unit_kind(const char *text, size_t length)
{
    bool in_word;
    int32_t point;
    if (*text == ' ' || *text == '\t')
        return UNIT_BLANK;
    utf8_point(text, length, &in_word);
    utf8_next(text, length, &point);
    return !in_word ? UNIT_SYMBOL : is_dense(point) ? UNIT_DENSE : UNIT_WORD;
}

/* ---- Cutting ---- */

struct cutting {
    const char *text;
    size_t length;
    const struct attend_span *token; /* (tokens) */
    int tokens, at;                  /* the tokens before `at` start before the current place */
};

/* Whether a token starts here. Places are asked for in ascending order. Features come first among
 * the tokens, but last in the text; they are passed over. */
static bool token_starts(struct cutting *c, size_t place)
{
    while (c->at < c->tokens &&
           (c->token[c->at].from < place ||
            (c->at + 1 < c->tokens && c->token[c->at].from > c->token[c->at + 1].from)))
        c->at++;
    return !c->token || (c->at < c->tokens && c->token[c->at].from == place);
}

/* Whether the point or comma at `place` is part of a number. */
static bool in_number(const struct cutting *c, size_t place)
{
    return place && place + 1 < c->length && strchr(".,:", c->text[place]) &&
           isdigit((unsigned char)c->text[place - 1]) && isdigit((unsigned char)c->text[place + 1]);
}

/* Whether a unit starts at `place`, where two clusters of these kinds meet. */
static bool starts(struct cutting *c, size_t place, enum unit_kind before, enum unit_kind kind)
{
    const bool token = token_starts(c, place);
    if (before == UNIT_BLANK)
        return true;
    if (kind == UNIT_SYMBOL)
        return !in_number(c, place);
    if (before == UNIT_SYMBOL)
        return !in_number(c, place - 1);
    return (before == UNIT_DENSE || kind == UNIT_DENSE) && token;
}

static void add(struct slots *u, size_t from, size_t to)
{
    if (u->count == u->size) {
        const int size = u->size ? 2 * u->size : 32;
        struct attend_span *more = realloc(u->span, (size_t)size * sizeof *more);
        u->failed = u->failed || !more;
        if (!more)
            return;
        u->span = more;
        u->size = size;
    }
    u->span[u->count++] = (struct attend_span){from, to};
}

void slots_cut(struct slots *u, const char *text, const struct attend_span *token, int count)
{
    struct cutting c = {text, strlen(text), token, token ? count : 0, 0};
    enum unit_kind before = UNIT_BLANK;
    for (size_t at = 0; at < c.length && !u->failed;) {
        const enum unit_kind kind = unit_kind(text + at, c.length - at);
        const size_t bytes = utf8_cluster(text + at, c.length - at);
        if (kind != UNIT_BLANK && starts(&c, at, before, kind))
            add(u, at, at + bytes);
        else if (kind != UNIT_BLANK && u->count)
            u->span[u->count - 1].to = at + bytes;
        before = kind;
        at += bytes;
    }
}

void slots_release(struct slots *u)
{
    free(u->span);
    *u = (struct slots){0};
}
