/* What a search must say, must not say, and where it must look.
 *
 * Phrases that must come: a hypothesis records which of them it has said and how far it is in the
 * one it has begun. Places are divided among hypotheses that have said more and fewer of these
 * words (dynamic beam allocation, Post and Vilar 2018), and </s> is not allowed until all phrases
 * are said.
 *
 * Where to look: steps whose attention weights are given and replace the models' own. */
#ifndef ATTEND_DECODE_CONSTRAINTS_H
#define ATTEND_DECODE_CONSTRAINTS_H

#include "nn/attention.h"
#include "text/sequences.h"

#include <stdbool.h>
#include <stdint.h>

enum { CONSTRAINTS_MAX = 32 }; /* phrases per sentence */

/* The constraints of one sentence; all pointers are borrowed. */
struct search_constraint {
    const int *prefix; /* (prefix_length) the first words of the target */
    int prefix_length;
    const struct sequences *phrases; /* phrases [from, to) must come */
    int from, to;
    const struct attention_focus *focus; /* (focus_steps) weights of the first steps */
    int focus_steps;
};

/* The progress of a hypothesis. */
struct constraint_state {
    uint32_t said;  /* one bit per phrase */
    int active, at; /* the phrase under way, from 1, or 0; and how many of its words are said */
};

static inline int constraint_count(const struct search_constraint *w)
{
    return w ? w->to - w->from : 0;
}
/* The state after `token`. */
struct constraint_state constraint_advance(const struct search_constraint *,
                                           struct constraint_state, int token);
bool constraint_met(const struct search_constraint *, struct constraint_state);
/* The number of words of phrases that are said, including the phrase under way. */
int constraint_words(const struct search_constraint *, struct constraint_state);
/* Writes the words that continue or begin a phrase to `out`, at most CONSTRAINTS_MAX + 1; returns
 * their number. */
int constraint_next(const struct search_constraint *, struct constraint_state, int *out);

/* ---- What must not come: the last word of a phrase or n-gram whose other words are said ---- */

/* Whether `words` end in the first length - 1 words of a phrase. */
bool constraints_end_in(const int *words, int count, const int *phrase, int length);

#endif
