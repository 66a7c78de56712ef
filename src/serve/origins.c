#include "serve/origins.h"

#include "base/error.h"

#include <string.h>
#include <strings.h>

/* ---- Settings ---- */

/* Accepts scheme://host[:port], as browsers write it; `null`, which they send for pages without an
 * origin; and `*`. */
static bool is_origin(const char *text)
{
    const char *host = strstr(text, "://");
    if (strcmp(text, "*") == 0 || strcmp(text, "null") == 0)
        return true;
    return host && host > text && host[3] && !strpbrk(host + 3, "/?#@, ");
}

enum attend_status origins_take(struct origins *o, const struct attend_serve_options *options,
                                struct attend_error *err)
{
    *o = (struct origins){
        .allowed = options->allow_origins, .hosts = options->allow_hosts, .listens = options->host};
    for (int i = 0; o->allowed && o->allowed[i]; i++)
        if (!is_origin(o->allowed[i]))
            return error_set(err, ATTEND_USAGE,
                             "'%.200s' is not an origin such as https://example.org, without a "
                             "path, nor *",
                             o->allowed[i]);
    return ATTEND_OK;
}

/* ---- Pages ---- */

static bool is_listed(const char *const *list, const char *text)
{
    for (int i = 0; list && list[i]; i++)
        if (strcasecmp(list[i], text) == 0)
            return true;
    return false;
}

bool origins_any(const struct origins *o) { return is_listed(o->allowed, "*"); }

/* Whether the page's host and port are those that the request was sent to. */
static bool is_own(const char *origin, const char *host)
{
    const char *at = strstr(origin, "://");
    return host && *host && at && strcasecmp(at + 3, host) == 0;
}

/* A page cannot set Sec-Fetch-Site. It also works behind a proxy that rewrites Host. */
bool origins_allow(const struct origins *o, const struct http_head *head)
{
    if (!head->origin || is_own(head->origin, head->host) || origins_any(o))
        return true;
    return is_listed(o->allowed, head->origin) ||
           (head->site && strcmp(head->site, "same-origin") == 0);
}

/* ---- Names ---- */

/* Whether `host`, with or without a port, is this name. An IPv6 address may lack its brackets. */
static bool is_called(const char *host, const char *name)
{
    const char *end = *host == '[' ? strchr(host, ']') : strchr(host, ':');
    const size_t whole = end ? (size_t)(end - host) + (*host == '[') : strlen(host);
    const size_t length = strlen(name);
    if (whole == length && strncasecmp(host, name, length) == 0)
        return true;
    return *host == '[' && whole == length + 2 && strncasecmp(host + 1, name, length) == 0;
}

bool origins_know_host(const struct origins *o, const char *host)
{
    static const char *const usual[] = {"localhost", "127.0.0.1", "::1"};
    if ((!o->loopback && !o->hosts) || !host || !*host)
        return true;
    for (size_t i = 0; i < sizeof usual / sizeof *usual; i++)
        if (is_called(host, usual[i]))
            return true;
    for (int i = 0; o->hosts && o->hosts[i]; i++)
        if (is_called(host, o->hosts[i]))
            return true;
    return o->listens && is_called(host, o->listens);
}
