/* JSON: reading a text that need not be trusted (jansson does the parsing), and writing strings. */
#ifndef ATTEND_BASE_JSON_H
#define ATTEND_BASE_JSON_H

#include "attend/status.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct strbuf;

/* ---- Reading ----
 * A value belongs to the object that was parsed. Where a value is asked for, NULL (what a missing
 * member gives) is a value of no kind, so that only the end of a chain of calls needs a check. */

struct json;

/* A text that is one object; repeated names and NUL in strings are errors. `name` is what messages
 * call the text. */
enum attend_status json_parse(struct json **out, const char *bytes, size_t length, const char *name,
                              struct attend_error *err);
/* A text that is any value. */
enum attend_status json_parse_any(struct json **out, const char *bytes, size_t length,
                                  const char *name, struct attend_error *err);
void json_free(struct json *);

/* NULL when there is no such member or `object` is none. */
const struct json *json_member(const struct json *object, const char *name);
int json_count(const struct json *object);

/* The members in their order: struct json_walk w = {0}; while (json_next(object, &w)) ... */
struct json_walk {
    const char *name;
    const struct json *value;
    void *at;
};
bool json_next(const struct json *object, struct json_walk *);

/* Items of an array, -1 when it is none. */
int json_length(const struct json *array);
/* Item i, from 0; NULL when there is none. */
const struct json *json_at(const struct json *array, int i);

/* NULL when it is not a string. */
const char *json_text(const struct json *);
/* The items of an array of strings: how many, or -1 when it is something else or has more than
 * `room`. */
int json_texts(const struct json *, const char **out, int room);
/* The items of an array of whole numbers: how many, or -1 when it is something else or has more
 * than `room`. */
int json_wholes(const struct json *, int64_t *out, int room);
/* A number, NAN when it is something else. */
double json_number(const struct json *);
/* Whether it is true; other kinds are not. */
bool json_flag(const struct json *);
/* Whether there is no value: a missing member, or null. */
bool json_absent(const struct json *);
/* Append a string as it is, a number, true or false as JSON writes them; false for other kinds. */
bool json_print(const struct json *, struct strbuf *out);

/* ---- Writing ---- */

/* Append a string with its quotes; bytes that are not UTF-8 become U+FFFD. */
void json_add_text(struct strbuf *, const char *text);
/* Append a number with this many digits; JSON has no word for one that is not finite: null. */
void json_add_number(struct strbuf *, double x, int digits);

#endif
