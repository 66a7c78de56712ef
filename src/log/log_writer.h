/* Writes the log of a run: JSON lines, one for each report.
 *
 *     {"event":"start" or "resume", "time", "settings", "train_pairs", "valid_pairs",
 *      "parameters", ...}
 *     {"event":"progress", "update", "epoch", "loss", "lr", "norm", "tokens_per_second", "seconds"}
 *     {"event":"validation", "update", "epoch", "train_loss", "loss", "metric", "value", "best",
 *      "seconds", "samples":[{"source", "target", "output"}, ...]}
 *     {"event":"end" or "stop", "update", "reason", "best_update", "seconds", "memory_mb"}
 *
 * Losses are in nats per target word; memory_mb is the largest resident memory of the process. */
#ifndef ATTEND_LOG_LOG_WRITER_H
#define ATTEND_LOG_LOG_WRITER_H

#include "attend/train.h"

struct train_log;

/* Create a file, or append to an existing one. `settings` is JSON and must outlive the log. */
enum attend_status train_log_open(struct train_log **out, const char *path, bool append,
                                  const char *settings, struct attend_error *err);
/* Write a report; does nothing if the log is NULL. A log that cannot be written does not end the
 * run: the first failure returns a message for the user, which lives as long as the log. Otherwise
 * returns NULL. */
const char *train_log_write(struct train_log *, const struct attend_train_report *);
void train_log_close(struct train_log *);

#endif
