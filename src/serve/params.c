#include "serve/params.h"

#include "base/error.h"
#include "serve/exchange.h"

#include <errno.h>
#include <limits.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

/* Whether the Content-Type is application/json or application/x+json, parameters ignored. */
static bool is_json(const struct exchange *e)
{
    if (!e->type) {
        const char *text = e->body.text ? e->body.text : "";
        const char first = text[strspn(text, " \t\r\n")];
        return first == '{' || first == '[';
    }
    const size_t length = strcspn(e->type, "; \t");
    return (length == 16 && strncasecmp(e->type, "application/json", 16) == 0) ||
           (length > 17 && strncasecmp(e->type, "application/", 12) == 0 &&
            strncasecmp(e->type + length - 5, "+json", 5) == 0);
}

static bool is_type(const struct exchange *e, const char *type)
{
    return e->type && strncasecmp(e->type, type, strlen(type)) == 0;
}

static enum attend_status read_form(struct params *p, const struct exchange *e,
                                    struct attend_error *err)
{
    const char *body = e->body.text ? e->body.text : "";
    enum attend_status status = ATTEND_OK;
    if (is_type(e, "multipart/form-data"))
        status = form_add_parts(&p->form, body, e->body.length, e->type, err);
    else if (is_type(e, "application/x-www-form-urlencoded"))
        status = form_add_urlencoded(&p->form, body, e->body.length, err);
    if (!status)
        status = form_add_urlencoded(&p->form, e->query, strlen(e->query), err);
    for (int i = 0; i < p->form.count && !status; i++)
        form_unify_line_ends(p->form.field[i].value);
    return status;
}

bool params_read(struct params *p, struct exchange *e)
{
    struct attend_error err;
    *p = (struct params){0};
    /* A GET has its parameters in the query, even if it names a type for its missing body. */
    const bool json = is_json(e) && (e->body.length || strcmp(e->method, "POST") == 0);
    const char *body = e->body.text ? e->body.text : "";
    const enum attend_status status =
        json ? json_parse_any(&p->json, body, e->body.length, "the body", &err)
             : read_form(p, e, &err);
    if (!status)
        return true;
    if (status == ATTEND_NO_MEMORY)
        exchange_error(e, 500, "Out of memory");
    else if (json)
        exchange_error(e, 400, "Invalid JSON format");
    else
        exchange_error(e, 400, "Invalid request: %s", err.message);
    params_release(p);
    return false;
}

void params_release(struct params *p)
{
    json_free(p->json);
    form_release(&p->form);
    *p = (struct params){0};
}

const struct json *params_value(const struct params *p, const char *name)
{
    return p->json ? json_member(p->json, name) : NULL;
}

const char *params_text(const struct params *p, const char *name)
{
    const char *text = p->json ? json_text(params_value(p, name)) : form_find(&p->form, name);
    return text && *text ? text : NULL;
}

bool params_given(const struct params *p, const char *name)
{
    const struct json *value = params_value(p, name);
    if (!p->json || json_text(value))
        return params_text(p, name);
    return !json_absent(value) && json_length(value) != 0;
}

static bool whole_of(const char *text, int *out)
{
    char *end;
    errno = 0;
    const long number = strtol(text, &end, 10);
    if (end == text || *end || errno || number < INT_MIN || number > INT_MAX)
        return false;
    *out = (int)number;
    return true;
}

bool params_whole(const struct params *p, const char *name, int fallback, int *out)
{
    const struct json *value = params_value(p, name);
    const char *text = params_text(p, name);
    const double number = json_number(value);
    *out = fallback;
    if (text)
        return whole_of(text, out);
    if (!params_given(p, name))
        return true;
    if (!(fabs(number) < INT_MAX) || number != floor(number))
        return false;
    *out = (int)number;
    return true;
}

bool params_real(const struct params *p, const char *name, double fallback, double *out)
{
    const char *text = params_text(p, name);
    char *end;
    *out = fallback;
    if (!params_given(p, name))
        return true;
    *out = text ? strtod(text, &end) : json_number(params_value(p, name));
    return isfinite(*out) && (!text || (end != text && !*end));
}

bool params_flag(const struct params *p, const char *name)
{
    const char *text = params_text(p, name);
    return json_flag(params_value(p, name)) ||
           (text && (strcmp(text, "true") == 0 || strcmp(text, "1") == 0));
}
