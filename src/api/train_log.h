/* The log of a training: JSON lines, one for each report, for people and programs that watch.
 *
 *     {"event":"start" or "resume", "time", "settings", "train_pairs", "valid_pairs", "parameters",
 * ...}
 *     {"event":"progress", "update", "epoch", "loss", "lr", "norm", "tokens_per_second", "seconds"}
 *     {"event":"validation", "update", "epoch", "train_loss", "loss", "metric", "value", "best",
 *      "seconds", "samples":[{"source", "target", "output"}, ...]}
 *     {"event":"end" or "stop", "update", "reason", "best_update", "seconds", "memory_mb"}
 *
 * Losses are nats for each target word; memory_mb is the most that the process has held at once. */
#ifndef ATTEND_API_TRAIN_LOG_H
#define ATTEND_API_TRAIN_LOG_H

#include "attend/train.h"

struct train_log;

/* A new file, or more lines for an old one. `settings` is JSON and must outlive the log. */
enum attend_status train_log_open(struct train_log **out, const char *path, bool append,
                                  const char *settings, struct attend_error *err);
/* Does nothing without a log. A log that cannot be written does not end training: the first time, a
 * text comes back for the user, which lives as long as the log; otherwise NULL. */
const char *train_log_write(struct train_log *, const struct attend_train_report *);
void train_log_close(struct train_log *);

#endif
