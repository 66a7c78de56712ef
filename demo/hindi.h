/* The Hindi side of a clause. */
#ifndef DEMO_HINDI_H
#define DEMO_HINDI_H

#include "clause.h"

/* Appends the Hindi words to an empty sentence and returns their positions. */
void build_hindi(struct sentence *s, const struct clause *clause, struct clause_marks *at);

#endif
