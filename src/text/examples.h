/* Example lines of a model: source lines that show what it was trained to read. A model file holds
 * them as one text, each line ended by LF. */
#ifndef ATTEND_TEXT_EXAMPLES_H
#define ATTEND_TEXT_EXAMPLES_H

#include "attend/status.h"

#include <stdbool.h>
#include <stddef.h>

enum { EXAMPLES_MOST = 100, EXAMPLES_LONGEST = 1000 }; /* lines; bytes of a line */

/* All zero is an empty list. */
struct examples {
    char *text;        /* as in the file; NULL if there are no lines */
    const char **line; /* (count) NUL-terminated */
    char *lines;       /* where line[] points */
    int count;
};

/* Whether a line can be an example: 1 to EXAMPLES_LONGEST bytes of UTF-8, not only blanks, without
 * control characters except the tab that separates features. */
bool examples_fit(const char *line, size_t length);
/* Read the text of a file, which is not trusted; `name` is for messages. Release the result even on
 * failure. */
enum attend_status examples_parse(struct examples *, const char *text, const char *name,
                                  struct attend_error *err);
void examples_release(struct examples *);

#endif
