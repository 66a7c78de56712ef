/* The source as running text. The background of a word shows the attention that it received, summed
 * over all target words and divided by the largest such sum; the sum is printed below it. It shows
 * which words a summary is based on. Lines run in the direction of most words. */
#ifndef ATTEND_VIZ_SALIENCE_PLOT_H
#define ATTEND_VIZ_SALIENCE_PLOT_H

struct display_list;
struct panel;

/* The origin is the upper left corner. Sets x and y to the upper left corners of the word boxes. */
void salience_plot_measure(struct panel *);
void salience_plot_draw(struct display_list *, const struct panel *, double x, double y);

#endif
