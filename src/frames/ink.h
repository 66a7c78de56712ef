/* Ink: the trace of a pen, as points in strokes. Files are UNIPEN or InkML.
 *
 * y points down, as in InkML and on screens; that of UNIPEN points up and is turned. */
#ifndef ATTEND_FRAMES_INK_H
#define ATTEND_FRAMES_INK_H

#include "attend/status.h"

#include <stdbool.h>
#include <stddef.h>

enum { INK_POINTS_MAX = 1 << 20 };

struct ink_point {
    double x, y;
    bool last; /* of its stroke: the pen goes up after it */
};

/* All zero: no points. */
struct ink {
    struct ink_point *point; /* (count), owned */
    int count, room;
};

/* Read untrusted bytes of either kind. `name` begins messages. Ink without a stroke is refused, and
 * so are numbers above 1e9. */
enum attend_status ink_parse(struct ink *out, const unsigned char *bytes, size_t length,
                             const char *name, struct attend_error *err);
/* Evenly spaced points, in units of the height of the whole and from its upper left corner:
 *
 *     h = max(y_max - y_min, (x_max - x_min) / 16)
 *     a stroke of length L gets n + 1 points, at i L / n for i = 0 .. n, where n = round(L / step)
 *
 * So a stroke keeps both its ends, and one that is shorter than half a step becomes one point. The
 * other bound on h is for ink that is nearly flat, such as a dash. These points are the rows that
 * the reader `ink` makes, one for one. */
enum attend_status ink_resample(struct ink *out, const struct ink *in, double step,
                                const char *name, struct attend_error *err);
void ink_release(struct ink *);

/* ---- For the formats ---- */

/* Text that a format reads. */
struct ink_text {
    const char *at, *end;
    const char *start; /* of the file, to count lines for messages */
    const char *name;
};
/* A decimal number with optional sign, fraction and exponent; false if there is none. */
bool ink_number(struct ink_text *, double *out);
/* ATTEND_FORMAT at the current line: "name:line: what". */
enum attend_status ink_wrong(const struct ink_text *, const char *what, struct attend_error *err);

enum attend_status ink_add(struct ink *, double x, double y, const struct ink_text *,
                           struct attend_error *err);
/* End the stroke, if there is one. */
void ink_lift(struct ink *);

enum attend_status ink_parse_unipen(struct ink *, struct ink_text, struct attend_error *err);
enum attend_status ink_parse_inkml(struct ink *, struct ink_text, struct attend_error *err);

#endif
