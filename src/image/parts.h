/* One file for each library. */
#ifndef ATTEND_IMAGE_PARTS_H
#define ATTEND_IMAGE_PARTS_H

#include "attend/frames.h"

attend_image_decode_fn image_decode_png, image_decode_jpeg;

/* Set a message and return the status. */
enum attend_status image_fail(struct attend_error *err, enum attend_status status,
                              const char *format, ...) __attribute__((format(printf, 3, 4)));
/* Allocate the pixels of `out` for its width and height, if they are at most `pixels`. */
enum attend_status image_allocate(struct attend_gray *out, long long width, long long height,
                                  long pixels, struct attend_error *err);

#endif
