#include "model/scaling.h"

#include "base/error.h"
#include "base/json.h"
#include "base/json_writer.h"
#include "base/strbuf.h"

#include <math.h>
#include <string.h>

const struct attend_scaling scaling_none = {1, 0, 0};

void scaling_write(struct strbuf *out, const struct attend_scaling *s)
{
    enum { DIGITS = 17 };
    struct json_writer w = {.out = out};
    json_begin_object(&w, NULL);
    json_put_number(&w, "temperature", s->temperature, DIGITS);
    json_put_number(&w, "length", s->length, DIGITS);
    json_put_number(&w, "bias", s->bias, DIGITS);
    json_end(&w);
}

enum attend_status scaling_read(struct attend_scaling *out, const char *text, const char *path,
                                struct attend_error *err)
{
    struct json *json = NULL;
    const enum attend_status status = json_parse(&json, text, strlen(text), path, err);
    if (status)
        return status;
    const struct attend_scaling s = {json_number(json_member(json, "temperature")),
                                     json_number(json_member(json, "length")),
                                     json_number(json_member(json, "bias"))};
    json_free(json);
    if (!isfinite(s.temperature) || s.temperature <= 0 || !isfinite(s.length) || !isfinite(s.bias))
        return error_set(err, ATTEND_FORMAT, "%s: its calibration is damaged", path);
    *out = s;
    return ATTEND_OK;
}
