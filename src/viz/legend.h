/* The legend of a figure: a strip from 0 to 1. */
#ifndef ATTEND_VIZ_LEGEND_H
#define ATTEND_VIZ_LEGEND_H

struct display_list;
struct theme;
struct matrix_view_legend;

struct legend_size {
    double step; /* pixels per step of a vertical strip */
    double width, height;
};

/* The size of a legend beside or below a picture. `beside` is the height of the picture next to a
 * vertical legend. */
struct legend_size legend_measure(const struct matrix_view_legend *, double beside);
/* x, y: its upper left corner. */
void legend_draw(struct display_list *, const struct matrix_view_legend *, const struct theme *,
                 const struct legend_size *, double x, double y);

#endif
