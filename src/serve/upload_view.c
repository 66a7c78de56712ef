/* What an answer says of an upload: where each column of attention is, and what a page draws. */
#include "serve/upload.h"

#include "attend/matrix.h"
#include "base/json_writer.h"
#include "base/strbuf.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Columns of values are 2^pyramid frames, of which the last may have fewer. */
static int stride_of(const struct upload *u)
{
    struct attend_network_options network = attend_network_defaults();
    attend_model_network(u->served->model, &network);
    return 1 << network.pyramid;
}

int upload_columns(const struct upload *u)
{
    const int stride = stride_of(u);
    return (u->frames->rows + stride - 1) / stride;
}

enum attend_status upload_view(struct attend_frames_view **out, const struct upload *u,
                               struct attend_error *err)
{
    return attend_frames_view_of(out, u->served->model, u->frames, err);
}

/* ---- Positions ---- */

static void put_pair(struct json_writer *w, double x, double y)
{
    json_begin_array(w, NULL);
    json_put_fixed(w, NULL, x, 4);
    json_put_fixed(w, NULL, y, 4);
    json_end(w);
}

/* Where the pen is after the first point of each column, in heights of the writing. */
static void put_ink(struct json_writer *w, const struct attend_frames_view *v, int stride)
{
    double x = 0, y = 0;
    for (int i = 0; i < v->rows; i++) {
        x += (double)v->value[i * v->width];
        y += (double)v->value[i * v->width + 1];
        if (i % stride == 0)
            put_pair(w, x, y);
    }
}

/* The upper left corner of each patch, in pixels. */
static void put_patches(struct json_writer *w, const struct attend_frames_view *v, int columns,
                        int stride)
{
    for (int i = 0; i < columns; i++) {
        const int patch = i * stride;
        json_begin_array(w, NULL);
        json_put_whole(w, NULL, patch % v->across * v->stride);
        json_put_whole(w, NULL, patch / v->across * v->stride);
        json_end(w);
    }
}

/* The time, the pixel or the row at which each column begins. */
static void put_line(struct json_writer *w, const struct attend_frames_view *v, int columns,
                     int stride)
{
    for (int i = 0; i < columns; i++)
        if (v->seconds > 0)
            json_put_fixed(w, NULL, i * stride * v->seconds, 4);
        else
            json_put_whole(w, NULL, i * stride);
}

static void put_positions(struct json_writer *w, const struct upload *u,
                          const struct attend_frames_view *v)
{
    const int columns = upload_columns(u), stride = stride_of(u);
    json_begin_array(w, "positions");
    if (v->kind == ATTEND_FRAMES_INK)
        put_ink(w, v, stride);
    else if (v->kind == ATTEND_FRAMES_PATCHES)
        put_patches(w, v, columns, stride);
    else
        put_line(w, v, columns, stride);
    json_end(w);
}

/* ---- Values ---- */

/* Rows of dx, dy and whether the pen goes up. */
static void put_points(struct json_writer *w, const struct attend_frames_view *v)
{
    json_begin_array(w, "points");
    for (int i = 0; i < v->rows; i++) {
        const float *row = v->value + i * v->width;
        json_begin_array(w, NULL);
        json_put_fixed(w, NULL, (double)row[0], 4);
        json_put_fixed(w, NULL, (double)row[1], 4);
        json_put_whole(w, NULL, (double)row[2] > 0.5);
        json_end(w);
    }
    json_end(w);
}

static void add_base64(struct strbuf *out, const unsigned char *bytes, size_t size)
{
    static const char digit[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    for (size_t i = 0; i < size; i += 3) {
        const size_t left = size - i;
        const unsigned three = (unsigned)bytes[i] << 16 | (left > 1 ? bytes[i + 1] : 0u) << 8 |
                               (left > 2 ? bytes[i + 2] : 0u);
        const char four[] = {digit[three >> 18], digit[three >> 12 & 63],
                             left > 1 ? digit[three >> 6 & 63] : '=',
                             left > 2 ? digit[three & 63] : '='};
        strbuf_add(out, four, sizeof four);
    }
}

static bool is_image(const struct attend_frames_view *v)
{
    return v->kind == ATTEND_FRAMES_COLUMNS || v->kind == ATTEND_FRAMES_PATCHES;
}

/* The range of values that becomes 0 to 255; that of pixels is known. */
static void range_of(const struct attend_frames_view *v, float *low, float *high)
{
    const size_t count = (size_t)v->rows * (size_t)v->width;
    *low = is_image(v) || !count ? 0 : v->value[0];
    *high = is_image(v) || !count ? 1 : v->value[0];
    for (size_t i = 0; i < count && !is_image(v); i++) {
        *low = fminf(*low, v->value[i]);
        *high = fmaxf(*high, v->value[i]);
    }
}

/* A byte for each value, row by row, in base64. */
static void put_bytes(struct json_writer *w, const struct attend_frames_view *v)
{
    const size_t count = (size_t)v->rows * (size_t)v->width;
    unsigned char *bytes = malloc(count + 1);
    struct strbuf text = {0};
    float low, high;
    range_of(v, &low, &high);
    const float scale = high > low ? 255 / (high - low) : 0;
    for (size_t i = 0; bytes && i < count; i++)
        bytes[i] = (unsigned char)lroundf(fminf(fmaxf((v->value[i] - low) * scale, 0), 255));
    if (bytes)
        add_base64(&text, bytes, count);
    strbuf_adds(&text, "");
    json_put_whole(w, "height", v->rows);
    json_put_whole(w, "width", v->width);
    json_put_text(w, "values", text.text ? text.text : "");
    w->out->failed = w->out->failed || text.failed || !bytes;
    strbuf_release(&text);
    free(bytes);
}

static void put_values(struct json_writer *w, const struct attend_frames_view *v)
{
    const bool many = (size_t)v->rows * (size_t)v->width > TEXT_JOB_CELLS;
    if (!many && v->kind == ATTEND_FRAMES_INK)
        put_points(w, v);
    else if (!many)
        put_bytes(w, v);
}

void upload_put(struct json_writer *w, const struct upload *u, bool values)
{
    static const char *const kinds[] = {"array", "sound", "ink", "columns", "patches"};
    struct attend_frames_view *v = NULL;
    if (upload_view(&v, u, NULL)) {
        w->out->failed = true;
        return;
    }
    json_begin_object(w, "frames");
    json_put_text(w, "reader", u->served->info.frames);
    json_put_text(w, "kind", kinds[v->kind]);
    json_put_whole(w, "rows", u->frames->rows);
    json_put_whole(w, "each", stride_of(u));
    if (v->seconds > 0)
        json_put_number(w, "seconds", v->seconds, 6);
    if (v->kind == ATTEND_FRAMES_PATCHES) {
        json_put_whole(w, "across", v->across);
        json_put_whole(w, "side", v->stride);
    }
    put_positions(w, u, v);
    if (values)
        put_values(w, v);
    json_end(w);
    attend_frames_view_free(v);
}
