/* How probable one target is under many sources: what leaving words out does.
 *
 * The sources are run together in batches that keep the tape small. */
#ifndef ATTEND_EXPLAIN_VARIANTS_H
#define ATTEND_EXPLAIN_VARIANTS_H

#include "model/seq2seq.h"

struct variants_job {
    const struct seq2seq *net;
    const struct sequences *source; /* the variants; may be empty sequences: their </s> remains */
    const int *target;              /* (target_length) ids, without </s> */
    int target_length;
    const struct attend_stop *stop; /* asked before each batch; or NULL */
};

/* How many sentences are run together when each has this many words on both sides. */
int variants_batch(int words);

/* out: (variants, T) log-probability of each target word, </s> last, T = target_length + 1. */
enum attend_status variants_score(const struct variants_job *, double *out,
                                  struct attend_error *err);

#endif
