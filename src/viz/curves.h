/* Curves over common axes, as papers compare systems. Each curve has its own color, dash and mark,
 * so that they can be told apart in gray print too. Panels are stacked over one x axis; each has
 * its own y axis and its own part of the legend. */
#ifndef ATTEND_VIZ_CURVES_H
#define ATTEND_VIZ_CURVES_H

#include <stdbool.h>

struct axis;
struct display_list;
struct strbuf;

enum curve_style {
    CURVE_MARKED, /* a line, with a mark on every point unless there are too many */
    CURVE_THIN,   /* a thin solid line */
    CURVE_BEST,   /* points with large marks, without a line */
};

/* A gray series, for legend rows that explain a style. */
enum { CURVES_KEY = -1 };

/* All pointers are borrowed. Labels and titles may contain any bytes; counts may be 0. */
struct curve {
    const char *label;   /* NULL: not in the legend */
    const double *x, *y; /* (count), x increasing; points that are not finite are gaps, and so are
                          * points without a logarithm on a logarithmic axis */
    int count;
    int series; /* from 0: its color, dash and mark; related curves share one */
    enum curve_style style;
};

struct curves_panel {
    const char *y_label; /* may be NULL */
    const struct curve *curve;
    int count;
    double y_min, y_max; /* minimum range of the y axis; lines are clipped to the axis */
    double height;       /* height of the plot area, relative to a picture with one panel */
};

struct curves_plot {
    const char *title, *x_label; /* each may be NULL */
    const struct curves_panel *panel;
    int panels;
    bool dark;
    bool log_x;   /* the x axis is logarithmic */
    bool whole_x; /* x is a count: ticks only at integers */
    int width;    /* columns of the terminal, for curves_term; 0: 72 */
};

/* Initializes the list and draws into it. The caller always releases it. `failed` is set when
 * memory runs out. */
void curves_draw(struct display_list *, const struct curves_plot *);
/* Adds the curves as text: 72 columns or the plot's width, at most about 130; about 20 lines for a panel of height 1, and a legend. */
void curves_term(struct strbuf *out, const struct curves_plot *);

/* For the outputs: the axis around all points, with at most about `most` ticks. */
struct axis curves_x_axis(const struct curves_plot *, int most);
/* Around y_min..y_max; a panel of height 1 gets at most about `most` ticks. */
struct axis curves_y_axis(const struct curves_panel *, int most);
/* Whether point i is drawn. */
bool curves_shows(const struct curve *, int i, const struct axis *x, const struct axis *y);
/* The part of the line from point i - 1 to point i that is within the y axis. */
struct curves_segment {
    double x[2]; /* as shares of the x axis, in which the line is straight */
    double y[2]; /* values */
};
bool curves_cut(const struct curve *, int i, const struct axis *x, const struct axis *y,
                struct curves_segment *out);

#endif
