/* An attention matrix as a picture, the way papers print it: one row for each target token, one
 * column for each source token, a cell the darker the larger its weight. */
#ifndef ATTEND_VIZ_MATRIX_PLOT_H
#define ATTEND_VIZ_MATRIX_PLOT_H

struct display_list;
struct strbuf;

/* All borrowed. Labels and title may hold any bytes; S and T may be 0. */
struct matrix_plot {
    const char *title;         /* or NULL */
    const char *const *source; /* (S) labels of the columns, may include "</s>" */
    const char *const *target; /* (T) labels of the rows */
    const float *weight;       /* (T, S), rows sum to 1; NaN is drawn grey */
    int S, T;
};

/* Initialises the list and draws into it; release it in any case. Running out of memory sets its
 * `failed`. */
void matrix_plot_draw(struct display_list *, const struct matrix_plot *);
/* Adds a complete standalone SVG document. */
void matrix_plot_svg(struct strbuf *out, const struct matrix_plot *);

#endif
