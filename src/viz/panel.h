/* One matrix of a figure with everything its pictures need: safe labels, their direction, colors,
 * and the room that it takes. */
#ifndef ATTEND_VIZ_PANEL_H
#define ATTEND_VIZ_PANEL_H

#include "attend/plot.h"
#include "viz/label.h"
#include "viz/theme.h"

struct strbuf;

/* Pixels around the origin of a panel. Panels of one row or column are aligned by their origins. */
struct panel_room {
    double left, right, above, below;
    double tuck; /* the part of `right` that is only above the origin: a legend fits below it */
};

struct panel {
    const struct attend_matrix *matrix; /* borrowed, like the theme */
    const struct theme *theme;
    enum attend_values values;
    int width;           /* columns of a terminal that must suffice; 0: no limit */
    int longest, panels; /* most words on a side of any matrix of the figure; its matrices */
    struct label_set title, source,
        target; /* title: zero or one. source: may be empty if it is frames */
    bool source_reversed, target_reversed; /* most words are right-to-left */
    double *x, *y; /* (source_count + target_count) word positions, for kinds of picture that place
                    * words one by one; owned */
    bool failed;   /* out of memory: nothing can be drawn */

    /* Set by measure. */
    struct panel_room room;
    double cell, font; /* pixels */
    double turn;       /* angle of the column labels in degrees */
};

void panel_init(struct panel *, const struct attend_matrix *, const struct attend_style *,
                const struct theme *);
void panel_release(struct panel *);
double panel_weight(const struct panel *, int t, int s);
/* The sum of the weights of source word s over all target words. */
double panel_received(const struct panel *, int s);
/* The largest of these sums that is finite; 0 if there is none. */
double panel_most_received(const struct panel *);
/* The sum of s divided by `most`; 0 if `most` is 0, NaN if the sum is NaN. */
double panel_share(const struct panel *, int s, double most);
/* Add "target <- source: 0.873". */
void panel_add_tooltip(struct strbuf *, const struct panel *, int t, int s);

/* From the baseline to the middle of lower-case letters, in units of the font size. */
#define PANEL_HALF_HEIGHT 0.36

/* Weaker links are not drawn: hundreds of them would hide the important ones. */
#define PANEL_LINK_LEAST 0.05

#endif
