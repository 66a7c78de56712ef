/* Images. The layout `columns` is for lines of writing: the image is scaled to `image_height`, and
 * each column of pixels is a frame, with `image_context` neighbors on either side (the first and the
 * last column repeat beyond the edges).
 *
 * The layout `patches` is a grid of squares, row by row. An image larger than `image_side` is scaled
 * down to it. A frame has the pixels of its window, row by row, and the position of its patch. The
 * window is the patch and `image_context` patches on each side of it, so windows overlap; pixels at
 * the edge repeat beyond it. The position is x, y, and for each octave o = 0 .. image_octaves - 1
 *
 *     sin(2^o pi x) cos(2^o pi x) sin(2^o pi y) cos(2^o pi y)
 *
 * where x and y go from -1 at the left or upper edge of the image to 1 at the other. */
#include "frames/image.h"

#include "base/error.h"
#include "frames/frames.h"
#include "frames/reader.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* ---- Layouts ---- */

struct layout {
    const char *name;
    struct image_plan (*plan)(const struct attend_frame_options *, int width, int height);
    int (*pixels)(const struct attend_frame_options *);    /* numbers of a frame that are pixels */
    int (*positions)(const struct attend_frame_options *); /* and those behind them */
    /* Fill frame i from the scaled image. */
    void (*fill)(const struct attend_frame_options *, const struct image_plan *, const float *image,
                 int i, float *out);
};

static int clamp(int i, int count) { return i < 0 ? 0 : i < count ? i : count - 1; }
static int at_least_one(double x) { return x < 1 ? 1 : x < 1e9 ? (int)lround(x) : 1000000000; }

static struct image_plan columns_plan(const struct attend_frame_options *o, int width, int height)
{
    const int scaled = at_least_one((double)width * o->image_height / height);
    return (struct image_plan){scaled, o->image_height, scaled, 1, 1, o->image_height};
}

static int columns_pixels(const struct attend_frame_options *o)
{
    return o->image_height * (2 * o->image_context + 1);
}

static int no_positions(const struct attend_frame_options *o)
{
    (void)o;
    return 0;
}

static void columns_fill(const struct attend_frame_options *o, const struct image_plan *p,
                         const float *image, int i, float *out)
{
    for (int x = i - o->image_context; x <= i + o->image_context; x++)
        for (int y = 0; y < p->height; y++)
            *out++ = image[(long)y * p->width + clamp(x, p->width)];
}

static struct image_plan patches_plan(const struct attend_frame_options *o, int width, int height)
{
    const int longer = width > height ? width : height, side = o->image_patch;
    const double share = longer > o->image_side ? (double)o->image_side / longer : 1;
    struct image_plan p = {.width = at_least_one(width * share),
                           .height = at_least_one(height * share),
                           .cell_width = side,
                           .cell_height = side};
    p.across = (p.width + side - 1) / side;
    p.down = (p.height + side - 1) / side;
    return p;
}

/* The side of a patch's window. */
static int window_side(const struct attend_frame_options *o)
{
    return o->image_patch * (2 * o->image_context + 1);
}

static int patches_pixels(const struct attend_frame_options *o)
{
    return window_side(o) * window_side(o);
}

static int patches_positions(const struct attend_frame_options *o)
{
    return 2 + 4 * o->image_octaves;
}

static void fill_position(const struct attend_frame_options *o, double x, double y, float *out)
{
    *out++ = (float)x;
    *out++ = (float)y;
    for (int octave = 0; octave < o->image_octaves; octave++) {
        const double turn = ldexp(M_PI, octave);
        *out++ = (float)sin(turn * x);
        *out++ = (float)cos(turn * x);
        *out++ = (float)sin(turn * y);
        *out++ = (float)cos(turn * y);
    }
}

static void patches_fill(const struct attend_frame_options *o, const struct image_plan *p,
                         const float *image, int i, float *out)
{
    const int side = o->image_patch, left = i % p->across * side, top = i / p->across * side;
    const int reach = side * o->image_context;
    for (int y = top - reach; y < top + side + reach; y++)
        for (int x = left - reach; x < left + side + reach; x++)
            *out++ = image[(long)clamp(y, p->height) * p->width + clamp(x, p->width)];
    fill_position(o, (2.0 * left + side) / p->width - 1, (2.0 * top + side) / p->height - 1, out);
}

