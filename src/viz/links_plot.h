/* An alignment: source words above, target words below, and curves between them. The larger the
 * weight, the wider the curve and the farther its color is from the paper. Weights below
 * PANEL_LINK_LEAST have no curve. A row runs in the direction of most of its words. Words are
 * spaced by their estimated widths. */
#ifndef ATTEND_VIZ_LINKS_PLOT_H
#define ATTEND_VIZ_LINKS_PLOT_H

struct color;
struct display_list;
struct panel;
struct theme;

/* The origin is the upper left corner. Sets x to the centers and y to the baselines of all
 * words. */
void links_plot_measure(struct panel *);
void links_plot_draw(struct display_list *, const struct panel *, double x, double y);

/* The line style of a weight, also used by the legend. */
double links_plot_width(double weight); /* pixels */
struct color links_plot_color(const struct theme *, double weight);

#endif
