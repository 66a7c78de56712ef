/* A heatmap as lines of text. Columns are headed by their labels; where those are too wide, by
 * numbers, and the labels follow below in full. Mirrored as matrix_plot.h says. */
#ifndef ATTEND_VIZ_MATRIX_TERM_H
#define ATTEND_VIZ_MATRIX_TERM_H

#include "viz/term.h"

struct panel;

void matrix_term_add(struct strbuf *, const struct panel *, enum term_style);

#endif
