#include "serve/access_log.h"

#include "base/json.h"
#include "base/utf8.h"
#include "serve/exchange.h"

#include <stdio.h>

/* The operator's own words; a character that the limit cuts is left out. */
static void add_text(struct strbuf *out, const char *name, const char *text)
{
    char shown[201];
    const int length = snprintf(shown, sizeof shown, "%s", text);
    if (length >= (int)sizeof shown)
        shown[utf8_whole(shown, sizeof shown - 1)] = '\0';
    strbuf_addf(out, ",\"%s\":", name);
    json_add_text(out, shown);
}

/* Any bytes from outside: what is not plain ASCII becomes a question mark. */
static void add_plain(struct strbuf *out, const char *name, const char *text, int most)
{
    strbuf_addf(out, ",\"%s\":\"", name);
    for (int i = 0; text[i] && i < most; i++) {
        const bool plain = text[i] > ' ' && text[i] < 0x7f && text[i] != '"' && text[i] != '\\';
        strbuf_addc(out, plain ? text[i] : '?');
    }
    strbuf_addc(out, '"');
}

void access_log_write(struct strbuf *out, const struct exchange *e, bool whole, double seconds,
                      const struct timespec *now)
{
    char date[32];
    struct tm parts;
    gmtime_r(&now->tv_sec, &parts);
    strftime(date, sizeof date, "%Y-%m-%dT%H:%M:%S", &parts);
    strbuf_addf(out, "{\"time\":\"%s.%03ldZ\"", date, now->tv_nsec / 1000000);
    add_plain(out, "client", e->client, 64);
    add_plain(out, "method", e->method, 16);
    add_plain(out, "path", e->path, 200);
    strbuf_addf(out, ",\"status\":%d,\"bytes\":%zu,\"seconds\":%.6f", whole ? e->answer.code : 0,
                whole ? e->answer.size : (size_t)0, seconds);
    if (e->characters)
        strbuf_addf(out, ",\"characters\":%ld,\"lines\":%ld", e->characters, e->lines);
    if (e->model)
        add_text(out, "model", e->model);
    if (!whole)
        strbuf_adds(out, ",\"broken\":true");
    strbuf_addc(out, '}');
}