/* The names are those of `image_layout` in options.c. */
static const struct layout layouts[] = {
    {"columns", columns_plan, columns_pixels, no_positions, columns_fill},
    {"patches", patches_plan, patches_pixels, patches_positions, patches_fill},
};

static const struct layout *layout_of(const struct attend_frame_options *o)
{
    const struct layout *l = layouts;
    while (strcmp(l->name, o->image_layout) != 0)
        l++;
    return l;
}

struct image_plan image_plan_make(const struct attend_frame_options *o, int width, int height)
{
    return layout_of(o)->plan(o, width, height);
}

/* ---- Reading ---- */

static bool begins(const struct frame_input *in, const char *magic, size_t length)
{
    return in->length >= length && memcmp(in->bytes, magic, length) == 0;
}

/* The function that decodes the file. NULL: *status says why not. */
static attend_image_decode_fn *find_decoder(const struct frame_input *in,
                                            enum attend_status *status, struct attend_error *err)
{
    const struct attend_frame_modules *m = in->options->modules;
    if (begins(in, "P5", 2) || begins(in, "P2", 2))
        return image_decode_pgm;
    if (!begins(in, "\x89PNG\r\n\x1a\n", 8) && !begins(in, "\xFF\xD8\xFF", 3)) {
        *status = frame_reader_refuse(&frame_reader_image, in, err);
        return NULL;
    }
    if (!m || !m->image_decode)
        *status = error_set(
            err, ATTEND_IO, "%s: reading PNG and JPEG needs the module attend-image.so%s%s",
            in->name, m && m->no_image ? ", which " : "", m && m->no_image ? m->no_image : "");
    return m ? m->image_decode : NULL;
}

enum attend_status image_decode(const struct frame_input *in, struct attend_gray *out,
                                struct attend_error *err)
{
    enum attend_status status = ATTEND_OK;
    struct attend_error why = {.message = ""};
    attend_image_decode_fn *decode = find_decoder(in, &status, err);
    if (!decode)
        return status;
    status = decode(in->bytes, in->length, IMAGE_PIXELS_MAX, out, &why);
    if (status)
        return error_set(err, status, "%s: %s", in->name, why.message);
    if (out->width >= IMAGE_SIDE_MIN && out->height >= IMAGE_SIDE_MIN)
        return ATTEND_OK;
    status = error_set(err, ATTEND_FORMAT,
                       "%s: has %d x %d pixels; an image to read has at least %d x %d", in->name,
                       out->width, out->height, IMAGE_SIDE_MIN, IMAGE_SIDE_MIN);
    free(out->value);
    *out = (struct attend_gray){0};
    return status;
}

static int image_width(const struct attend_frame_options *o)
{
    const struct layout *l = layout_of(o);
    return l->pixels(o) + l->positions(o);
}

/* Pixels share their mean and scale: those at the edge of an image may hardly ever vary. */
static int image_shared(const struct attend_frame_options *o) { return layout_of(o)->pixels(o); }

static enum attend_status make_frames(const struct frame_input *in, const struct attend_gray *gray,
                                      struct frames *out, struct attend_error *err)
{
    const struct attend_frame_options *o = in->options;
    const struct layout *l = layout_of(o);
    const struct image_plan p = l->plan(o, gray->width, gray->height);
    enum attend_status status =
        frames_init(out, (long long)p.across * p.down, image_width(o), in->name, err);
    if (status)
        return status;
    float *scaled = malloc((size_t)p.width * (size_t)p.height * sizeof *scaled);
    if (!scaled || !image_scale(gray, p.width, p.height, scaled)) {
        status = error_set(err, ATTEND_NO_MEMORY, "%s: out of memory", in->name);
        frames_release(out);
    }
    for (int i = 0; !status && i < out->rows; i++)
        l->fill(o, &p, scaled, i, out->value + (long)i * out->width);
    free(scaled);
    return status;
}

static enum attend_status image_read(const struct frame_input *in, struct frames *out,
                                     struct attend_error *err)
{
    struct attend_gray gray = {0};
    enum attend_status status = image_decode(in, &gray, err);
    if (!status)
        status = make_frames(in, &gray, out, err);
    free(gray.value);
    return status;
}

const struct frame_reader frame_reader_image = {
    .name = "image",
    .help = "images (PNG, JPEG, PGM); a frame is a column of pixels, or a patch and its position",
    .kinds = "an image (PNG, JPEG, PGM)",
    .read = image_read,
    .width = image_width,
    .shared = image_shared,
};
