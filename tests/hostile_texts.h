/* Texts that mean no good: byte order marks anywhere, carriage returns, combining marks, joiners,
 * blanks of every kind, the marks that tokenizers use themselves, known words among them, code
 * points by chance, and, where ATTEND_DATA has them, lines of hard text. The same seed gives the
 * same texts. ATTEND_TEXTS in the environment says how many a test takes. */
#ifndef ATTEND_TESTS_HOSTILE_TEXTS_H
#define ATTEND_TESTS_HOSTILE_TEXTS_H

#include "base/rng.h"
#include "base/strbuf.h"
#include "corpus/lines.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct hostile_texts {
    uint64_t key;
    struct lines hard; /* empty without ATTEND_DATA */
};

static inline void hostile_texts_init(struct hostile_texts *h, uint64_t seed)
{
    const char *data = getenv("ATTEND_DATA");
    char path[4096];
    *h = (struct hostile_texts){.key = rng_seed(seed)};
    snprintf(path, sizeof path, "%s/hard-text/blns.txt", data ? data : "");
    if (!data || lines_read(&h->hard, path, NULL))
        h->hard = (struct lines){0};
}

static inline void hostile_texts_release(struct hostile_texts *h) { lines_release(&h->hard); }

static inline int hostile_texts_wanted(int usual)
{
    const char *wanted = getenv("ATTEND_TEXTS");
    return wanted ? (int)strtol(wanted, NULL, 10) : usual;
}

static inline uint64_t hostile_next(struct hostile_texts *h, uint64_t below)
{
    h->key = rng_key(h->key, 1);
    return (h->key >> 8) % below;
}

static inline void hostile_add_point(struct strbuf *out, uint32_t point)
{
    const char low = (char)(0x80 | (point & 0x3f)), middle = (char)(0x80 | (point >> 6 & 0x3f)),
               high = (char)(0x80 | (point >> 12 & 0x3f));
    if (point < 0x80)
        strbuf_addc(out, (char)point);
    else if (point < 0x800)
        strbuf_add(out, (const char[]){(char)(0xc0 | point >> 6), low}, 2);
    else if (point < 0x10000)
        strbuf_add(out, (const char[]){(char)(0xe0 | point >> 12), middle, low}, 3);
    else
        strbuf_add(out, (const char[]){(char)(0xf0 | point >> 18), high, middle, low}, 4);
}

/* Any code point but NUL, LF and surrogates. */
static inline void hostile_add_chance(struct hostile_texts *h, struct strbuf *out)
{
    const uint32_t point = (uint32_t)hostile_next(h, 0x110000);
    hostile_add_point(
        out, point == 0 || point == '\n' || (point >= 0xd800 && point < 0xe000) ? 0xfffd : point);
}

static inline void hostile_add_part(struct hostile_texts *h, struct strbuf *out)
{
    static const char *const parts[] = {
        "\ufeff",
        "\r",
        "\r\r",
        "\t",
        " ",
        "  ",
        "a",
        "b",
        "c",
        "d",
        "the",
        "fox",
        "b a",
        ".",
        ",",
        "\u0301",
        "e\u0301",
        "\u0958",
        "\u0915\u093c",
        "\ufb01",
        "\u212b",
        "\u1112\u1161\u11ab",
        "\u2581",
        "\uffed",
        "\u25a0",
        "\u27e8V\u27e9",
        ";",
        "V;PST",
        "</s>",
        "<s>",
        "<unk>",
        "\u200b",
        "\u200d",
        "\u2028",
        "\xC2\x85",
        "\u00a0",
        "\u202e",
        "\u061c",
        "\x01",
        "\x7f",
        "\x1b",
        "\U0001f468\u200d\U0001f469\u200d\U0001f467",
        "\U0001f1e9\U0001f1ea",
        "\u0600",
        "\U000e0001",
        "\ufffd",
        "\uffff",
        "\U0010ffff",
        "\u0e33",
        "|||",
        "\\",
        "\"",
        "%s",
        "{}",
        "<b>",
        "&amp;",
    };
    enum { PARTS = sizeof parts / sizeof *parts };
    if (hostile_next(h, 8) == 0)
        hostile_add_chance(h, out);
    else
        strbuf_adds(out, parts[hostile_next(h, PARTS)]);
}

/* Replace what `out` holds by the next text: a line without LF and NUL. */
static inline void hostile_text(struct hostile_texts *h, struct strbuf *out)
{
    strbuf_clear(out);
    strbuf_adds(out, "");
    if (h->hard.count && hostile_next(h, 4) == 0) {
        size_t length;
        const char *line =
            lines_at(&h->hard, (int)hostile_next(h, (uint64_t)h->hard.count), &length);
        strbuf_add(out, line, length);
    }
    for (uint64_t parts = hostile_next(h, 10); parts > 0; parts--)
        hostile_add_part(h, out);
}

#endif
