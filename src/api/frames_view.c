/* What pictures show of a source of frames: the values before they were normalized, of an image its
 * pixels. */
#include "api/frame_lines.h"
#include "api/model.h"

#include "attend/frames.h"
#include "attend/matrix.h"
#include "base/error.h"
#include "base/path.h"
#include "frames/source.h"

#include <stdlib.h>
#include <string.h>

/* ---- Kinds ---- */

/* Allocate a view in one block with its values. */
static struct attend_frames_view *make(enum attend_frames_kind kind, int rows, int width,
                                       int stride)
{
    const size_t values = (size_t)rows * (size_t)width;
    struct attend_frames_view *view = calloc(1, sizeof *view + values * sizeof(float));
    if (view)
        *view = (struct attend_frames_view){.kind = kind,
                                            .rows = rows,
                                            .width = width,
                                            .value = (const float *)(view + 1),
                                            .stride = stride};
    return view;
}

static float *values_of(struct attend_frames_view *view) { return (float *)(view + 1); }

/* The first `width` columns of the frames. */
static struct attend_frames_view *copy(enum attend_frames_kind kind, const struct frames *f,
                                       int width, int stride)
{
    struct attend_frames_view *view = make(kind, f->rows, width, stride);
    for (size_t i = 0; view && i < (size_t)f->rows; i++)
        memcpy(values_of(view) + i * (size_t)width, f->value + i * (size_t)f->width,
               (size_t)width * sizeof *f->value);
    return view;
}

static struct attend_frames_view *array_view(const struct frame_source *source,
                                             const struct frames *f, int stride)
{
    (void)source;
    return copy(ATTEND_FRAMES_ARRAY, f, f->width, stride);
}

static struct attend_frames_view *ink_view(const struct frame_source *source,
                                           const struct frames *f, int stride)
{
    (void)source;
    return copy(ATTEND_FRAMES_INK, f, f->width, stride);
}

/* Without the deltas, which stand behind the bands. */
static struct attend_frames_view *sound_view(const struct frame_source *source,
                                             const struct frames *f, int stride)
{
    const int bands = frame_source_options(source)->sound_bands;
    struct attend_frames_view *view =
        copy(ATTEND_FRAMES_SOUND, f, bands < f->width ? bands : f->width, stride);
    if (view)
        view->seconds = frame_source_seconds(source);
    return view;
}

/* A frame has its column of pixels between those of its neighbors. */
static struct attend_frames_view *columns_view(const struct attend_frame_options *o,
                                               const struct frames *f, int stride)
{
    const int height = f->width / (2 * o->image_context + 1);
    struct attend_frames_view *view = make(ATTEND_FRAMES_COLUMNS, height, f->rows, stride);
    for (int y = 0; view && y < height; y++)
        for (int x = 0; x < f->rows; x++)
            values_of(view)[(size_t)y * (size_t)f->rows + (size_t)x] =
                f->value[(size_t)x * (size_t)f->width + (size_t)(o->image_context * height + y)];
    return view;
}

/* The number of patches side by side: their x, which stands behind the pixels, grows up to there. */
static int patches_across(const struct frames *f, int pixels)
{
    int across = 1;
    while (across < f->rows && pixels < f->width &&
           f->value[(size_t)across * (size_t)f->width + (size_t)pixels] >
               f->value[(size_t)(across - 1) * (size_t)f->width + (size_t)pixels])
        across++;
    return across;
}

static struct attend_frames_view *patches_view(const struct attend_frame_options *o,
                                               const struct frames *f)
{
    const int side = o->image_patch, across = patches_across(f, side * side);
    const int down = (f->rows + across - 1) / across;
    const size_t width = (size_t)across * (size_t)side, each = (size_t)f->width;
    if (f->width < side * side)
        return copy(ATTEND_FRAMES_ARRAY, f, f->width, 1);
    struct attend_frames_view *view = make(ATTEND_FRAMES_PATCHES, down * side, across * side, side);
    for (int i = 0; view && i < f->rows; i++)
        for (int y = 0; y < side; y++)
            memcpy(values_of(view) + (size_t)(i / across * side + y) * width +
                       (size_t)(i % across * side),
                   f->value + (size_t)i * each + (size_t)(y * side), (size_t)side * sizeof(float));
    if (view)
        view->across = across;
    return view;
}

static struct attend_frames_view *image_view(const struct frame_source *source,
                                             const struct frames *f, int stride)
{
    const struct attend_frame_options *o = frame_source_options(source);
    return strcmp(o->image_layout, "patches") == 0 ? patches_view(o, f)
                                                   : columns_view(o, f, stride);
}

/* A reader without a row is drawn as an array. */
static const struct {
    const char *reader;
    struct attend_frames_view *(*view)(const struct frame_source *, const struct frames *,
                                       int stride);
} views[] = {{"wav", sound_view}, {"image", image_view}, {"ink", ink_view}};

/* ---- The view of a source ---- */

/* Of normalized frames, which are restored in place. */
static enum attend_status show(struct attend_frames_view **out, const struct model *m,
                               struct frames *f, struct attend_error *err)
{
    const struct frame_source *source = m->source.frames;
    const int stride = 1 << m->net.config.pyramid;
    struct attend_frames_view *(*view)(const struct frame_source *, const struct frames *, int) =
        array_view;
    for (size_t i = 0; i < sizeof views / sizeof *views; i++)
        if (strcmp(views[i].reader, frame_source_reader(source)) == 0)
            view = views[i].view;
    frame_source_restore(source, f->value, f->rows);
    *out = view(source, f, stride);
    return *out ? ATTEND_OK : error_set(err, ATTEND_NO_MEMORY, "out of memory for a picture");
}

enum attend_status attend_frames_view_file(struct attend_frames_view **out,
                                           const struct attend_translator *t, const char *line,
                                           struct attend_error *err)
{
    struct frames frames = {0};
    *out = NULL;
    if (!t->model->source.frames)
        return ATTEND_OK;
    if (!t->frames)
        return error_set(err, ATTEND_USAGE,
                         "the lines of this translator name no files: call "
                         "attend_translator_files first");
    char *path = path_beside(t->beside, line);
    enum attend_status status = path ? frame_source_read_file(t->frames, path, &frames, err)
                                     : error_set(err, ATTEND_NO_MEMORY, "out of memory for a path");
    free(path);
    if (!status)
        status = show(out, t->model, &frames, err);
    frames_release(&frames);
    return status;
}

enum attend_status attend_frames_view_of(struct attend_frames_view **out,
                                         const struct attend_model *model,
                                         const struct attend_frames *given,
                                         struct attend_error *err)
{
    const struct model *m = model->model;
    struct frames frames = {0};
    *out = NULL;
    if (!m->source.frames)
        return ATTEND_OK;
    enum attend_status status =
        frame_source_take(m->source.frames, given, "the frames", &frames, err);
    if (!status)
        status = show(out, m, &frames, err);
    frames_release(&frames);
    return status;
}

void attend_frames_view_free(struct attend_frames_view *view) { free(view); }
