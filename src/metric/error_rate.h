/* Sequence accuracy: the share of lines that are right as a whole; and error rates, edits over the
 * length of the reference: WER of words, SER of symbols (metric_accuracy, metric_wer and metric_ser
 * in metric.h). Of several references the nearest counts: the one with the fewest edits, and of
 * those the longest. */
#ifndef ATTEND_METRIC_ERROR_RATE_H
#define ATTEND_METRIC_ERROR_RATE_H

/* How many of `count` lines equal their reference. White space (ASCII) around a line does not
 * matter, and within it any run is as good as one space. */
int error_rate_correct(const char *const *hypothesis, const char *const *reference, int count);

#endif
