/* Unicode text as UTF-8: validity, grapheme clusters, width in a terminal (utf8proc knows the
 * tables). */
#ifndef ATTEND_BASE_UTF8_H
#define ATTEND_BASE_UTF8_H

#include <stdbool.h>
#include <stddef.h>

/* Whether the bytes are valid UTF-8. If not, *bad (may be NULL) is the offset of the first wrong
 * one. */
bool utf8_valid(const char *text, size_t length, size_t *bad);

/* Bytes of the first grapheme cluster (what a reader calls a character: base and combining marks,
 * an emoji sequence). The text must be valid; 0 only when length is 0. */
size_t utf8_cluster(const char *text, size_t length);

/* Columns that a valid, NUL-terminated text takes in a terminal. */
int utf8_width(const char *text);

#endif
