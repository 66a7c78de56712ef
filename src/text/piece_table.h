/* A set of pieces of text, numbered from 0 in the order they came: the hash table (open addressing,
 * linear probing) under both the counter and the vocabulary. */
#ifndef ATTEND_TEXT_PIECE_TABLE_H
#define ATTEND_TEXT_PIECE_TABLE_H

#include "base/strbuf.h"

#include <stddef.h>

/* All zero is an empty table. */
struct piece_table {
    struct strbuf bytes; /* the pieces one after the other, each with a NUL */
    size_t *start;       /* (count + 1) piece i begins at bytes.text + start[i] */
    int count, size;     /* pieces, and how many `start` has room for */
    int *slot;           /* (slots) the number of a piece, or -1 */
    size_t slots;        /* a power of two, at least twice `count`; 0 at first */
};

/* The number of a piece, or -1. */
int piece_table_find(const struct piece_table *, const char *piece, size_t length);
/* The number of a piece, which is added if it is new; -1 when out of memory. The bytes are copied
 * and hold no NUL. */
int piece_table_add(struct piece_table *, const char *piece, size_t length);
/* NUL-terminated; valid until the next piece is added. */
const char *piece_table_at(const struct piece_table *, int number);
void piece_table_release(struct piece_table *);

#endif
