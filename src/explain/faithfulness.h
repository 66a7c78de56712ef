/* How faithful a model's attention is over many given pairs: whether the words that get attention
 * are the words that matter.
 *
 * Correlations are means over target words (without </s>), areas are means over pairs. Intervals
 * come from the bootstrap (metric/bootstrap.h) over pairs. */
#ifndef ATTEND_EXPLAIN_FAITHFULNESS_H
#define ATTEND_EXPLAIN_FAITHFULNESS_H

#include "base/threads.h"
#include "explain/deletion.h"
#include "metric/bootstrap.h"

struct faithfulness_job {
    const struct seq2seq *net;
    const struct sequences *source, *target; /* pairs with an empty side are skipped */
    bool mask;
    int ig_steps;
    int resamples;
    int seed;
    const struct attend_stop *stop; /* or NULL */
};

/* Curves of sentences of any length are read at these shares of removed words: 0, 1/10 .. 1. */
enum { FAITHFULNESS_SHARES = 11 };

/* A mean with its interval; NAN when there were no values. */
struct faithfulness_mean {
    double mean, low, high;
};

struct faithfulness {
    int pairs, words;                                     /* that were used */
    struct faithfulness_mean kendall[ATTRIBUTION_KINDS];  /* with attention */
    struct faithfulness_mean spearman[ATTRIBUTION_KINDS]; /* the same */
    struct faithfulness_mean area[DELETION_CURVES];
    double curve[DELETION_CURVES][FAITHFULNESS_SHARES]; /* mean of the deletion curves over pairs,
                                                         * linear between words; or NAN */
    struct faithfulness_mean agreement; /* share of words whose most attended source word also has
                                         * the largest leave-one-out value */
    double incompleteness;              /* the largest over all pairs */
};

/* Run by the whole team, one pair per member at a time. Int8 weights have no gradients, and some
 * models have no attention: those means are NAN. */
enum attend_status faithfulness_run(struct faithfulness *, struct team *,
                                    const struct faithfulness_job *, struct attend_error *err);

#endif
