/* The parameters of a request, from a JSON body, a form or the query. */
#ifndef ATTEND_SERVE_PARAMS_H
#define ATTEND_SERVE_PARAMS_H

#include "base/json.h"
#include "serve/form.h"

struct exchange;

struct params {
    struct json *json; /* the body if it is JSON, any value */
    struct form form;  /* otherwise the form fields of the body, then those of the query */
};

/* False after answering 400 with the fault of the body. */
bool params_read(struct params *, struct exchange *);
void params_release(struct params *);

/* A string; NULL if it is absent, null, empty or of another type. */
const char *params_text(const struct params *, const char *name);
/* A JSON value; NULL if it is absent or the request is a form. */
const struct json *params_value(const struct params *, const char *name);
/* Whether a parameter is present and not null, "" or []. */
bool params_given(const struct params *, const char *name);
/* An integer; `fallback` if absent, false if it is anything else. */
bool params_whole(const struct params *, const char *name, int fallback, int *out);
/* A finite number, likewise. */
bool params_real(const struct params *, const char *name, double fallback, double *out);
/* A boolean: true, or "true" or "1" in a form. */
bool params_flag(const struct params *, const char *name);

#endif
