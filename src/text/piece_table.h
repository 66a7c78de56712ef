/* A set of strings, numbered from 0 in the order of insertion: the hash table (open addressing,
 * linear probing) of both the counter and the vocabulary. */
#ifndef ATTEND_TEXT_PIECE_TABLE_H
#define ATTEND_TEXT_PIECE_TABLE_H

#include "base/strbuf.h"

#include <stdbool.h>
#include <stddef.h>

/* All zero is an empty table. */
struct piece_table {
    struct strbuf bytes; /* all pieces, each with a NUL */
    size_t *start;       /* (count + 1) piece i starts at bytes.text + start[i] */
    int count, size;     /* pieces; room in `start` */
    int *slot;           /* (slots) number of a piece, or -1 */
    size_t slots;        /* a power of two, at least twice `count`; 0 when empty */
};

/* The number of a piece, or -1. */
int piece_table_find(const struct piece_table *, const char *piece, size_t length);
/* Make room for this many pieces, so that adding them does not rebuild the table again and again.
 * False when out of memory; the table is unchanged then. */
bool piece_table_reserve(struct piece_table *, int count);
/* The number of a piece, which is added if it is new; -1 when out of memory. The bytes are copied;
 * they must not contain NUL. */
int piece_table_add(struct piece_table *, const char *piece, size_t length);
/* NUL-terminated; valid until the next piece is added. */
const char *piece_table_at(const struct piece_table *, int number);
void piece_table_release(struct piece_table *);

#endif
