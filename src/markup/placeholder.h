/* Placeholders of programs' messages: {name} {0} {0:.2f} {} {{ name }} ${name} %{name} %(name)s %s
 * %1$d %5.2f %1 %@ %%. */
#ifndef ATTEND_MARKUP_PLACEHOLDER_H
#define ATTEND_MARKUP_PLACEHOLDER_H

#include <stddef.h>

/* The length of the placeholder at text + at, or 0. A percent sign between a digit and a letter, as
 * in 50%off, is text. */
size_t placeholder_length(const char *text, size_t at);

#endif
