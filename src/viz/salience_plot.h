/* The source as running words: a word's background is the attention that it received, summed over
 * all targets and divided by the largest such sum; the sum itself stands beneath. It shows which
 * words a summary was made of. Lines run the way in which most words are written. */
#ifndef ATTEND_VIZ_SALIENCE_PLOT_H
#define ATTEND_VIZ_SALIENCE_PLOT_H

struct display_list;
struct panel;

/* The origin is the upper left corner. x and y get the upper left corners of the words' boxes. */
void salience_plot_measure(struct panel *);
void salience_plot_draw(struct display_list *, const struct panel *, double x, double y);

#endif
