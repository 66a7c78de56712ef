/* The source as running text with the received attention below each word, as lines of text. Lines
 * run in the direction of most words. */
#ifndef ATTEND_VIZ_SALIENCE_TERM_H
#define ATTEND_VIZ_SALIENCE_TERM_H

#include "viz/term.h"

struct panel;

void salience_term_add(struct strbuf *, const struct panel *, enum term_palette);

#endif
