/* What every word of one source looks at, in each layer and head of a transformer encoder: the
 * weights A of nn/self_attention.h, pooled into groups of words,
 *
 *     P[g, k] = mean of A[i, j] over the words i of group g that count, summed over the j of group k
 *
 * so that a row of P sums to 1 as a row of A does. Dims: S words with </s>, or frames; n groups; L layers,
 * G heads. */
#ifndef ATTEND_EXPLAIN_ENCODER_HEADS_H
#define ATTEND_EXPLAIN_ENCODER_HEADS_H

#include "model/seq2seq.h"

struct encoder_heads_job {
    const struct seq2seq *net;
    const struct sequences *source; /* one sequence */
    const int *group;               /* (S) increasing from 0; NULL: every word is a group */
    const bool *silent;             /* (S) words that do not count as rows; NULL: none */
    const struct attend_stop *stop; /* asked before each head; or NULL */
};

struct encoder_heads {
    int layers, heads, count; /* count: n */
    float *weight;            /* (L, G, n, n) */
};

/* Whether a model has such weights. */
bool encoder_heads_known(const struct seq2seq *);
/* Release the result even on failure. */
enum attend_status encoder_heads_run(struct encoder_heads *, const struct encoder_heads_job *,
                                     struct attend_error *err);
void encoder_heads_release(struct encoder_heads *);

#endif
