/* Images as frames: how pixels become rows. */
#ifndef ATTEND_FRAMES_IMAGE_H
#define ATTEND_FRAMES_IMAGE_H

#include "attend/frames.h"

struct frame_input;

enum { IMAGE_PIXELS_MAX = 1 << 26, IMAGE_SIDE_MIN = 4 };

/* How an image of some size is read. Row i of the frames is the cell i % across, i / across. */
struct image_plan {
    int width, height; /* the image is scaled to this size */
    int across, down;  /* cells: columns of pixels (down is 1), or patches */
    int cell_width, cell_height;
};

/* The plan for an image of this size. */
struct image_plan image_plan_make(const struct attend_frame_options *, int width, int height);

/* The pixels of a file: PGM, or what the module reads. Free out->value. */
enum attend_status image_decode(const struct frame_input *, struct attend_gray *out,
                                struct attend_error *err);
/* PGM, plain or raw (P2, P5). Messages do not name the file. */
enum attend_status image_decode_pgm(const void *bytes, size_t length, long pixels,
                                    struct attend_gray *out, struct attend_error *err);

/* out = the image scaled to (height, width), as shares of white, 0 .. 1: each pixel is a mean of
 * those that it covers, weighted by a triangle. False when out of memory. */
bool image_scale(const struct attend_gray *, int width, int height, float *out);

#endif
