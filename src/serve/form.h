/* Fields of a request as HTML forms send them: urlencoded, in a body or behind `?`, or in parts. */
#ifndef ATTEND_SERVE_FORM_H
#define ATTEND_SERVE_FORM_H

#include "attend/status.h"

#include <stdbool.h>
#include <stddef.h>

/* All zero is empty. */
struct form {
    struct form_field {
        char *name, *value; /* valid UTF-8 without NUL */
    } * field;
    int count;
};
enum { FORM_FIELDS = 64 };

/* Append `a=1&b=2`. More than FORM_FIELDS in all, broken escapes, invalid UTF-8 and NUL are
 * ATTEND_FORMAT. */
enum attend_status form_add_urlencoded(struct form *, const char *bytes, size_t length,
                                       struct attend_error *err);
/* Append the parts of a multipart/form-data body; `type` is its content type, which names the
 * boundary. Files are fields like others. */
enum attend_status form_add_parts(struct form *, const char *bytes, size_t length, const char *type,
                                  struct attend_error *err);
/* The first field of this name; NULL when there is none. */
const char *form_find(const struct form *, const char *name);
/* Line ends as LF, none at the end: what Python's splitlines and join make of a text. In place. */
void form_unify_line_ends(char *text);
void form_release(struct form *);

#endif
