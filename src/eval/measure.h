/* A metric with its settings and its input. */
#ifndef ATTEND_EVAL_MEASURE_H
#define ATTEND_EVAL_MEASURE_H

#include "eval/eval_input.h"
#include "metric/metric.h"

struct measure {
    const struct eval_input *input;
    const struct metric_ops *ops;
    struct metric_settings settings;
};

struct metric_settings measure_settings(const struct attend_eval_options *);

/* The next metric of *list, which has names separated by commas. *list is moved to the next name,
 * or to NULL. For an unknown name, the message lists all metrics. */
enum attend_status measure_next(const char **list, const struct metric_ops **out,
                                struct attend_error *err);
/* Check that all metrics are known, before any file is read. */
enum attend_status measure_check(const struct attend_eval_options *, struct attend_error *err);

/* Add the statistics of a line of an output. */
enum attend_status measure_line(const struct measure *, int output, int line, double *sums,
                                struct attend_error *err);

#endif
