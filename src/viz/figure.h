/* One or several matrices in one picture: panels in a grid, with one title and one legend. */
#ifndef ATTEND_VIZ_FIGURE_H
#define ATTEND_VIZ_FIGURE_H

#include "attend/plot.h"
#include "viz/term.h"

struct display_list;
struct strbuf;

/* Initialises the list and draws into it; release it in any case. Running out of memory sets its
 * `failed`. */
void figure_draw(struct display_list *, const struct attend_matrix *, int count,
                 const struct attend_look *);
/* Adds the panels one after another as lines of text, and the scale when it has colours. */
void figure_term(struct strbuf *out, const struct attend_matrix *, int count,
                 const struct attend_look *, enum term_style);

#endif
