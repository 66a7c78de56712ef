/* Samples clauses, with restrictions that keep them sensible. */
#ifndef DEMO_SAMPLER_H
#define DEMO_SAMPLER_H

#include "clause.h"
#include "rng.h"

/* False when the sample makes no sense; then the caller samples again. */
bool draw_clause(struct rng *rng, struct clause *clause);

/* The neighbors of "mai ghar ja raha hoon": a pronoun goes, or does not go, to a place. */
int neighbor_count(void);
/* False if the index has no sentence. */
bool neighbor_clause(int index, struct clause *clause);

#endif
