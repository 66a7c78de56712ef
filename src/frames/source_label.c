#include "base/strbuf.h"
#include "frames/source_parts.h"

#include <stdio.h>
#include <stdlib.h>

enum { ROWS_PER_SECOND = 100 }; /* of sound */

void frame_source_forget(struct frame_source *s)
{
    free(s->mean);
    s->mean = s->scale = NULL;
}

void frame_source_label(const struct frame_source *s, int row, char *out, size_t room)
{
    if (s->rate)
        snprintf(out, room, "%.2fs", (double)row / ROWS_PER_SECOND);
    else
        snprintf(out, room, "%d", row);
}

double frame_source_seconds(const struct frame_source *s)
{
    return s->rate ? 1.0 / ROWS_PER_SECOND : 0;
}

char *frame_source_describe(const struct frame_source *s)
{
    struct strbuf out = {0};
    strbuf_addf(&out, "frames of %d numbers, %s", s->width, s->reader->name);
    if (s->rate)
        strbuf_addf(&out, " at %d Hz, %d frames per second", s->rate, ROWS_PER_SECOND);
    return strbuf_detach(&out);
}
