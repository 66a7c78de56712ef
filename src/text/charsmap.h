/* Checks a table of normalisation in a SentencePiece model. The library walks such a table without
 * bounds checks, so a corrupt or malicious one could make it read out of bounds. */
#ifndef ATTEND_TEXT_CHARSMAP_H
#define ATTEND_TEXT_CHARSMAP_H

#include <stdbool.h>
#include <stddef.h>

/* Whether the library can use the table on any text, and gets text from it. Out of memory counts as
 * false. */
bool charsmap_is_sound(const unsigned char *table, size_t length);

#endif
