/* Curves over common axes, the way papers compare systems: each has its own colour, dash and mark,
 * so that they are told apart in grey print too. */
#ifndef ATTEND_VIZ_CURVES_H
#define ATTEND_VIZ_CURVES_H

#include <stdbool.h>

struct axis;
struct display_list;
struct strbuf;

/* All borrowed. Labels and titles may hold any bytes; counts may be 0. */
struct curve {
    const char *label;
    const double *x, *y; /* (count), x rising; a point that is not finite is a gap */
    int count;
};

struct curves_plot {
    const char *title, *x_label, *y_label; /* each may be NULL */
    const struct curve *curve;
    int count;
    double y_min, y_max; /* what the y axis spans at least; points beyond it are gaps */
};

/* Initialises the list and draws into it; release it in any case. Running out of memory sets its
 * `failed`. */
void curves_draw(struct display_list *, const struct curves_plot *);
/* Adds a complete standalone SVG document. */
void curves_svg(struct strbuf *out, const struct curves_plot *);
/* Adds the curves as about 20 lines of 72 columns of text and a legend. */
void curves_term(struct strbuf *out, const struct curves_plot *);

/* For the outputs: x around all points that can be drawn, y around y_min..y_max, with at most about
 * `x_most` and `y_most` ticks. */
void curves_axes(const struct curves_plot *, int x_most, int y_most, struct axis *x,
                 struct axis *y);
/* Whether point i is drawn. */
bool curves_shows(const struct curve *, int i, const struct axis *y);

#endif
