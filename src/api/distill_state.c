#include "api/distill_state.h"

#include "base/error.h"
#include "base/io.h"
#include "base/json.h"
#include "base/json_writer.h"
#include "base/strbuf.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- Reading ---- */

static enum attend_status refuse(const char *path, struct attend_error *err)
{
    return error_set(err, ATTEND_FORMAT,
                     "%s: is damaged; `overwrite` starts again, or remove the file", path);
}

/* A setting as text; "" if it is not there. */
static void print(const struct json *value, struct strbuf *out)
{
    strbuf_clear(out);
    if (!value || !json_print(value, out))
        strbuf_adds(out, "");
}

/* The first setting that `here` has and `there` has otherwise. */
static bool differs(const struct json *here, const struct json *there, const char *path,
                    struct attend_error *err)
{
    struct strbuf a = {0}, b = {0};
    struct json_walk walk = {0};
    bool found = false;
    while (!found && json_next(here, &walk)) {
        print(walk.value, &a);
        print(json_member(there, walk.name), &b);
        found = strcmp(a.text ? a.text : "", b.text ? b.text : "") != 0;
        if (found)
            error_set(err, ATTEND_USAGE,
                      "%s: is of another run: its `%s` is '%.60s', not '%.60s'; `overwrite` starts "
                      "again",
                      path, walk.name, b.text ? b.text : "", a.text ? a.text : "");
    }
    strbuf_release(&a);
    strbuf_release(&b);
    return found;
}

static enum attend_status same_settings(const struct json *there, const char *settings,
                                        const char *path, struct attend_error *err)
{
    struct json *here = NULL;
    const enum attend_status status =
        json_parse(&here, settings, strlen(settings), "settings", err);
    if (status)
        return status;
    const bool other = differs(here, there, path, err) || differs(there, here, path, err);
    json_free(here);
    return other ? ATTEND_USAGE : ATTEND_OK;
}

/* A whole number from 0 that a double holds exactly; -1 otherwise. */
static double whole(const struct json *object, const char *name)
{
    const double x = json_number(json_member(object, name));
    return x >= 0 && x <= 0x1p53 && floor(x) == x ? x : -1;
}

static bool take(struct distill_state *s, const struct json *object)
{
    const char *text = json_text(json_member(object, "text"));
    const double done = whole(object, "done"), rows = whole(object, "rows"),
                 cut = whole(object, "cut_off"), bytes = whole(object, "bytes");
    char *end = NULL;
    if (done < 0 || rows < 0 || cut < 0 || bytes < 0 || !text || strlen(text) != 16)
        return false;
    *s = (struct distill_state){.done = (long)done,
                                .rows = (long)rows,
                                .cut_off = (long)cut,
                                .bytes = (uint64_t)bytes,
                                .text = strtoull(text, &end, 16)};
    return !*end;
}

enum attend_status distill_state_load(struct distill_state *s, bool *found, const char *path,
                                      const char *settings, struct attend_error *err)
{
    struct strbuf bytes = {0};
    struct json *object = NULL;
    struct distill_state read;
    enum attend_status status = io_exists(path, found, err);
    if (status || !*found)
        return status;
    status = io_read(path, &bytes, err);
    if (!status && json_parse(&object, bytes.text ? bytes.text : "", bytes.length, path, err))
        status = refuse(path, err);
    if (!status)
        status = same_settings(json_member(object, "settings"), settings, path, err);
    if (!status && !take(&read, object))
        status = refuse(path, err);
    if (!status)
        *s = read;
    json_free(object);
    strbuf_release(&bytes);
    return status;
}

/* ---- Writing ---- */

enum attend_status distill_state_save(const struct distill_state *s, const char *path,
                                      const char *settings, struct attend_error *err)
{
    struct strbuf out = {0};
    struct json_writer w = {.out = &out};
    char text[17];
    snprintf(text, sizeof text, "%016" PRIx64, s->text);
    json_begin_object(&w, NULL);
    json_put_raw(&w, "settings", settings);
    json_put_whole(&w, "done", s->done);
    json_put_whole(&w, "rows", s->rows);
    json_put_whole(&w, "cut_off", s->cut_off);
    json_put_whole(&w, "bytes", (int64_t)s->bytes);
    json_put_text(&w, "text", text);
    json_end(&w);
    strbuf_addc(&out, '\n');
    enum attend_status status = strbuf_status(&out, err);
    if (!status)
        status = io_write(path, out.text, out.length, err);
    strbuf_release(&out);
    return status;
}
