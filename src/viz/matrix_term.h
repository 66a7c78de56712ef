/* A heatmap as lines of text. Columns are headed by their labels or, if these are too wide, by
 * numbers; the full labels then follow below. Mirrored like matrix_plot.h. In a panel with a width,
 * labels are cut, weights left out and columns continued in blocks below one another, in this order,
 * until the lines fit. */
#ifndef ATTEND_VIZ_MATRIX_TERM_H
#define ATTEND_VIZ_MATRIX_TERM_H

#include "viz/term.h"

struct panel;

void matrix_term_add(struct strbuf *, const struct panel *, enum term_palette);

#endif
