/* Deletion curves: source words are removed one by one in the order of a ranking, most important
 * first, and the target becomes less probable. The better the ranking, the faster it falls.
 *
 *     y_k = log P(target | source without the first k words) / T        area = mean of y over k
 *
 * (by the trapezoidal rule, with the share of removed words from 0 to 1). Words are ranked by the
 * sum of their values over all target words; equal ones stay in the order of the sentence. The
 * random baseline is the mean over DELETION_DRAWS random orders. */
#ifndef ATTEND_EXPLAIN_DELETION_H
#define ATTEND_EXPLAIN_DELETION_H

#include "explain/attribution.h"

#include <stdint.h>

enum { DELETION_RANDOM = ATTRIBUTION_KINDS, DELETION_CURVES, DELETION_DRAWS = 10 };

struct deletion {
    int points;                 /* source words + 1 */
    double *y[DELETION_CURVES]; /* (points); NULL if there is no such attribution */
    double area[DELETION_CURVES];
    double *block; /* the memory of all curves */
};

/* Release the result even on failure. */
enum attend_status deletion_run(struct deletion *, const struct attribution_job *,
                                const struct attribution *, uint64_t seed,
                                struct attend_error *err);
void deletion_release(struct deletion *);

#endif
