/* The calibration of a model in its file: the text "calibration" of the metadata, JSON with the
 * members of struct attend_scaling. A file without it has the scaling 1, 0, 0. */
#ifndef ATTEND_MODEL_SCALING_H
#define ATTEND_MODEL_SCALING_H

#include "attend/calibration.h"

struct strbuf;

#define SCALING_TEXT "calibration"
extern const struct attend_scaling scaling_none;

void scaling_write(struct strbuf *out, const struct attend_scaling *);
/* Messages call the file `path`. Values that are not finite, or a temperature that is not positive,
 * are ATTEND_FORMAT. */
enum attend_status scaling_read(struct attend_scaling *out, const char *text, const char *path,
                                struct attend_error *err);

#endif
