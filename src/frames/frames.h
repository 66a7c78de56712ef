/* Frames: rows of numbers that a reader made from one file. */
#ifndef ATTEND_FRAMES_FRAMES_H
#define ATTEND_FRAMES_FRAMES_H

#include "attend/status.h"

/* Largest frames: 256 MiB of numbers. */
enum { FRAMES_WIDTH_MAX = 1 << 14, FRAMES_VALUES_MAX = 1 << 26 };

/* All zero: none. */
struct frames {
    int rows, width;
    float *value; /* (rows, width), owned */
    int rate;     /* samples per second of the sound; 0: not sound */
};

/* Allocate frames, with values that are not set. Messages begin with `name`. Refused are no rows,
 * no columns, and more than the limits. */
enum attend_status frames_init(struct frames *, long long rows, long long width, const char *name,
                               struct attend_error *err);
/* ATTEND_FORMAT, with row and column, when a value is NaN or infinite. */
enum attend_status frames_check(const struct frames *, const char *name, struct attend_error *err);
void frames_release(struct frames *);

#endif
