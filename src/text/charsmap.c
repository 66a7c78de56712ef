/* The model is a protocol buffer. Fields 3 and 5 hold the rules before splitting and after joining,
 * and field 2 of these a table:
 *
 *     4 bytes   size of the trie
 *     trie      a double array: units of 4 bytes in blocks of 256
 *     strings   what the characters become, each ended by NUL
 *
 * All numbers are little-endian. From unit i the walk goes to i ^ offset(unit) ^ byte, or, when the
 * unit is the end of a key, to i ^ offset(unit), which holds a place in the strings. */
#include "text/charsmap.h"

#include <stdbool.h>
#include <stdint.h>

enum { MODEL_NORMALIZER = 3, MODEL_DENORMALIZER = 5, NORMALIZER_TABLE = 2, BLOCK = 256 };

struct span {
    const unsigned char *at;
    size_t length;
};

/* ---- Protocol buffers ---- */

static bool take_varint(struct span *s, uint64_t *out)
{
    *out = 0;
    for (int shift = 0; s->length && shift < 64; shift += 7) {
        const unsigned char byte = *s->at++;
        s->length--;
        *out |= (uint64_t)(byte & 0x7f) << shift;
        if (byte < 0x80)
            return true;
    }
    return false;
}

/* The next field: its number, and its content if that is bytes (nothing otherwise). */
static bool take_field(struct span *s, uint64_t *number, struct span *content)
{
    enum { VARINT, FIXED64, BYTES, FIXED32 = 5 };
    uint64_t key, size = 0;
    *content = (struct span){0};
    if (!take_varint(s, &key))
        return false;
    *number = key >> 3;
    switch (key & 7) {
    case VARINT: return take_varint(s, &size);
    case FIXED64: size = 8; break;
    case FIXED32: size = 4; break;
    case BYTES:
        if (!take_varint(s, &size))
            return false;
        break;
    default: return false;
    }
    if (size > s->length)
        return false;
    if ((key & 7) == BYTES)
        *content = (struct span){s->at, (size_t)size};
    s->at += size;
    s->length -= (size_t)size;
    return true;
}

/* ---- Tables ---- */

static uint32_t number_at(const unsigned char *p)
{
    return (uint32_t)p[0] | (uint32_t)p[1] << 8 | (uint32_t)p[2] << 16 | (uint32_t)p[3] << 24;
}

static bool unit_is_sound(struct span trie, size_t units, size_t i, size_t strings)
{
    const uint32_t unit = number_at(trie.at + 4 * i);
    const bool is_value = unit >> 31, ends_key = unit >> 8 & 1;
    if (is_value && i > 0)
        return true; /* never walked from */
    const size_t next = i ^ (size_t)(uint32_t)((unit >> 10) << ((unit & 1u << 9) >> 6));
    if (next >= units)
        return false;
    return !ends_key || (number_at(trie.at + 4 * next) & 0x7fffffff) < strings;
}

static bool table_is_sound(struct span table)
{
    if (table.length == 0)
        return true; /* no rules */
    if (table.length < 4)
        return false;
    const struct span trie = {table.at + 4, number_at(table.at)};
    if (trie.length == 0 || trie.length % (4 * BLOCK) || trie.length >= table.length - 4)
        return false;
    const size_t units = trie.length / 4, strings = table.length - 4 - trie.length;
    if (table.at[table.length - 1] != '\0')
        return false;
    for (size_t i = 0; i < units; i++)
        if (!unit_is_sound(trie, units, i, strings))
            return false;
    return true;
}

static const char *rules_objection(struct span rules)
{
    while (rules.length) {
        uint64_t number;
        struct span content;
        if (!take_field(&rules, &number, &content))
            return "its rules of normalising are damaged";
        if (number == NORMALIZER_TABLE && !table_is_sound(content))
            return "its table of normalising is damaged";
    }
    return NULL;
}

const char *charsmap_objection(const void *model, size_t length)
{
    struct span rest = {model, length};
    while (rest.length) {
        uint64_t number;
        struct span content;
        if (!take_field(&rest, &number, &content))
            return "it is damaged";
        const bool rules = number == MODEL_NORMALIZER || number == MODEL_DENORMALIZER;
        const char *why = rules ? rules_objection(content) : NULL;
        if (why)
            return why;
    }
    return NULL;
}
