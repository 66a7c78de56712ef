/* The English side of a clause. */
#ifndef DEMO_ENGLISH_H
#define DEMO_ENGLISH_H

#include "clause.h"

/* Appends the English words with links to the Hindi words at the marks. */
void build_english(struct sentence *s, const struct clause *clause, const struct clause_marks *at);

#endif
