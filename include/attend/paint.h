/* Pictures as PNG and PDF, drawn by cairo and pango. These functions are not in libattend, so that
 * an application that runs a model links no drawing library: they are in the module
 * attend-paint.so, which is loaded with dlopen or linked by those who want it. */
#ifndef ATTEND_PAINT_H
#define ATTEND_PAINT_H

#include "attend/plot.h"

#ifdef __cplusplus
extern "C" {
#endif

enum attend_paint_format { ATTEND_PAINT_PNG, ATTEND_PAINT_PDF };

/** Paint a picture. `scale` is how many pixels, or in PDF how many 96ths of an inch, a unit of the
 * picture takes; 0: 2 for PNG, which is sharp on today's screens, and 1 for PDF. Text in PDF stays
 * text. The same picture and the same fonts give the same bytes. Free *bytes with
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
