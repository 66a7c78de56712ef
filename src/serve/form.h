/* Form fields of a request: urlencoded in the body or the query, or multipart/form-data. */
#ifndef ATTEND_SERVE_FORM_H
#define ATTEND_SERVE_FORM_H

#include "attend/status.h"

#include <stdbool.h>
#include <stddef.h>

/* All zero is empty. */
struct form {
    struct form_field {
        char *name, *value; /* valid UTF-8 without NUL; the value of a file that is not is "" */
        char *file;         /* the file name of an upload; NULL: not a file */
        char *bytes;        /* (length) the content of a file as it was sent */
        size_t length;
    } * field;
    int count;
};
enum { FORM_FIELDS = 64 };

/* Append the fields of `a=1&b=2`. More than FORM_FIELDS in total, broken escapes, invalid UTF-8 and
 * NUL are ATTEND_FORMAT. */
enum attend_status form_add_urlencoded(struct form *, const char *bytes, size_t length,
                                       struct attend_error *err);
/* Append the parts of a multipart/form-data body. `type` is its Content-Type, which names the
 * boundary. File uploads are ordinary fields, too. */
enum attend_status form_add_parts(struct form *, const char *bytes, size_t length, const char *type,
                                  struct attend_error *err);
/* The first field of this name; NULL when there is none. */
const char *form_find(const struct form *, const char *name);
/* The first file of this name; NULL when there is none. */
const struct form_field *form_file(const struct form *, const char *name);
/* Convert line ends to LF and remove those at the end, as Python's "
 * ".join(s.splitlines()) does. In place. */
void form_unify_line_ends(char *text);
void form_release(struct form *);

#endif
