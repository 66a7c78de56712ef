/* Reading untrusted JSON; jansson does the parsing. base/json_writer.h writes JSON. */
#ifndef ATTEND_BASE_JSON_H
#define ATTEND_BASE_JSON_H

#include "attend/status.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct strbuf;

/* A value belongs to the object that was parsed. All functions accept NULL, which is what a missing
 * member gives, so only the end of a chain of calls needs a check. */

struct json;

/* Parse a text that is one object; repeated names and NUL in strings are errors. Messages call the
 * text `name`. */
enum attend_status json_parse(struct json **out, const char *bytes, size_t length, const char *name,
                              struct attend_error *err);
/* Parse a text that is any JSON value. */
enum attend_status json_parse_any(struct json **out, const char *bytes, size_t length,
                                  const char *name, struct attend_error *err);
void json_free(struct json *);

/* NULL when there is no such member or `object` is not an object. */
const struct json *json_member(const struct json *object, const char *name);
int json_count(const struct json *object);

/* Iterate over the members in order: struct json_walk w = {0}; while (json_next(object, &w)) ... */
struct json_walk {
    const char *name;
    const struct json *value;
    void *at;
};
bool json_next(const struct json *object, struct json_walk *);

/* The number of items, or -1 when it is not an array. */
int json_length(const struct json *array);
/* Item i, counted from 0; NULL when there is no such item. */
const struct json *json_at(const struct json *array, int i);

/* NULL when it is not a string. */
const char *json_text(const struct json *);
/* Read an array of strings. Returns their number, or -1 when it is anything else or has more than
 * `room` items. */
int json_texts(const struct json *, const char **out, int room);
/* Read an array of integers. Returns their number, or -1 when it is anything else or has more than
 * `room` items. */
int json_wholes(const struct json *, int64_t *out, int room);
/* The number, or NAN when it is not a number. */
double json_number(const struct json *);
/* Whether the value is true; false for all other kinds. */
bool json_flag(const struct json *);
/* Whether there is no value: a missing member or null. */
bool json_absent(const struct json *);
/* Append a string without quotes, or a number, true or false as in JSON; returns false for other
 * kinds. */
bool json_print(const struct json *, struct strbuf *out);

#endif
