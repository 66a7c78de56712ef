/* Alignment error rate (Och and Ney 2003). For the links A of a system, the sure gold links S and
 * the possible ones P, which include S,
 *
 *     AER = 1 - (|A and S| + |A and P|) / (|A| + |S|)
 *     precision = |A and P| / |A|,   recall = |A and S| / |S|
 *
 * over all sentences together. 0 / 0 counts as 1: if there are no gold links, an empty alignment is
 * perfect. */
#ifndef ATTEND_METRIC_AER_H
#define ATTEND_METRIC_AER_H

#include "metric/links.h"

/* Sums over sentences; start with all zero. */
struct aer_counts {
    long hypothesis, sure, hypothesis_in_sure, hypothesis_in_possible;
};

/* Add one sentence. The `sure` flags of the hypothesis are ignored. */
void aer_add(struct aer_counts *, const struct links *hypothesis, const struct links *gold);

/* All from 0 to 1. */
double aer_rate(const struct aer_counts *);
double aer_precision(const struct aer_counts *);
double aer_recall(const struct aer_counts *);

#endif
