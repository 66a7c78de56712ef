/* Sequence accuracy: the share of lines that are right as a whole. */
#ifndef ATTEND_METRIC_ERROR_RATE_H
#define ATTEND_METRIC_ERROR_RATE_H

/* How many of `count` lines equal their reference. White space (ASCII) around a line does not
 * matter, and within it any run is as good as one space. */
int error_rate_correct(const char *const *hypothesis, const char *const *reference, int count);
/* The same as a share from 0 to 1; 0 for no lines. */
double error_rate_accuracy(const char *const *hypothesis, const char *const *reference, int count);

#endif
