#include "serve/http_fields.h"

#include <stdbool.h>
#include <stddef.h>
#include <string.h>
#include <strings.h>

enum rule { ONCE, FIRST, LAST }; /* for a repeated field: a fault, or which one counts */

static const struct row {
    const char *name;
    size_t offset;
    enum rule rule;
} rows[] = {
    {"Content-Length", offsetof(struct http_fields, length), ONCE},
    {"Transfer-Encoding", offsetof(struct http_fields, coding), ONCE},
    {"Host", offsetof(struct http_fields, host), ONCE},
    {"Origin", offsetof(struct http_fields, origin), ONCE},
    {"Sec-Fetch-Site", offsetof(struct http_fields, site), ONCE},
    {"Content-Type", offsetof(struct http_fields, type), ONCE},
    {"Authorization", offsetof(struct http_fields, authorization), ONCE},
    {"If-None-Match", offsetof(struct http_fields, if_none_match), FIRST},
    {"X-Forwarded-For", offsetof(struct http_fields, forwarded), LAST},
    {"X-Forwarded-Proto", offsetof(struct http_fields, scheme), LAST},
};

/* A token of RFC 9110, section 5.6.2. Some readers take a name with a blank before the colon for a
 * different field. */
static bool is_token(const char *name)
{
    static const char marks[] = "!#$%&'*+-.^_`|~";
    const char *c = name;
    while ((*c >= 'a' && *c <= 'z') || (*c >= 'A' && *c <= 'Z') || (*c >= '0' && *c <= '9') ||
           (*c && strchr(marks, *c)))
        c++;
    return c > name && !*c;
}

/* Some readers take a carriage return for the end of the line, others do not. */
static bool has_control(const char *value)
{
    for (const char *c = value; *c; c++)
        if (((unsigned char)*c < ' ' && *c != '\t') || *c == 0x7f)
            return true;
    return false;
}

static const char **place_of(struct http_fields *f, const struct row *row)
{
    return (const char **)((char *)f + row->offset);
}

void http_fields_add(struct http_fields *f, const char *name, const char *value)
{
    if (!is_token(name))
        f->fault = "a header field has an invalid name";
    if (value && has_control(value))
        f->fault = "a header field contains a control character";
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        if (strcasecmp(rows[i].name, name) != 0)
            continue;
        const char **place = place_of(f, &rows[i]);
        if (*place && rows[i].rule == ONCE)
            f->fault = "a header field that may appear only once is repeated";
        if (!*place || rows[i].rule == LAST)
            *place = value ? value : "";
    }
}

const char *http_fields_fault(const struct http_fields *f, const char *version)
{
    if (f->fault || !f->coding)
        return f->fault;
    if (f->length)
        return "Content-Length and Transfer-Encoding cannot be combined";
    if (strcasecmp(f->coding, "chunked") != 0)
        return "the only supported Transfer-Encoding is chunked";
    return strcmp(version, "HTTP/1.1") == 0 ? NULL : "Transfer-Encoding needs HTTP/1.1";
}
