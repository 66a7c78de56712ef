/* Calibration of confidence (attend/calibration.h).
 *
 *     x = log(P / (1 - P))    z = a x + c N + b    confidence = sigmoid(z)    temperature = 1 / a
 *
 * This is Platt scaling (1999) of the log-odds with a term for the length N. a, c and b minimize
 *
 *     sum_i -t_i log s(z_i) - (1 - t_i) log(1 - s(z_i))  +  ((a - 1)^2 + c^2) / 2
 *
 * by Newton's method. t is Platt's target: (R + 1) / (R + 2) for the R right answers and 1 / (W + 2)
 * for the W wrong ones, so that a perfect test set does not promise certainty. The prior on a and c
 * decides only when the answers do not, for example when all are right. */
#ifndef ATTEND_METRIC_CALIBRATION_H
#define ATTEND_METRIC_CALIBRATION_H

#include "attend/calibration.h"

double calibration_confidence(const struct attend_scaling *, double log_probability, int tokens);

/* Fit to the answers i for which i % folds != fold; fold -1: to all. */
struct attend_scaling calibration_fit(const struct attend_answer *, int count, int folds, int fold);

/* Add an answer with a confidence, then compute the means and errors. */
void reliability_add(struct attend_reliability *, double confidence, bool right);
void reliability_finish(struct attend_reliability *);

#endif
