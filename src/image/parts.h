/* One file for each library. */
#ifndef ATTEND_IMAGE_PARTS_H
#define ATTEND_IMAGE_PARTS_H

#include "attend/frames.h"

attend_image_decode_fn image_decode_png, image_decode_jpeg;

/* A copy of a PNG file, for free(), with only the chunks that decide the pixels; NULL when out of
 * memory. *kept is its length. Of other chunks, such as compressed texts, a file of 1 MB can have 1
 * GB, and libpng would keep all of it. */
unsigned char *image_strip_png(const unsigned char *bytes, size_t length, size_t *kept);

/* Set a message and return the status. */
enum attend_status image_fail(struct attend_error *err, enum attend_status status,
                              const char *format, ...) __attribute__((format(printf, 3, 4)));
/* Allocate the pixels of `out` for its width and height, if they are at most `pixels`. */
enum attend_status image_allocate(struct attend_gray *out, long long width, long long height,
                                  long pixels, struct attend_error *err);

#endif
