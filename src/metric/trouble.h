/* Signs of trouble in the attention matrix of a translation; attend/trouble.h has the formulas. */
#ifndef ATTEND_METRIC_TROUBLE_H
#define ATTEND_METRIC_TROUBLE_H

#include "attend/trouble.h"

/* All borrowed. */
struct trouble_matrix {
    const double *weight; /* (T, columns), each row sums to 1 or is all 0 */
    int S, T;             /* words on both sides */
    int columns;          /* S, or S + 1 with a column for </s> */
    const int *word;      /* (T) equal numbers for equal words */
};

/* out: (S). */
void trouble_coverage(const struct trouble_matrix *, double *out);
double trouble_shortage(const double *coverage, int S);
double trouble_entropy(const struct trouble_matrix *);
double trouble_dispersion(const struct trouble_matrix *);

/* Whether a target word repeats an earlier one. */
struct trouble_word {
    double weight; /* 0: it does not */
    int distance;  /* in words */
};
/* out: (T). */
void trouble_repetition(const struct trouble_matrix *, struct trouble_word *out);
/* Merge consecutive words that repeat from the same distance into one repeat, if their mean weight
 * is at least `least`. out has room for T; returns the number of repeats. */
int trouble_repeats(const struct trouble_word *, int T, double least, struct attend_repeat *out);

#endif
