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
    MATCHES_MAX = 32,  /* size of the array in which the library collects matches */
    KEY_MAX = 1024,    /* bytes of a key; the check stores the path to each unit */
    STRING_MAX = 1024, /* bytes of a string, which limits how much a text can grow */
};

static uint32_t number_at(const unsigned char *p)
{
    return (uint32_t)p[0] | (uint32_t)p[1] << 8 | (uint32_t)p[2] << 16 | (uint32_t)p[3] << 24;
}

struct trie {
    const unsigned char *bytes;
    uint32_t units;
    /* The children of a unit differ only in their label. They form a linked list that starts at
     * first[i ^ offset]; entries are index + 1, and 0 ends the list. */
    uint32_t *first, *next; /* (units) */
    unsigned char *matches; /* (units) 1 + the most keys that end at or below a unit; or a state */
};

static uint32_t unit_at(const struct trie *t, uint32_t i)
{
    return number_at(t->bytes + 4 * (size_t)i);
}
static bool is_value(uint32_t unit) { return unit >> 31; }
static bool ends_key(uint32_t unit) { return unit >> 8 & 1; }

/* The index that the children of unit i share, and where its value is. */
static uint32_t base_of(const struct trie *t, uint32_t i)
{
    const uint32_t unit = unit_at(t, i);
    return i ^ (unit >> 10) << ((unit & 1u << 9) >> 6);
}

/* ---- Bounds ---- */

static bool unit_is_sound(const struct trie *t, uint32_t i, const char *strings, size_t length)
{
    const uint32_t unit = unit_at(t, i);
    if (is_value(unit) && i > 0)
        return true; /* a walk never leaves a value */
    const uint32_t base = base_of(t, i);
    if (base >= t->units)
        return false;
    const uint32_t place = unit_at(t, base) & 0x7fffffff;
    /* A string must start at the beginning of a character. */
    return !ends_key(unit) || (place < length && (strings[place] & 0xc0) != 0x80);
}

static bool units_are_sound(const struct trie *t, const char *strings, size_t length)
{
    for (uint32_t i = 0; i < t->units; i++)
        if (!unit_is_sound(t, i, strings, length))
            return false;
    return true;
}

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

/* ---- Walks ---- */

enum { UNKNOWN, WALKING = 255 }; /* states of matches[] */

/* A unit on the path from the root. */
struct step {
    uint32_t unit, child; /* child: index + 1 of the next child to visit; 0: none left */
    unsigned char most;   /* as in matches[] */
};

static struct step enter(struct trie *t, uint32_t i)
{
    t->matches[i] = WALKING;
    return (struct step){i, t->first[base_of(t, i)], 1};
}

/* Sets `matches` of all units below the root. Returns false if a walk can match too often, is too
 * long or has a cycle. Keys share suffixes: units whose value is known are not walked again. */
static bool walk(struct trie *t)
{
    struct step path[KEY_MAX + 1] = {enter(t, 0)};
    for (int depth = 0; depth >= 0;) {
        struct step *s = &path[depth];
        if (!s->child) {
            const int most = s->most + ends_key(unit_at(t, s->unit));
            if (most > MATCHES_MAX + 1)
                return false;
            t->matches[s->unit] = (unsigned char)most;
            depth--;
            continue;
        }
        const uint32_t below = s->child - 1;
        const unsigned char known = t->matches[below];
        if (known == WALKING || depth == KEY_MAX)
            return false;
        if (known == UNKNOWN) {
            path[++depth] = enter(t, below);
            continue;
        }
        s->most = known > s->most ? known : s->most;
        s->child = t->next[below];
    }
    return true;
}

static bool walks_are_sound(struct trie *t)
{
    t->first = calloc(t->units, sizeof *t->first);
    t->next = calloc(t->units, sizeof *t->next);
    t->matches = calloc(t->units, 1);
    bool sound = t->first && t->next && t->matches;
    for (uint32_t i = 0; sound && i < t->units; i++) {
        const uint32_t unit = unit_at(t, i), base = i ^ (unit & 0xff);
        if (is_value(unit))
            continue; /* matches no byte */
        t->next[i] = t->first[base];
        t->first[base] = i + 1;
    }
    sound = sound && walk(t);
    free(t->first);
    free(t->next);
    free(t->matches);
    return sound;
}

bool charsmap_is_sound(const unsigned char *table, size_t length)
{
    if (length == 0)
        return true; /* no rules */
    if (length < 4)
        return false;
    const size_t size = number_at(table);
    if (size == 0 || size % (4 * BLOCK) || size >= length - 4)
        return false;
    struct trie t = {.bytes = table + 4, .units = (uint32_t)(size / 4)};
    const char *strings = (const char *)table + 4 + size;
    const size_t rest = length - 4 - size;
    return strings_are_sound(strings, rest) && units_are_sound(&t, strings, rest) &&
           walks_are_sound(&t);
}
