/* A source as JSON, as model files keep it:
 *
 *     {"reader":"npy","width":3,"rate":0,"options":{...},"mean":[...],"scale":[...]}
 *
 * Mean and scale are left out before they are settled. */
#include "base/error.h"
#include "base/json.h"
#include "base/json_writer.h"
#include "base/option_json.h"
#include "base/strbuf.h"
#include "frames/options.h"
#include "frames/source_parts.h"

#include <math.h>
#include <stdlib.h>

static const char called[] = "the description of the frames";

/* Nine digits restore a float exactly. */
static void put_column(struct json_writer *w, const char *name, const float *x, int count)
{
    json_begin_array(w, name);
    for (int i = 0; i < count; i++)
        json_put_number(w, NULL, (double)x[i], 9);
    json_end(w);
}

char *frame_source_text(const struct frame_source *s)
{
    struct strbuf out = {0};
    struct json_writer w = {.out = &out};
    json_begin_object(&w, NULL);
    json_put_text(&w, "reader", s->reader->name);
    json_put_whole(&w, "width", s->width);
    json_put_whole(&w, "rate", s->rate);
    json_begin_object(&w, "options");
    option_json_put(&w, frame_rows, &s->options);
    json_end(&w);
    if (s->mean) {
        put_column(&w, "mean", s->mean, s->width);
        put_column(&w, "scale", s->scale, s->width);
    }
    json_end(&w);
    char *text = strbuf_detach(&out);
    strbuf_release(&out);
    return text;
}

/* A whole number of a range. */
static enum attend_status take_whole(int *out, const struct json *object, const char *name, int max,
                                     struct attend_error *err)
{
    const double x = json_number(json_member(object, name));
    if (!(x >= 0 && x <= max && x == floor(x)))
        return error_set(err, ATTEND_FORMAT, "%s has a wrong %s", called, name);
    *out = (int)x;
    return ATTEND_OK;
}

static enum attend_status take_column(float *out, int count, const struct json *object,
                                      const char *name, struct attend_error *err)
{
    const struct json *array = json_member(object, name);
    bool right = json_length(array) == count;
    for (int i = 0; right && i < count; i++) {
        out[i] = (float)json_number(json_at(array, i));
        right = isfinite(out[i]);
    }
    return right ? ATTEND_OK : error_set(err, ATTEND_FORMAT, "%s has a wrong %s", called, name);
}

/* Mean and scale, or neither. */
static enum attend_status take_scale(struct frame_source *s, const struct json *object,
                                     struct attend_error *err)
{
    if (json_absent(json_member(object, "mean")) && json_absent(json_member(object, "scale")))
        return ATTEND_OK;
    enum attend_status status = ATTEND_OK;
    if (s->width == 0)
        status = error_set(err, ATTEND_FORMAT, "%s has a wrong width", called);
    if (!status)
        status = source_make_scale(s, err);
    if (!status)
        status = take_column(s->mean, s->width, object, "mean", err);
    if (!status)
        status = take_column(s->scale, s->width, object, "scale", err);
    for (int j = 0; !status && j < s->width; j++)
        if (s->scale[j] <= 0)
            status = error_set(err, ATTEND_FORMAT, "%s has a wrong scale", called);
    return status;
}

static enum attend_status take_options(struct attend_frame_options *out, const struct json *object,
                                       struct attend_error *err)
{
    struct attend_settings set = {0};
    option_bind(&set, frame_rows, out);
    enum attend_status status = option_json_take(&set, json_member(object, "options"), called, err);
    if (!status)
        status = option_check(frame_rows, out, err); /* choices become names of the table */
    option_release(&set);
    return status;
}

static enum attend_status take_members(struct frame_source **out, const struct json *object,
                                       struct attend_error *err)
{
    struct attend_frame_options options = attend_frame_defaults();
    const char *reader = json_text(json_member(object, "reader"));
    int width = 0, rate = 0;
    if (!reader || !frame_reader_find(reader))
        return error_set(err, ATTEND_FORMAT,
                         "%s has the reader '%.64s', which this program does not know; use a newer "
                         "attend",
                         called, reader ? reader : "");
    enum attend_status status = take_options(&options, object, err);
    if (!status)
        status = take_whole(&width, object, "width", FRAMES_WIDTH_MAX, err);
    if (!status)
        status = take_whole(&rate, object, "rate", FRAME_RATE_MAX, err);
    if (!status && rate && rate < FRAME_RATE_MIN)
        status = error_set(err, ATTEND_FORMAT, "%s has a wrong rate", called);
    if (!status)
        status = frame_source_new(out, reader, &options, err);
    if (status)
        return status;
    if ((*out)->width && (*out)->width != width)
        return error_set(err, ATTEND_FORMAT, "%s has a wrong width", called);
    (*out)->width = width;
    (*out)->rate = rate;
    return take_scale(*out, object, err);
}

enum attend_status frame_source_parse(struct frame_source **out, const char *text, size_t length,
                                      struct attend_error *err)
{
    struct json *object = NULL;
    struct frame_source *s = NULL;
    enum attend_status status = json_parse(&object, text, length, called, err);
    if (!status)
        status = take_members(&s, object, err);
    json_free(object);
    if (status) {
        frame_source_free(s);
        return status;
    }
    *out = s;
    return ATTEND_OK;
}
