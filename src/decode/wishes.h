/* What a search is asked to say, and not to say.
 *
 * Phrases that must come: a hypothesis remembers which of them it has said and how far it is in one
 * it has begun; places are dealt among hypotheses that have said more and less of them (dynamic
 * beam allocation, Post and Vilar 2018), and </s> waits until all are said.
 *
 * Where to look: steps whose attention is given instead of the models' own. */
#ifndef ATTEND_DECODE_WISHES_H
#define ATTEND_DECODE_WISHES_H

#include "nn/attention.h"
#include "text/corpus.h"

#include <stdbool.h>
#include <stdint.h>

enum { WISHES_MAX = 32 }; /* phrases of one sentence */

/* Of one sentence; all borrowed. */
struct search_wish {
    const int *prefix; /* (prefix_length) its first words */
    int prefix_length;
    const struct sequences *phrases; /* phrases [from, to) must come */
    int from, to;
    const struct attention_focus *focus; /* (focus_steps) where its first steps look */
    int focus_steps;
};

/* How far a hypothesis is. */
struct wish_state {
    uint32_t said;  /* phrases, a bit each */
    int active, at; /* the phrase that has begun, from 1; 0: none; and its words so far */
};

static inline int wish_count(const struct search_wish *w) { return w ? w->to - w->from : 0; }
/* The state after one more word. */
struct wish_state wish_advance(const struct search_wish *, struct wish_state, int token);
bool wish_fulfilled(const struct search_wish *, struct wish_state);
/* Words of phrases said, those of the phrase under way included. */
int wish_words(const struct search_wish *, struct wish_state);
/* Words that say more of a phrase: at most WISHES_MAX + 1, into `out`; returns how many. */
int wish_next(const struct search_wish *, struct wish_state, int *out);

/* ---- What must not come: last words of phrases and n-grams whose other words are said ---- */

/* Whether the words end in the first length - 1 words of a phrase. */
bool wishes_end_in(const int *words, int count, const int *phrase, int length);

#endif
