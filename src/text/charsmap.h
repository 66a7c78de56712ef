/* The normalization table of a SentencePiece model: keys, which occur in text, and replacements. */
#ifndef ATTEND_TEXT_CHARSMAP_H
#define ATTEND_TEXT_CHARSMAP_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* A table in somebody else's memory; all zero is an empty one. */
struct charsmap {
    const unsigned char *trie;
    uint32_t units; /* of the trie */
    const char *strings;
};

/* Read a table, which is not trusted: false if it leads out of its bytes, has a cycle or a key or
 * replacement that is too long, or replacements that are not text; also when out of memory. */
bool charsmap_read(struct charsmap *out, const void *table, size_t length);
/* The length of the longest key that a valid text begins with, and the key's replacement; 0: none.
 * A key that would end within a character does not match. */
size_t charsmap_longest(const struct charsmap *, const char *text, size_t length,
                        const char **replacement);

#endif
