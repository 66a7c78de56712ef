/* An attention matrix as a heatmap, as papers print it: one row per target word, one column per
 * source word. The larger the weight, the farther the color of a cell is from the paper.
 *
 * If most source words are right-to-left, the picture is mirrored like tables in those scripts: the
 * first column is the rightmost, and the row labels are on the right. */
#ifndef ATTEND_VIZ_MATRIX_PLOT_H
#define ATTEND_VIZ_MATRIX_PLOT_H

struct display_list;
struct panel;

/* The origin is the upper left corner of the cells. */
void matrix_plot_measure(struct panel *);
void matrix_plot_draw(struct display_list *, const struct panel *, double x, double y);

#endif
