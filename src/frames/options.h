/* The options of the readers as rows of a table. */
#ifndef ATTEND_FRAMES_OPTIONS_H
#define ATTEND_FRAMES_OPTIONS_H

#include "attend/frames.h"

/* Bounds of `sound_rate`, if it is not 0. */
enum { FRAME_RATE_MIN = 4000, FRAME_RATE_MAX = 48000 };

extern const struct attend_setting frame_rows[];

/* Copy the caller's options over the defaults (`given` NULL: none), and check every range and
 * choice. Only fields that the caller was compiled with are copied. */
enum attend_status frame_options_take(struct attend_frame_options *out,
                                      const struct attend_frame_options *given,
                                      struct attend_error *err);

#endif
