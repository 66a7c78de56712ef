/* A sentence with its translation, given or found, as tokens: what is explained. */
#ifndef ATTEND_API_PAIR_H
#define ATTEND_API_PAIR_H

#include "api/translation.h"

/* All zero is none. */
struct pair {
    struct tokenized source, target; /* one line each; a target that was found has ids alone */
    struct attend_translation translation; /* words, text, probabilities, attention */
};

/* target NULL: what the translator says under the wish (or NULL). A sentence without words is
 * ATTEND_USAGE. Release it in any case. */
enum attend_status pair_make(struct pair *, struct attend_translator *, const char *source,
                             const char *target, const struct attend_wish *,
                             struct attend_error *err);
void pair_release(struct pair *);

#endif
