/* What a matrix of attention says about the translation that it belongs to; the formulas are in
 * attend/trouble.h. */
#ifndef ATTEND_METRIC_TROUBLE_H
#define ATTEND_METRIC_TROUBLE_H

#include "attend/trouble.h"

/* All borrowed. */
struct trouble_matrix {
    const double *weight; /* (T, columns), a row sums to 1 or is all 0 */
    int S, T;             /* words of both sides */
    int columns;          /* S, or one more with that of </s> */
    const int *word;      /* (T) equal numbers for equal words */
};

/* Out (S). */
void trouble_coverage(const struct trouble_matrix *, double *out);
double trouble_shortage(const double *coverage, int S);
double trouble_entropy(const struct trouble_matrix *);
double trouble_dispersion(const struct trouble_matrix *);

/* Whether a target word was said before. */
struct trouble_word {
    double weight; /* 0: it was not */
    int distance;  /* how many words before */
};
/* Out (T). */
void trouble_repetition(const struct trouble_matrix *, struct trouble_word *out);
/* Words in a row that repeat from the same distance, as one repeat, if its mean weight is `least`
 * or more; out has room for T. How many there are. */
int trouble_repeats(const struct trouble_word *, int T, double least, struct attend_repeat *out);

#endif
