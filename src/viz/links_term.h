/* An alignment as lines of text: each target word with the source words that it attended to,
 * strongest first. Weights below PANEL_LINK_LEAST are left out. */
#ifndef ATTEND_VIZ_LINKS_TERM_H
#define ATTEND_VIZ_LINKS_TERM_H

#include "viz/term.h"

struct panel;

void links_term_add(struct strbuf *, const struct panel *, enum term_palette);

#endif
