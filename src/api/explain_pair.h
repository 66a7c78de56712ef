/* The pair to explain: a sentence with a given translation or the model's own. */
#ifndef ATTEND_API_EXPLAIN_PAIR_H
#define ATTEND_API_EXPLAIN_PAIR_H

#include "api/translation.h"

struct attend_frames;

/* All zero is an empty pair. */
struct explain_pair {
    struct tokenized source, target;       /* one line each; the model's own target has only ids */
    struct attend_translation translation; /* words, text, probabilities, attention */
};

/* Read a pair. If target is NULL, the sentence is translated under the constraint, which may be
 * NULL. A sentence without words is ATTEND_USAGE. Release the pair even on failure. */
enum attend_status explain_pair_read(struct explain_pair *, struct attend_translator *,
                                     const char *source, const char *target,
                                     const struct attend_constraint *, struct attend_error *err);
/* The same for frames of the caller. */
enum attend_status explain_pair_take(struct explain_pair *, struct attend_translator *,
                                     const struct attend_frames *, const char *target,
                                     struct attend_error *err);
/* The same for what needs words: a model that reads frames is ATTEND_USAGE. */
enum attend_status explain_pair_make(struct explain_pair *, struct attend_translator *,
                                     const char *source, const char *target,
                                     const struct attend_constraint *, struct attend_error *err);
void explain_pair_release(struct explain_pair *);

#endif
