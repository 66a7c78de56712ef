/* Writes JSON value by value, with commas and brackets in the right places.
 *
 *     struct strbuf out = {0};
 *     struct json_writer w = {.out = &out};
 *     json_begin_object(&w, NULL);
 *     json_put_text(&w, "word", word);
 *     json_begin_array(&w, "places");
 *     for (int i = 0; i < count; i++)
 *         json_put_whole(&w, NULL, place[i]);
 *     json_end(&w);
 *     json_end(&w);
 *
 * A member of an object has a name; for an item of an array, pass NULL. Members written while
 * nothing is open belong to an object that the caller opens elsewhere. Names and texts are escaped;
 * bytes that are not UTF-8 become U+FFFD. */
#ifndef ATTEND_BASE_JSON_WRITER_H
#define ATTEND_BASE_JSON_WRITER_H

#include <stdbool.h>
#include <stdint.h>

struct strbuf;

struct json_writer {
    struct strbuf *out;
    bool in_script;         /* within <script>: "<" in a text becomes \u003c */
    bool new_line;          /* the next value starts on a new line */
    int depth;              /* number of open objects and arrays, at most 31 */
    uint32_t array, filled; /* one bit per depth: whether it is an array; whether it has a value */
};

/* Open an object or array; json_end closes the innermost. */
void json_begin_object(struct json_writer *, const char *name);
void json_begin_array(struct json_writer *, const char *name);
void json_end(struct json_writer *);

/* NULL is null. */
void json_put_text(struct json_writer *, const char *name, const char *text);
/* A number with this many significant digits; null if it is not finite. */
void json_put_number(struct json_writer *, const char *name, double x, int digits);
/* The same with this many decimals. */
void json_put_fixed(struct json_writer *, const char *name, double x, int decimals);
void json_put_whole(struct json_writer *, const char *name, int64_t x);
void json_put_flag(struct json_writer *, const char *name, bool);
/* A value that is already JSON. For the members of an object without its braces, pass no name.
 * NULL, which a function returns when memory runs out, makes `out` fail. */
void json_put_raw(struct json_writer *, const char *name, const char *json);

/* ---- Arrays; NULL is null ---- */

void json_put_texts(struct json_writer *, const char *name, const char *const *text, int count);
void json_put_numbers(struct json_writer *, const char *name, const double *x, int count,
                      int digits);
/* Seven significant digits, which restore a float except for its last bit. */
void json_put_floats(struct json_writer *, const char *name, const float *x, int count);
/* An array of rows. */
void json_put_matrix(struct json_writer *, const char *name, const float *x, int rows, int cols);

#endif
