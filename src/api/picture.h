/* What a picture is inside: shapes that every form of output paints. */
#ifndef ATTEND_API_PICTURE_H
#define ATTEND_API_PICTURE_H

#include "attend/plot.h"
#include "viz/display_list.h"

struct curves_plot;

struct attend_picture {
    struct display_list list; /* never a failed one */
};

/* NULL when memory runs out. */
struct attend_picture *picture_curves(const struct curves_plot *);

#endif
