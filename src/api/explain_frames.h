/* Explanations of sources that are frames. */
#ifndef ATTEND_API_EXPLAIN_FRAMES_H
#define ATTEND_API_EXPLAIN_FRAMES_H

#include "attend/explain.h"

/* attend_explain for a model that reads frames. The source is divided into at most 64 spans of equal
 * length, each of one or more columns of attention, which take the place of words. The measures are
 * attention, summed over a span, and leave-one-out: without the frames of a span or, with job->mask,
 * with their mean in its place. */
enum attend_status explain_frames(struct attend_explanation **out, struct attend_translator *,
                                  const struct attend_explain_job *, struct attend_error *err);

#endif
