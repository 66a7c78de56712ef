/* Attention over ink: the trace of the pen, each point in the color of the target word that attended
 * to it most. The larger the weight, as a share of the largest one of that word, the thicker the line
 * and the farther its color from gray. The target words stand below in their order and colors, near
 * what they attended to.
 *
 * Points are joined to lines of one color and one width; weights have INK_LEVELS steps for that. */
#ifndef ATTEND_VIZ_INK_PLOT_H
#define ATTEND_VIZ_INK_PLOT_H

#include "viz/term.h"

#include <stdbool.h>

struct display_list;
struct panel;

/* The origin is the upper left corner of the ink. */
void ink_plot_measure(struct panel *);
void ink_plot_draw(struct display_list *, const struct panel *, double x, double y);
/* The same as lines of text: a cell that the pen crossed shows the first letter of its word. */
void ink_term_add(struct strbuf *, const struct panel *, enum term_palette);

/* ---- Shared by both ---- */

enum { INK_LEVELS = 4 };

/* A point of the trace, from the upper left corner of its box. */
struct ink_spot {
    double x, y;
    bool last; /* the pen goes up after it */
    int word;  /* with the largest weight; -1: none has a weight */
    int level; /* 0 to INK_LEVELS: the weight as a share of the largest of its word */
};
struct ink_trace {
    struct ink_spot *spot; /* (count), owned */
    int count;
    double width, height;
    double *middle; /* (target words) the mean x of what each attended to; owned */
    bool failed;    /* out of memory */
};
void ink_trace_init(struct ink_trace *, const struct panel *);
void ink_trace_release(struct ink_trace *);

#endif
