/* Bytes as text: base64 of RFC 4648, with padding and without line breaks. */
#ifndef ATTEND_BASE_BASE64_H
#define ATTEND_BASE_BASE64_H

#include <stddef.h>

struct strbuf;

void base64_add(struct strbuf *, const void *bytes, size_t length);

#endif
