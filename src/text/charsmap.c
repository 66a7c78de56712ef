/* A table of normalisation:
 *
 *     4 bytes   size of the trie
 *     trie      a double array: units of 4 bytes in blocks of 256
 *     strings   what the characters become, each ended by NUL
 *
 * All numbers are little-endian. From unit i the walk goes to i ^ offset(unit) ^ byte if the label
 * there is that byte, and, when the unit is the end of a key, looks at i ^ offset(unit), which
 * holds a place in the strings. */
#include "text/charsmap.h"

#include "base/utf8.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

enum {
    BLOCK = 256,
    MATCHES_MAX = 32,  /* the library collects the keys that begin a text in an array of so many */
    KEY_MAX = 1024,    /* bytes of a key; the check keeps the way down to each */
    STRING_MAX = 1024, /* bytes of a string: a text may grow, but not without bounds */
};

static uint32_t number_at(const unsigned char *p)
{
    return (uint32_t)p[0] | (uint32_t)p[1] << 8 | (uint32_t)p[2] << 16 | (uint32_t)p[3] << 24;
}

struct trie {
    const unsigned char *bytes;
    uint32_t units;
    /* Children of a unit share their place up to the label. They are a list that begins at
     * first[i ^ offset]; its members are one more than their place, and 0 ends it. */
    uint32_t *first, *next; /* (units) */
    unsigned char *matches; /* (units) one more than the keys that end from here on; or a state */
};

static uint32_t unit_at(const struct trie *t, uint32_t i)
{
    return number_at(t->bytes + 4 * (size_t)i);
}
static bool is_value(uint32_t unit) { return unit >> 31; }
static bool ends_key(uint32_t unit) { return unit >> 8 & 1; }

/* Where the children of unit i are, and its value. */
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
        return true; /* never walked from */
    const uint32_t base = base_of(t, i);
    if (base >= t->units)
        return false;
    const uint32_t place = unit_at(t, base) & 0x7fffffff;
    /* A string begins with a character, not within one. */
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

enum { UNKNOWN, WALKING = 255 }; /* states */

/* A unit on the way down from the root. */
struct step {
    uint32_t unit, child; /* child: the next to look at, from 1; 0: there is none left */
    unsigned char most;   /* matches below it */
};

static struct step enter(struct trie *t, uint32_t i)
{
    t->matches[i] = WALKING;
    return (struct step){i, t->first[base_of(t, i)], 1};
}

/* Sets matches of all units below the root; false when a walk can match too often, take too long or
 * go round. Keys share their ends: what is known is not walked again. */
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
