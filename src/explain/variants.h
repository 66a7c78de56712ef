/* The probability of one target under many sources, to see the effect of leaving words out.
 *
 * The sources run together in batches, which keeps the tape small. */
#ifndef ATTEND_EXPLAIN_VARIANTS_H
#define ATTEND_EXPLAIN_VARIANTS_H

#include "model/seq2seq.h"

struct variants_job {
    const struct seq2seq *net;
    const struct sequences *source; /* the variants; empty ones keep their </s> */
    const int *target;              /* (target_length) ids, without </s> */
    int target_length;
    const struct attend_stop *stop; /* asked before each batch; or NULL */
};

/* The number of sentences per batch when each has this many words on both sides. */
int variants_batch(int words);

/* out: (variants, T) log-probability of each target word, </s> last; T = target_length + 1. */
enum attend_status variants_score(const struct variants_job *, double *out,
                                  struct attend_error *err);

#endif
