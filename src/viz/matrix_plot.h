/* An attention matrix as a heatmap, the way papers print it: one row for each target word, one
 * column for each source word, a cell the further from the paper's colour the larger its weight.
 *
 * Where most source words are written from right to left, the picture is mirrored, as tables in
 * those scripts are: the first column is the rightmost, and the row labels stand to its right. */
#ifndef ATTEND_VIZ_MATRIX_PLOT_H
#define ATTEND_VIZ_MATRIX_PLOT_H

struct display_list;
struct panel;

/* The origin is the upper left corner of the cells. */
void matrix_plot_measure(struct panel *);
void matrix_plot_draw(struct display_list *, const struct panel *, double x, double y);

#endif
