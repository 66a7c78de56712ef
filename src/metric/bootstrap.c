#include "metric/bootstrap.h"

#include "base/rng.h"

#include <stdlib.h>

void bootstrap_scores(const struct bootstrap *b, uint64_t seed, double *score, int resamples)
{
    const int width = b->ops->sums;
    for (int k = 0; k < resamples; k++) {
        const uint64_t key = rng_key(rng_seed(seed), (uint64_t)k);
        double sums[METRIC_SUMS] = {0};
        for (int i = 0; i < b->count; i++) {
            const uint64_t sampled = rng_below(key, (uint64_t)i, (uint32_t)b->count);
            const double *stats = b->stats + sampled * (size_t)width;
            for (int s = 0; s < width; s++)
                sums[s] += stats[s];
        }
        score[k] = b->ops->score(sums, b->settings);
    }
}

static int by_value(const void *left, const void *right)
{
    const double a = *(const double *)left, b = *(const double *)right;
    return (a > b) - (a < b);
}

struct bootstrap_interval bootstrap_interval(double *score, int resamples)
{
    const int tail = resamples / 40;
    double sum = 0;
    qsort(score, (size_t)resamples, sizeof *score, by_value);
    for (int k = 0; k < resamples; k++)
        sum += score[k];
    return (struct bootstrap_interval){
        .mean = sum / resamples, .low = score[tail], .high = score[resamples - tail - 1]};
}

double bootstrap_p(const double *score, const double *other, int resamples, double difference)
{
    int against = 0;
    for (int k = 0; k < resamples; k++)
        against += (score[k] - other[k]) * difference <= 0;
    return difference == 0 ? 1 : (double)against / resamples;
}
