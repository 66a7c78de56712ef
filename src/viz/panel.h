/* One matrix of a figure, with what every view of it needs: safe labels, the way they are written,
 * colours, and the room that it takes. */
#ifndef ATTEND_VIZ_PANEL_H
#define ATTEND_VIZ_PANEL_H

#include "attend/plot.h"
#include "viz/label.h"
#include "viz/theme.h"

struct strbuf;

/* Pixels around a panel's origin, by which panels of one row or column line up. */
struct panel_room {
    double left, right, above, below;
    double tuck; /* the part of `right` that stands above the origin only: a legend fits below */
};

struct panel {
    const struct attend_matrix *matrix; /* borrowed, as the theme is */
    const struct theme *theme;
    enum attend_values values;
    int longest, panels; /* words on the longest side of any matrix of the figure; its matrices */
    struct label_set title, source, target; /* title: none or one */
    bool source_reversed, target_reversed;  /* most words are written from right to left */
    double *x, *y; /* (source_count + target_count) where each word stands, for the views that place
                      them one by one; owned */
    bool failed;   /* out of memory: there is nothing to draw */

    /* Set by the view's measure. */
    struct panel_room room;
    double cell, font; /* pixels */
    double turn;       /* degrees, of the column labels */
};

void panel_init(struct panel *, const struct attend_matrix *, const struct attend_look *,
                const struct theme *);
void panel_release(struct panel *);
double panel_weight(const struct panel *, int t, int s);
/* Attention that source word s got from all targets. */
double panel_received(const struct panel *, int s);
/* The largest of them that is a number; 0 if there is none. */
double panel_most_received(const struct panel *);
/* What s got as a part of `most`; 0 when nothing was given at all. */
double panel_share(const struct panel *, int s, double most);
/* Add "target <- source: 0.873". */
void panel_add_tooltip(struct strbuf *, const struct panel *, int t, int s);

/* From the baseline to the middle of small letters, in units of the font size. */
#define PANEL_HALF_HEIGHT 0.36

/* Weaker links are not drawn: hundreds of them would hide those that say something. */
#define PANEL_LINK_LEAST 0.05

#endif
