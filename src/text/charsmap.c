/* A normalization table:
 *
 *     4 bytes   size of the trie
 *     trie      a double array: units of 4 bytes in blocks of 256
 *     strings   replacements of the keys, each ended by NUL
 *
 * All numbers are little-endian. From unit i a walk goes to i ^ offset(unit) ^ byte if the label
 * there is that byte. If the unit ends a key, i ^ offset(unit) holds the offset of its replacement
 * in the strings. */
#include "text/charsmap.h"

#include "base/utf8.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

enum {
    BLOCK = 256,
    KEY_MAX = 1024,    /* bytes of a key, which limits the time that a character of a text takes */
    STRING_MAX = 1024, /* bytes of a string, which limits how much a text can grow */
};

static uint32_t number_at(const unsigned char *p)
{
    return (uint32_t)p[0] | (uint32_t)p[1] << 8 | (uint32_t)p[2] << 16 | (uint32_t)p[3] << 24;
}

static uint32_t unit_at(const struct charsmap *m, uint32_t i)
{
    return number_at(m->trie + 4 * (size_t)i);
}
static bool is_value(uint32_t unit) { return unit >> 31; }
static bool ends_key(uint32_t unit) { return unit >> 8 & 1; }
/* Bit 31 is part of the label, so a value matches no byte. */
static uint32_t label_of(uint32_t unit) { return unit & 0x800000ff; }

/* The index that the children of unit i share, and where its value is. */
static uint32_t base_of(const struct charsmap *m, uint32_t i)
{
    const uint32_t unit = unit_at(m, i);
    return i ^ (unit >> 10) << ((unit & 1u << 9) >> 6);
}

/* Where the replacement of the key that ends at unit i begins. */
static uint32_t place_of(const struct charsmap *m, uint32_t i)
{
    return unit_at(m, base_of(m, i)) & 0x7fffffff;
}

/* ---- Use ---- */

static bool is_boundary(const char *text, size_t at, size_t length)
{
    return at == length || ((unsigned char)text[at] & 0xc0) != 0x80;
}

size_t charsmap_longest(const struct charsmap *m, const char *text, size_t length,
                        const char **replacement)
{
    size_t longest = 0;
    uint32_t at = 0;
    for (size_t i = 0; i < length && m->units; i++) {
        const unsigned char byte = (unsigned char)text[i];
        at = base_of(m, at) ^ byte;
        const uint32_t unit = unit_at(m, at);
        if (label_of(unit) != byte)
            break;
        if (ends_key(unit) && is_boundary(text, i + 1, length)) {
            longest = i + 1;
            *replacement = m->strings + place_of(m, at);
        }
    }
    return longest;
}

/* ---- Bounds ---- */

static bool unit_is_sound(const struct charsmap *m, uint32_t i, size_t length)
{
    const uint32_t unit = unit_at(m, i);
    if (is_value(unit) && i > 0)
        return true; /* a walk never leaves a value */
    if (base_of(m, i) >= m->units)
        return false;
    /* A string must start at the beginning of a character. */
    const uint32_t place = place_of(m, i);
    return !ends_key(unit) || (place < length && is_boundary(m->strings, place, length));
}

static bool units_are_sound(const struct charsmap *m, size_t length)
{
    for (uint32_t i = 0; i < m->units; i++)
        if (!unit_is_sound(m, i, length))
            return false;
    return true;
}

/* ---- Walks ---- */

enum { UNKNOWN, WALKING = UINT16_MAX }; /* states of height[] */

struct search {
    const struct charsmap *map;
    /* The children of a unit differ only in their label. They form a linked list that starts at
     * first[i ^ offset]; entries are index + 1, and 0 ends the list. */
    uint32_t *first, *next; /* (units) */
    uint16_t *height;       /* (units) units on the longest walk from here; or a state */
};

/* A unit on the path from the root. */
struct step {
    uint32_t unit, child; /* child: index + 1 of the next child to visit; 0: none left */
    uint16_t height;      /* so far */
};

static struct step enter(struct search *s, uint32_t i)
{
    s->height[i] = WALKING;
    return (struct step){i, s->first[base_of(s->map, i)], 1};
}

/* Returns false if a walk from the root is too long or has a cycle. Keys share suffixes: units whose
 * height is known are not walked again. */
static bool walk(struct search *s)
{
    struct step path[KEY_MAX + 1] = {enter(s, 0)};
    for (int depth = 0; depth >= 0;) {
        struct step *top = &path[depth];
        if (!top->child) {
            s->height[top->unit] = top->height;
            depth--;
            if (depth >= 0 && path[depth].height <= top->height)
                path[depth].height = (uint16_t)(top->height + 1);
            continue;
        }
        const uint32_t below = top->child - 1;
        const uint16_t known = s->height[below];
        top->child = s->next[below];
        if (known == WALKING || depth + (known ? known : 1) > KEY_MAX)
            return false;
        if (known == UNKNOWN)
            path[++depth] = enter(s, below);
        else if (top->height <= known)
            top->height = (uint16_t)(known + 1);
    }
    return true;
}

static bool walks_are_sound(const struct charsmap *m)
{
    struct search s = {
        .map = m,
        .first = calloc(m->units, sizeof *s.first),
        .next = calloc(m->units, sizeof *s.next),
        .height = calloc(m->units, sizeof *s.height),
    };
    bool sound = s.first && s.next && s.height;
    for (uint32_t i = 0; sound && i < m->units; i++) {
        const uint32_t unit = unit_at(m, i), base = i ^ (unit & 0xff);
        if (is_value(unit))
            continue;
        s.next[i] = s.first[base];
        s.first[base] = i + 1;
    }
    sound = sound && walk(&s);
    free(s.first);
    free(s.next);
    free(s.height);
    return sound;
}

/* ---- Reading ---- */

static bool strings_are_sound(const char *strings, size_t length)
{
    if (strings[length - 1] != '\0' || !utf8_valid(strings, length, NULL) ||
        memchr(strings, '\n', length))
        return false;
    for (size_t at = 0, size; at < length; at += size + 1)
        if ((size = strlen(strings + at)) > STRING_MAX)
            return false;
    return true;
}

bool charsmap_read(struct charsmap *out, const void *table, size_t length)
{
    if (length == 0) {
        *out = (struct charsmap){0};
        return true;
    }
    if (length < 4)
        return false;
    const size_t size = number_at(table);
    if (size == 0 || size % (4 * BLOCK) || size >= length - 4)
        return false;
    const unsigned char *trie = (const unsigned char *)table + 4;
    const struct charsmap m = {trie, (uint32_t)(size / 4), (const char *)trie + size};
    const size_t rest = length - 4 - size;
    if (!strings_are_sound(m.strings, rest) || !units_are_sound(&m, rest) || !walks_are_sound(&m))
        return false;
    *out = m;
    return true;
}
