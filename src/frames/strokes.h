/* Strokes: frames of ink as a model writes them. dx and dy are normalized like any frames; the pen
 * stays 0 or 1, because it is a decision and not a quantity. */
#ifndef ATTEND_FRAMES_STROKES_H
#define ATTEND_FRAMES_STROKES_H

#include "attend/status.h"

struct frame_source;
struct frames;

enum { STROKES_WIDTH = 3 };

/* ATTEND_USAGE unless the source reads ink: nothing else can be written. */
enum attend_status strokes_check(const struct frame_source *, struct attend_error *err);
/* Turn normalized frames (rows, 3) into strokes, in place, and back into the reader's units. */
void strokes_from_frames(const struct frame_source *, float *value, int rows);
void strokes_restore(const struct frame_source *, float *value, int rows);

#endif
