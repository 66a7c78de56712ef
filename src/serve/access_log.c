#include "serve/access_log.h"

#include "base/json_writer.h"
#include "base/utf8.h"
#include "serve/exchange.h"

#include <stdio.h>

/* A text of the operator. If it is cut, it is cut between characters. */
static void put_text(struct json_writer *w, const char *name, const char *text)
{
    char shown[201];
    const int length = snprintf(shown, sizeof shown, "%s", text);
    if (length >= (int)sizeof shown)
        shown[utf8_whole(shown, sizeof shown - 1)] = '\0';
    json_put_text(w, name, shown);
}

/* Bytes that a client sent; all but plain ASCII is replaced by a question mark. */
static void put_plain(struct json_writer *w, const char *name, const char *text, size_t most)
{
    char shown[201];
    size_t i = 0;
    for (; text[i] && i < most && i < sizeof shown - 1; i++) {
        const bool plain = text[i] > ' ' && text[i] < 0x7f && text[i] != '"' && text[i] != '\\';
        shown[i] = plain ? text[i] : '?';
    }
    shown[i] = '\0';
    json_put_text(w, name, shown);
}

static void put_time(struct json_writer *w, const struct timespec *now)
{
    char date[32], text[48];
    struct tm parts;
    gmtime_r(&now->tv_sec, &parts);
    strftime(date, sizeof date, "%Y-%m-%dT%H:%M:%S", &parts);
    snprintf(text, sizeof text, "%s.%03ldZ", date, now->tv_nsec / 1000000);
    json_put_text(w, "time", text);
}

void access_log_write(struct strbuf *out, const struct exchange *e, bool whole, double seconds,
                      const struct timespec *now)
{
    struct json_writer w = {.out = out};
    json_begin_object(&w, NULL);
    put_time(&w, now);
    put_plain(&w, "client", e->client, 64);
    put_plain(&w, "method", e->method, 16);
    put_plain(&w, "path", e->path, 200);
    json_put_whole(&w, "status", whole ? e->answer.code : 0);
    json_put_whole(&w, "bytes", whole ? (int64_t)e->answer.size : 0);
    json_put_fixed(&w, "seconds", seconds, 6);
    if (e->characters) {
        json_put_whole(&w, "characters", e->characters);
        json_put_whole(&w, "lines", e->lines);
    }
    if (e->model)
        put_text(&w, "model", e->model);
    if (!whole)
        json_put_flag(&w, "broken", true);
    json_end(&w);
}
