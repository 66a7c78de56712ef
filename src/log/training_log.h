/* Reads a training log for drawing. A log is JSON lines, one event per line:
 *
 *     {"event":"progress","update":10,"loss":5.1,"lr":0.001}
 *     {"event":"validation","update":227,"loss":4.2,"metric":"bleu","value":12.3,"best":true}
 *
 * Other events and members are ignored, and members may be missing. A resumed run may log an update
 * again; then its last line counts. */
#ifndef ATTEND_LOG_TRAINING_LOG_H
#define ATTEND_LOG_TRAINING_LOG_H

#include "attend/status.h"

#include <stdbool.h>

enum { LOG_METRICS = 4, LOG_NAME = 48 };

struct log_point {
    double update, value;
    long line; /* line number in the file, from 1 */
    bool best; /* the best validation so far */
};

/* Points by rising update; no update occurs twice. */
struct log_series {
    struct log_point *point; /* (count) */
    int count, size;
};

struct training_log {
    struct log_series
        train; /* loss of progress lines, or of validation lines if there are no others */
    struct log_series lr;
    struct log_series valid; /* loss */
    struct log_metric {
        char name[LOG_NAME]; /* truncated if it is longer */
        struct log_series series;
    } metric[LOG_METRICS];
    int metrics;
};

/* Read a file, or standard input when path is "-". An incomplete line that a killed run left is
 * skipped, at the end of the file or where the run was resumed. A log without any loss or metric is
 * ATTEND_FORMAT. */
enum attend_status training_log_read(struct training_log *out, const char *path,
                                     struct attend_error *err);
/* The last point marked as the best so far; NULL when none is. */
const struct log_point *training_log_best(const struct log_series *);
void training_log_release(struct training_log *);

#endif
