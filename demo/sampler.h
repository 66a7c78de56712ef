/* Draws clauses at random under the restrictions that keep them sensible. */
#ifndef DEMO_SAMPLER_H
#define DEMO_SAMPLER_H

#include "clause.h"
#include "rng.h"

/* False when the draw came out senseless; the caller draws again. */
bool draw_clause(struct rng *rng, struct clause *clause);

/* The plain neighbours of "mai ghar ja raha hoon": a pronoun goes [not] to a place. */
int neighbour_count(void);
/* False where the index names no sentence. */
bool neighbour_clause(int index, struct clause *clause);

#endif
