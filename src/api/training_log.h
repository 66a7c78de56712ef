/* A training log, read for drawing. It is JSON lines, an event on each:
 *
 *     {"event":"progress","update":10,"loss":5.1,"lr":0.001}
 *     {"event":"validation","update":227,"loss":4.2,"metric":"bleu","value":12.3,"best":true}
 *
 * Other events and members are passed over, and members may be missing. Training that was resumed
 * may log an update again: its last line counts. */
#ifndef ATTEND_API_TRAINING_LOG_H
#define ATTEND_API_TRAINING_LOG_H

#include "attend/status.h"

#include <stdbool.h>

enum { LOG_METRICS = 4, LOG_NAME = 48 };

struct log_point {
    double update, value;
    long line; /* in the file, from 1 */
    bool best; /* of a validation: the best so far */
};

/* Every update at most once, rising. */
struct log_series {
    struct log_point *point; /* (count) */
    int count, size;
};

struct training_log {
    struct log_series
        train; /* loss, of progress lines, or of validation lines if those have none */
    struct log_series lr;
    struct log_series valid; /* loss */
    struct log_metric {
        char name[LOG_NAME]; /* cut if it is longer */
        struct log_series series;
    } metric[LOG_METRICS];
    int metrics;
};

/* Standard input when path is "-". A last line that is cut off, as a killed process leaves it, is
 * passed over, also where training was resumed after it. A log without a loss and without a metric
 * is ATTEND_FORMAT. */
enum attend_status training_log_read(struct training_log *out, const char *path,
                                     struct attend_error *err);
/* The last point that was the best so far; NULL when none says so. */
const struct log_point *training_log_best(const struct log_series *);
void training_log_release(struct training_log *);

#endif
