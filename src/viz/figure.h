/* One or several matrices in one picture: panels in a grid, with one title and one legend. */
#ifndef ATTEND_VIZ_FIGURE_H
#define ATTEND_VIZ_FIGURE_H

#include "attend/plot.h"
#include "viz/term.h"

struct display_list;
struct strbuf;

/* Initializes the list and draws into it. The caller always releases it. `failed` is set when
 * memory runs out. */
void figure_draw(struct display_list *, const struct attend_matrix *, int count,
                 const struct attend_style *);
/* Adds the panels one after another as lines of text, and the scale if there are colors. */
void figure_term(struct strbuf *out, const struct attend_matrix *, int count,
                 const struct attend_style *, enum term_palette);

#endif
