/* A metric and what it is given to measure. */
#ifndef ATTEND_API_MEASURE_H
#define ATTEND_API_MEASURE_H

#include "api/judge.h"
#include "metric/metric.h"

struct measure {
    const struct judge *judge;
    const struct metric_ops *ops;
    struct metric_settings settings;
};

struct metric_settings measure_settings(const struct eval_options *);

/* The metric at *list, names with commas between; *list is moved to the next name, or to NULL. An
 * unknown one is answered with all that are known. */
enum attend_status measure_next(const char **list, const struct metric_ops **out,
                                struct attend_error *err);
/* Whether all metrics of the settings are known, to say so before any file is read. */
enum attend_status measure_check(const struct eval_options *, struct attend_error *err);

/* Add the statistics of a line of an output. */
enum attend_status measure_line(const struct measure *, int output, int line, double *sums,
                                struct attend_error *err);

#endif
