/* Pictures as PNG and PDF, painted by cairo and pango. These functions are in the module
 * attend-paint.so, not in libattend, so that an application that only runs a model needs no drawing
 * library. Load the module with dlopen, or link it. */
#ifndef ATTEND_PAINT_H
#define ATTEND_PAINT_H

#include "attend/plot.h"

#ifdef __cplusplus
extern "C" {
#endif

enum attend_paint_format { ATTEND_PAINT_PNG, ATTEND_PAINT_PDF };

/** Paint a picture. `scale` is the size of one unit of the picture, in pixels for PNG and in 1/96
 * inch for PDF. 0 is the default: 2 for PNG, which is sharp on high-resolution screens, and 1 for
 * PDF. Text in a PDF stays text. The same picture and fonts give the same bytes. Free *bytes with
 * attend_paint_free. A picture too large to paint is ATTEND_USAGE. */
ATTEND_API enum attend_status attend_paint(const struct attend_picture *picture,
                                           enum attend_paint_format format, double scale,
                                           unsigned char **bytes, size_t *size,
                                           struct attend_error *err);
ATTEND_API void attend_paint_free(unsigned char *bytes);

#ifdef __cplusplus
}
#endif

#endif
