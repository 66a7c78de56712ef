/* How faithful a model's attention is over many given pairs: whether the words that it looks at are
 * those that matter.
 *
 * Correlations are means over target words (</s> left out), areas means over pairs; intervals are
 * the bootstrap's (metric/bootstrap.h), whose units are pairs. */
#ifndef ATTEND_EXPLAIN_FAITHFULNESS_H
#define ATTEND_EXPLAIN_FAITHFULNESS_H

#include "base/threads.h"
#include "explain/deletion.h"
#include "metric/bootstrap.h"

struct faithfulness_job {
    const struct seq2seq *net;
    const struct sequences *source, *target; /* pairs with an empty side are passed over */
    bool mask;
    int ig_steps;
    int resamples;
    int seed;
    const struct attend_stop *stop; /* or NULL */
};

/* Curves of sentences of any length are read at these shares of the removed words: 0, 1/10 .. 1. */
enum { FAITHFULNESS_SHARES = 11 };

/* A mean; its number is NAN when there was nothing to take it of. */
struct faithfulness_mean {
    double mean, low, high;
};

struct faithfulness {
    int pairs, words;                                     /* that counted */
    struct faithfulness_mean kendall[ATTRIBUTION_KINDS];  /* with attention */
    struct faithfulness_mean spearman[ATTRIBUTION_KINDS]; /* the same */
    struct faithfulness_mean area[DELETION_CURVES];
    double curve[DELETION_CURVES][FAITHFULNESS_SHARES]; /* mean over pairs of the deletion curves,
                                                           straight between whole words; or NAN */
    struct faithfulness_mean agreement; /* share of words whose most attended source word is also
                                           the one whose absence costs most */
    double incompleteness;              /* the largest of all pairs */
};

/* By the whole team, a pair at a time. Gradients are left out for int8 weights, attention where
 * there is none: their means are NAN. */
enum attend_status faithfulness_run(struct faithfulness *, struct team *,
                                    const struct faithfulness_job *, struct attend_error *err);

#endif
