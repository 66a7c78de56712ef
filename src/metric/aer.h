/* Alignment error rate (Och and Ney 2003): for the links A of a system, the sure gold links S and
 * the possible ones P, of which S is a part,
 *
 *     AER = 1 - (|A and S| + |A and P|) / (|A| + |S|)
 *     precision = |A and P| / |A|,   recall = |A and S| / |S|
 *
 * over all sentences together. A share of nothing is 1, so that no links for none is no error. */
#ifndef ATTEND_METRIC_AER_H
#define ATTEND_METRIC_AER_H

#include "metric/links.h"

/* Sums over sentences; all zero to begin. */
struct aer_counts {
    long hypothesis, sure, hypothesis_in_sure, hypothesis_in_possible;
};

/* Add one sentence. Whether the links of the hypothesis are sure does not matter. */
void aer_add(struct aer_counts *, const struct links *hypothesis, const struct links *gold);

/* From 0 to 1. */
double aer_rate(const struct aer_counts *);
double aer_precision(const struct aer_counts *);
double aer_recall(const struct aer_counts *);

#endif
