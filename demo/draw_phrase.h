/* Samples noun phrases. If a subject is given, "own" refers to it. */
#ifndef DEMO_DRAW_PHRASE_H
#define DEMO_DRAW_PHRASE_H

#include "clause.h"
#include "rng.h"

struct phrase pronoun_phrase(enum role role, const struct pronoun *pronoun, enum gender gender);
struct phrase noun_phrase(enum role role, const struct noun *noun);

/* A noun of any of the wanted classes. */
const struct noun *draw_noun(struct rng *rng, classes wanted);

void add_owner(struct rng *rng, struct phrase *phrase, const struct phrase *subject);
void add_demonstrative(struct rng *rng, struct phrase *phrase);

/* A person. If it is not in the direct case, its form must still distinguish he and she. */
struct phrase draw_subject(struct rng *rng, enum role role);

/* A person other than the subject, sometimes a pronoun. */
struct phrase draw_partner(struct rng *rng, enum role role, const struct phrase *subject);

struct phrase draw_place(struct rng *rng, enum role role, classes wanted,
                         const struct phrase *subject);

/* An object with the determiners that the frame allows. */
struct phrase draw_thing(struct rng *rng, const struct frame *frame, classes wanted,
                         const struct phrase *subject, bool verb_shows_number);

#endif
