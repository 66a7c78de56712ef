#include "frames/strokes.h"

#include "base/error.h"
#include "frames/source_parts.h"

enum { PEN = 2 };

enum attend_status strokes_check(const struct frame_source *s, struct attend_error *err)
{
    return s->reader == &frame_reader_ink
               ? ATTEND_OK
               : error_set(err, ATTEND_USAGE,
                           "a target of frames must be ink; %s cannot be written", s->reader->name);
}

void strokes_from_frames(const struct frame_source *s, float *value, int rows)
{
    for (float *pen = value + PEN; s->mean && rows > 0; rows--, pen += STROKES_WIDTH)
        *pen = *pen / s->scale[PEN] + s->mean[PEN] > 0.5f ? 1 : 0;
}

void strokes_restore(const struct frame_source *s, float *value, int rows)
{
    for (; s->mean && rows > 0; rows--, value += STROKES_WIDTH)
        for (int j = 0; j < PEN; j++)
            value[j] = value[j] / s->scale[j] + s->mean[j];
}
