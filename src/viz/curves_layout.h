/* The positions of all parts of a picture of curves, in pixels, before anything is drawn. */
#ifndef ATTEND_VIZ_CURVES_LAYOUT_H
#define ATTEND_VIZ_CURVES_LAYOUT_H

#include "viz/axis.h"
#include "viz/theme.h"

#include <stdbool.h>

struct curves_plot;

/* Pixels. */
enum {
    CURVES_MARGIN = 16,
    CURVES_TITLE_SIZE = 15,
    CURVES_FONT = 12,
    CURVES_TICK_SIZE = 11,
    CURVES_GAP = 7,          /* between a text and the thing it labels */
    CURVES_WIDTH = 520,      /* of the plot areas */
    CURVES_LEGEND_GAP = 24,  /* between a plot area and its legend */
    CURVES_LEGEND_LINE = 34, /* length of the line sample */
    CURVES_LEGEND_ROW = 22,
};

/* A panel's plot area. */
struct curves_frame {
    struct axis y;
    double top, bottom;
};

struct curves_layout {
    struct theme theme;
    bool dark;
    struct axis x;
    struct curves_frame *frame; /* (panels), owned */
    double left;                /* left edge of all plot areas */
    double width, height;       /* of the whole picture */
    bool failed;                /* out of memory: nothing can be drawn */
};

void curves_layout_init(struct curves_layout *, const struct curves_plot *);
void curves_layout_release(struct curves_layout *);

#endif
