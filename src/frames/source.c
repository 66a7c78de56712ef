#include "frames/source.h"

#include "base/error.h"
#include "base/io.h"
#include "frames/npy.h"
#include "frames/options.h"
#include "frames/source_parts.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- Life ---- */

static enum attend_status refuse_reader(const char *name, struct attend_error *err)
{
    char names[128] = "";
    for (int i = 0, used = 0; i < FRAME_READERS && used < (int)sizeof names; i++)
        used += snprintf(names + used, sizeof names - (size_t)used, "%s%s", i ? ", " : "",
                         frame_readers[i]->name);
    return error_set(err, ATTEND_USAGE, "no reader of frames is called '%.64s'; there are: %s",
                     name, names);
}

enum attend_status frame_source_new(struct frame_source **out, const char *reader,
                                    const struct attend_frame_options *options,
                                    struct attend_error *err)
{
    const struct frame_reader *row = frame_reader_find(reader);
    if (!row)
        return refuse_reader(reader, err);
    struct frame_source *s = calloc(1, sizeof *s);
    if (!s)
        return error_set(err, ATTEND_NO_MEMORY, "out of memory");
    const enum attend_status status = frame_options_take(&s->options, options, err);
    if (status) {
        free(s);
        return status;
    }
    s->reader = row;
    s->rate = row->timed ? s->options.sound_rate : 0;
    s->width = row->width ? row->width(&s->options) : 0;
    *out = s;
    return ATTEND_OK;
}

void frame_source_free(struct frame_source *s)
{
    if (!s)
        return;
    free(s->shift);
    free(s->mean);
    free(s);
}

/* Copies of both blocks; a block that is not there stays NULL. False when out of memory. */
static bool copy_blocks(struct frame_source *to, const struct frame_source *from)
{
    const size_t width = (size_t)from->width;
    if (from->shift) {
        to->shift = malloc(3 * width * sizeof *to->shift);
        if (!to->shift)
            return false;
        memcpy(to->shift, from->shift, 3 * width * sizeof *to->shift);
        to->sum = to->shift + width;
        to->square = to->sum + width;
    }
    if (from->mean) {
        to->mean = malloc(2 * width * sizeof *to->mean);
        if (!to->mean)
            return false;
        memcpy(to->mean, from->mean, 2 * width * sizeof *to->mean);
        to->scale = to->mean + width;
    }
    return true;
}

enum attend_status frame_source_copy(struct frame_source **out, const struct frame_source *s,
                                     struct attend_error *err)
{
    struct frame_source *copy = malloc(sizeof *copy);
    if (copy) {
        *copy = *s;
        copy->shift = copy->sum = copy->square = NULL;
        copy->mean = copy->scale = NULL;
    }
    if (!copy || !copy_blocks(copy, s)) {
        frame_source_free(copy);
        return error_set(err, ATTEND_NO_MEMORY, "out of memory");
    }
    *out = copy;
    return ATTEND_OK;
}

void frame_source_use(struct frame_source *s, const struct attend_frame_modules *modules)
{
    s->options.modules = modules;
}

const char *frame_source_reader(const struct frame_source *s) { return s->reader->name; }
int frame_source_width(const struct frame_source *s) { return s->width; }
int frame_source_rate(const struct frame_source *s) { return s->rate; }
const struct attend_frame_options *frame_source_options(const struct frame_source *s)
{
    return &s->options;
}

/* ---- Reading ---- */

/* What holds for the frames of every reader. Releases them if it does not. */
static enum attend_status finish(const struct frame_source *s, const char *name,
                                 struct frames *frames, struct attend_error *err)
{
    enum attend_status status = ATTEND_OK;
    if (s->width && frames->width != s->width)
        status = error_set(err, ATTEND_FORMAT,
                           "%s: its rows have %d numbers, those of the training data have %d", name,
                           frames->width, s->width);
    if (!status)
        status = frames_check(frames, name, err);
    if (status)
        frames_release(frames);
    else if (s->mean)
        frame_source_normalize(s, frames->value, frames->rows);
    return status;
}

enum attend_status frame_source_read(const struct frame_source *s, const void *bytes, size_t length,
                                     const char *name, struct frames *out, struct attend_error *err)
{
    struct frames frames = {0};
    const struct frame_input in = {bytes, length, name, &s->options, s->rate};
    if (length == 0)
        return frame_reader_refuse(s->reader, &in, err);
    enum attend_status status = s->reader->read(&in, &frames, err);
    if (!status)
        status = finish(s, name, &frames, err);
    if (!status)
        *out = frames;
    return status;
}

enum attend_status frame_source_read_file(const struct frame_source *s, const char *path,
                                          struct frames *out, struct attend_error *err)
{
    struct io_map map = {0};
    const size_t archive = npy_archive_length(path);
    char *file = archive ? strndup(path, archive) : NULL;
    if (archive && !file)
        return error_set(err, ATTEND_NO_MEMORY, "out of memory");
    enum attend_status status = io_map(&map, file ? file : path, err);
    if (!status)
        status = frame_source_read(s, map.bytes, map.size, path, out, err);
    io_unmap(&map);
    free(file);
    return status;
}

enum attend_status frame_source_take(const struct frame_source *s,
                                     const struct attend_frames *given, const char *name,
                                     struct frames *out, struct attend_error *err)
{
    struct frames frames = {0};
    enum attend_status status = frames_init(&frames, given->rows, given->width, name, err);
    if (!status) {
        memcpy(frames.value, given->values,
               (size_t)frames.rows * (size_t)frames.width * sizeof *frames.value);
        status = finish(s, name, &frames, err);
    }
    if (!status)
        *out = frames;
    return status;
}
