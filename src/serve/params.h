/* What a request asks for by name, whether it came as JSON, as a form or behind `?`. */
#ifndef ATTEND_SERVE_PARAMS_H
#define ATTEND_SERVE_PARAMS_H

#include "base/json.h"
#include "serve/form.h"

struct exchange;

struct params {
    struct json *json; /* the body, when it was JSON; any value */
    struct form form;  /* otherwise the fields of the body, then those of the query */
};

/* False after the exchange got its answer: 400, what is wrong with the body. */
bool params_read(struct params *, struct exchange *);
void params_release(struct params *);

/* A text; NULL when it is absent, null, empty or something else. */
const char *params_text(const struct params *, const char *name);
/* A value of JSON; NULL when it is absent, or when a form came. */
const struct json *params_value(const struct params *, const char *name);
/* Whether it is there: not null, not "", not []. */
bool params_given(const struct params *, const char *name);
/* A whole number from its digits, `fallback` when absent; false when it is something else. */
bool params_whole(const struct params *, const char *name, int fallback, int *out);
/* true, or in forms "true" or "1". */
bool params_flag(const struct params *, const char *name);

#endif
