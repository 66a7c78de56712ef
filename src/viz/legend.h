/* The one legend of a figure: a strip from 0 to 1. */
#ifndef ATTEND_VIZ_LEGEND_H
#define ATTEND_VIZ_LEGEND_H

struct display_list;
struct theme;
struct view_legend;

struct legend_size {
    double step; /* of an upright strip, pixels */
    double width, height;
};

/* Of a legend that stands beside a picture or lies below it. `beside` is the height of what an
 * upright one stands next to. */
struct legend_size legend_measure(const struct view_legend *, double beside);
/* With its upper left corner at x, y. */
void legend_draw(struct display_list *, const struct view_legend *, const struct theme *,
                 const struct legend_size *, double x, double y);

#endif
