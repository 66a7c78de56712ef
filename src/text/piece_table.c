#include "text/piece_table.h"

#include "base/bug.h"

#include <limits.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

enum { EMPTY = -1, FIRST_SIZE = 64 };

/* FNV-1a. */
static uint64_t hash(const char *bytes, size_t length)
{
    uint64_t h = UINT64_C(14695981039346656037);
    for (size_t i = 0; i < length; i++)
        h = (h ^ (unsigned char)bytes[i]) * UINT64_C(1099511628211);
    return h ^ h >> 32;
}

static size_t length_of(const struct piece_table *t, int number)
{
    return t->start[number + 1] - t->start[number] - 1;
}

static bool same(const struct piece_table *t, int number, const char *piece, size_t length)
{
    return length_of(t, number) == length &&
           memcmp(t->bytes.text + t->start[number], piece, length) == 0;
}

/* The slot of the piece, or the empty slot where it would be inserted. */
static size_t probe(const struct piece_table *t, const char *piece, size_t length)
{
    const size_t mask = t->slots - 1;
    size_t at = (size_t)hash(piece, length) & mask;
    while (t->slot[at] != EMPTY && !same(t, t->slot[at], piece, length))
        at = (at + 1) & mask;
    return at;
}

static void place(struct piece_table *t, int number)
{
    t->slot[probe(t, piece_table_at(t, number), length_of(t, number))] = number;
}

/* Make room for `size` pieces, a power of two; on failure the table is unchanged. */
static bool resize(struct piece_table *t, int size)
{
    const size_t slots = 2 * (size_t)size;
    size_t *start = realloc(t->start, ((size_t)size + 1) * sizeof *start);
    if (start)
        t->start = start;
    int *slot = malloc(slots * sizeof *slot);
    if (!start || !slot) {
        free(slot);
        return false;
    }
    for (size_t i = 0; i < slots; i++)
        slot[i] = EMPTY;
    free(t->slot);
    t->slot = slot;
    t->slots = slots;
    t->size = size;
    t->start[0] = 0;
    for (int i = 0; i < t->count; i++)
        place(t, i);
    return true;
}

bool piece_table_reserve(struct piece_table *t, int count)
{
    int size = t->size ? t->size : FIRST_SIZE;
    while (size < count && size <= INT_MAX / 2)
        size *= 2;
    if (size < count || (size_t)size > SIZE_MAX / 4 / sizeof *t->start)
        return false;
    return size == t->size || resize(t, size);
}

int piece_table_find(const struct piece_table *t, const char *piece, size_t length)
{
    return t->slots ? t->slot[probe(t, piece, length)] : EMPTY;
}

int piece_table_add(struct piece_table *t, const char *piece, size_t length)
{
    if (t->count == INT_MAX || !piece_table_reserve(t, t->count + 1))
        return -1;
    int *slot = &t->slot[probe(t, piece, length)];
    if (*slot != EMPTY)
        return *slot;
    strbuf_add(&t->bytes, piece, length);
    strbuf_addc(&t->bytes, '\0');
    if (t->bytes.failed)
        return -1;
    t->start[++t->count] = t->bytes.length;
    return *slot = t->count - 1;
}

const char *piece_table_at(const struct piece_table *t, int number)
{
    BUG_ON(number < 0 || number >= t->count);
    return t->bytes.text + t->start[number];
}

void piece_table_release(struct piece_table *t)
{
    free(t->start);
    free(t->slot);
    strbuf_release(&t->bytes);
    *t = (struct piece_table){0};
}
