/* The inside of an attend_picture: shapes that every output can paint. */
#ifndef ATTEND_VIZ_PICTURE_H
#define ATTEND_VIZ_PICTURE_H

#include "attend/plot.h"
#include "viz/display_list.h"

struct curves_plot;

struct attend_picture {
    struct display_list list; /* never a failed list */
};

/* NULL when out of memory. */
struct attend_picture *picture_curves(const struct curves_plot *);

#endif
