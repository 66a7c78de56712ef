/* How much a score depends on the choice of sentences: scores of resamples, each of which has as
 * many sentences as the corpus, sampled with replacement (Koehn 2004). Resample k contains the same
 * sentences for every metric and system, so systems can be compared on the same resamples. */
#ifndef ATTEND_METRIC_BOOTSTRAP_H
#define ATTEND_METRIC_BOOTSTRAP_H

#include "metric/metric.h"

#include <stdint.h>

/* One system, measured sentence by sentence. */
struct bootstrap {
    const struct metric_ops *ops;
    const struct metric_settings *settings;
    const double *stats; /* (count, ops->sums) */
    int count;
};

void bootstrap_scores(const struct bootstrap *, uint64_t seed, double *score, int resamples);

/* The mean, and the interval that contains the middle 95 % of the resamples. Sorts the scores;
 * there must be at least one. */
struct bootstrap_interval {
    double mean, low, high;
};
struct bootstrap_interval bootstrap_interval(double *score, int resamples);

/* The share, from 0 to 1, of resamples in which the system that is better on all sentences is not
 * better; ties count as not better. 1 if neither is better on all sentences. */
double bootstrap_p(const double *score, const double *other, int resamples, double difference);

#endif
