/* The source as running words with what each received beneath, as lines of text. Lines run the way
 * in which most words are written. */
#ifndef ATTEND_VIZ_SALIENCE_TERM_H
#define ATTEND_VIZ_SALIENCE_TERM_H

#include "viz/term.h"

struct panel;

void salience_term_add(struct strbuf *, const struct panel *, enum term_style);

#endif
