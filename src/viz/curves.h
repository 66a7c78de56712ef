/* Curves over common axes, the way papers compare systems: each has its own colour, dash and mark,
 * so that they are told apart in grey print too. Panels stand one above the other over one x axis;
 * each has its own y axis and its own part of the legend. */
#ifndef ATTEND_VIZ_CURVES_H
#define ATTEND_VIZ_CURVES_H

#include <stdbool.h>

struct axis;
struct display_list;
struct strbuf;

enum curve_style {
    CURVE_MARKED, /* a line, and a mark on every point if they are few enough to be told apart */
    CURVE_THIN,   /* a thin solid line */
    CURVE_BEST,   /* points that stand out, without a line */
};

/* A look in grey, for a row of the legend that explains what a style stands for. */
enum { CURVES_KEY = -1 };

/* All borrowed. Labels and titles may hold any bytes; counts may be 0. */
struct curve {
    const char *label;   /* NULL: no row in the legend */
    const double *x, *y; /* (count), x rising; a point that is not finite is a gap, and on a
                            logarithmic axis one without a logarithm too */
    int count;
    int look; /* from 0: its colour, dash and mark; curves that belong together share one */
    enum curve_style style;
};

struct curves_panel {
    const char *y_label; /* may be NULL */
    const struct curve *curve;
    int count;
    double y_min, y_max; /* what the y axis spans at least; lines are cut where they leave it */
    double height;       /* of the plot area, as a share of that of a picture with one panel */
};

struct curves_plot {
    const char *title, *x_label; /* each may be NULL */
    const struct curves_panel *panel;
    int panels;
    bool dark;
    bool log_x;   /* the x axis is logarithmic */
    bool whole_x; /* x counts something: no ticks between whole numbers */
};

/* Initialises the list and draws into it; release it in any case. Running out of memory sets its
 * `failed`. */
void curves_draw(struct display_list *, const struct curves_plot *);
/* Adds the curves as text of 72 columns, about 20 lines for a panel of height 1, and a legend. */
void curves_term(struct strbuf *out, const struct curves_plot *);

/* For the outputs: around all points, with at most about `most` ticks. */
struct axis curves_x_axis(const struct curves_plot *, int most);
/* Around y_min..y_max; a panel of height 1 gets at most about `most` ticks. */
struct axis curves_y_axis(const struct curves_panel *, int most);
/* Whether point i is drawn. */
bool curves_shows(const struct curve *, int i, const struct axis *x, const struct axis *y);
/* The part of the line from point i - 1 to point i that lies within the y axis. */
struct curves_segment {
    double x[2]; /* as shares of the x axis, on which the line is straight */
    double y[2]; /* values */
};
bool curves_cut(const struct curve *, int i, const struct axis *x, const struct axis *y,
                struct curves_segment *out);

#endif
