/* How much a score depends on the sentences at hand: scores of resamples, each of which draws as
 * many sentences as there are, with replacement (Koehn 2004). Resample k is the same whatever the
 * metric and the system, so that systems can be compared pair by pair. */
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

/* Mean, and the interval that holds 95 of 100 resamples, 2.5 being on either side. Sorts the
 * scores; there is at least one. */
struct bootstrap_interval {
    double mean, low, high;
};
struct bootstrap_interval bootstrap_interval(double *score, int resamples);

/* How often, as a share from 0 to 1, the system that is better over all sentences is not better
 * over a resample; ties count as not better. 1 if neither is better over all. */
double bootstrap_p(const double *score, const double *other, int resamples, double difference);

#endif
