/* The views of a matrix. To add one: a file like salience_plot.c, one like salience_term.c, and a
 * row in view.c. */
#ifndef ATTEND_VIZ_VIEW_H
#define ATTEND_VIZ_VIEW_H

#include "attend/plot.h"
#include "viz/colour.h"
#include "viz/term.h"

struct display_list;
struct panel;
struct theme;

/* What the legend of a view shows: how a weight from 0 to 1 looks. */
struct view_legend {
    const char *caption;
    const char *note; /* what is not drawn; or NULL */
    bool below;       /* the pictures are wider than high: it lies below them */
    struct colour (*colour)(const struct theme *, double weight);
    double (*width)(double weight); /* pixels across; NULL: as wide as the strip */
};

struct view {
    /* Set the panel's room, and whatever else draw needs. */
    void (*measure)(struct panel *);
    /* With the panel's origin at x, y. */
    void (*draw)(struct display_list *, const struct panel *, double x, double y);
    void (*term)(struct strbuf *, const struct panel *, enum term_style);
    struct view_legend legend;
};

const struct view *view_of(enum attend_view);

#endif
