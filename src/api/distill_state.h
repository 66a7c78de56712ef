/* How much of an interrupted distillation is complete: a small JSON file beside its output,
 *
 *     {"settings":{...},"done":2048,"rows":2051,"cut_off":0,"bytes":123456,"text":"0123456789abcdef"}
 *
 * settings: what the result depends on; done: lines of the input; rows, bytes: of the output; text: the
 * checksum of these lines. */
#ifndef ATTEND_API_DISTILL_STATE_H
#define ATTEND_API_DISTILL_STATE_H

#include "attend/status.h"
#include "base/checksum.h"

#include <stdbool.h>

struct distill_state {
    long done, rows, cut_off;
    uint64_t bytes;
    uint64_t text;
};

/* Sets *found to whether the file exists. A file with other settings is ATTEND_USAGE. `settings` is a
 * JSON object. */
enum attend_status distill_state_load(struct distill_state *, bool *found, const char *path,
                                      const char *settings, struct attend_error *err);
/* Atomically. */
enum attend_status distill_state_save(const struct distill_state *, const char *path,
                                      const char *settings, struct attend_error *err);

#endif
