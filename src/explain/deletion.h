/* Deletion curves: source words go one by one in the order of a ranking, those that mattered most
 * first, and the target becomes less probable. The better the ranking, the faster.
 *
 *     y_k = log P(target | source without the first k words) / T        area = mean of y over k
 *
 * (by trapezoids, the share of removed words running from 0 to 1). A word's place in the ranking is
 * by the sum of its values over all target words; equal ones stay in the order of the sentence. The
 * random baseline is the mean of DELETION_DRAWS orders. */
#ifndef ATTEND_EXPLAIN_DELETION_H
#define ATTEND_EXPLAIN_DELETION_H

#include "explain/attribution.h"

#include <stdint.h>

enum { DELETION_RANDOM = ATTRIBUTION_KINDS, DELETION_CURVES, DELETION_DRAWS = 10 };

struct deletion {
    int points;                 /* source words + 1 */
    double *y[DELETION_CURVES]; /* (points); NULL where there is no such attribution */
    double area[DELETION_CURVES];
    double *block; /* all of it */
};

/* Release it in any case. */
enum attend_status deletion_run(struct deletion *, const struct attribution_job *,
                                const struct attribution *, uint64_t seed,
                                struct attend_error *err);
void deletion_release(struct deletion *);

#endif
