/* Models that are kept during training so that their average can be tried at its end. Each is a
 * model file beside the model, <model>.keep-<update>; the list of those that count is part of the
 * checkpoint, so a file that no list names is left over from a run that was cut off. */
#ifndef ATTEND_TRAIN_KEEP_H
#define ATTEND_TRAIN_KEEP_H

#include "tensor/real.h"
#include "train/settings.h"

#include "attend/status.h"

struct kept {
    int count;
    struct kept_model {
        double update, value; /* a higher value is better */
    } model[TRAIN_MAX_AVERAGE + 1];
};

/* For the caller to free; NULL when out of memory. */
char *keep_path(const char *model, int update);
/* Add one to the list and drop the worst, or the oldest, when there are more than `most`. */
void keep_add(struct kept *, struct kept_model, int most, bool oldest);
/* Remove the files that the list does not name: as many as can be removed. */
enum attend_status keep_clean(const struct kept *, const char *model, struct attend_error *err);
/* The mean of the weights of all of them, (size). */
enum attend_status keep_average(const struct kept *, const char *model, real *out, size_t size,
                                struct attend_error *err);

#endif
