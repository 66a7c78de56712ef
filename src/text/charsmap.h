/* Checks the normalization table of a SentencePiece model. The library walks this table without
 * bounds checks, so a corrupt or malicious one could make it read out of bounds. */
#ifndef ATTEND_TEXT_CHARSMAP_H
#define ATTEND_TEXT_CHARSMAP_H

#include <stdbool.h>
#include <stddef.h>

/* Whether the library can safely normalize any text with this table, and the result is text. False
 * when out of memory. */
bool charsmap_is_sound(const unsigned char *table, size_t length);

#endif
