/* The kinds of picture of a matrix. To add one: a file like salience_plot.c, one like
 * salience_term.c, and a row in matrix_view.c: in the first table for words, in the second for
 * frames. */
#ifndef ATTEND_VIZ_MATRIX_VIEW_H
#define ATTEND_VIZ_MATRIX_VIEW_H

#include "attend/plot.h"
#include "viz/color.h"
#include "viz/term.h"

struct display_list;
struct panel;
struct theme;

/* The legend: how weights from 0 to 1 look. */
struct matrix_view_legend {
    const char *caption;
    const char *note; /* what is left out of the picture; or NULL */
    bool below;       /* below the pictures, because they are wider than high */
    /* NULL: no strip, only the caption; in a terminal, only the note. */
    struct color (*color)(const struct theme *, double weight);
    double (*width)(double weight); /* pixels; NULL: the full width of the strip */
};

struct matrix_view {
    /* Sets the panel's room and everything else that draw needs. */
    void (*measure)(struct panel *);
    /* Draws the panel with its origin at x, y. */
    void (*draw)(struct display_list *, const struct panel *, double x, double y);
    void (*term)(struct strbuf *, const struct panel *, enum term_palette);
    struct matrix_view_legend legend;
};

const struct matrix_view *matrix_view_of(enum attend_view);
/* The view of a figure: that of the kind of frames if all sources are frames of one kind, otherwise
 * that of the style. */
const struct matrix_view *matrix_view_for(const struct attend_matrix *, int count,
                                          const struct attend_style *);

#endif
