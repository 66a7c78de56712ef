/* Strings and placeholders of .po files. */
#ifndef ATTEND_DOCUMENT_PO_STRING_H
#define ATTEND_DOCUMENT_PO_STRING_H

#include <stdbool.h>
#include <stddef.h>

struct strbuf;

/* Append the value of the quoted string at the start of a line's rest. *length is the number of its
 * bytes, with both quotes. False if it does not end with a quote, or if anything but blanks follows
 * it. */
bool po_string_read(struct strbuf *out, const char *line, size_t *length);
/* Append a text as quoted strings: one, or several lines if the text has several. `end` is the
 * line end of the file. */
void po_string_write(struct strbuf *out, const char *text, const char *end);
/* Whether a translation has the placeholders of its source (%s, %(name)d, {name} ...): those without
 * a name or number in the same order, the others in any. True also when memory runs out. */
bool po_string_same_places(const char *source, const char *translation);

#endif
