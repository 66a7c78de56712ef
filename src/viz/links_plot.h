/* An alignment: source words above, target words below, and a curve between two words that is the
 * wider and the further from the paper's colour the larger their weight. Weights under
 * PANEL_LINK_LEAST have none. A row runs the way in which most of its words are written; words keep
 * the distance that their measured widths need, however wide the picture gets. */
#ifndef ATTEND_VIZ_LINKS_PLOT_H
#define ATTEND_VIZ_LINKS_PLOT_H

struct colour;
struct display_list;
struct panel;
struct theme;

/* The origin is the upper left corner. x gets the middles of all words, y their baselines. */
void links_plot_measure(struct panel *);
void links_plot_draw(struct display_list *, const struct panel *, double x, double y);

/* How a link of that weight is drawn: what a legend shows. */
double links_plot_width(double weight); /* pixels */
struct colour links_plot_colour(const struct theme *, double weight);

#endif
