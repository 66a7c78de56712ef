/* Models kept during training so that their average can be tried at the end. Each is a file beside
 * the model, <model>.keep-<update>. The checkpoint has the list of valid ones; a file that is not
 * in the list was left by an interrupted run. */
#ifndef ATTEND_TRAIN_KEEP_H
#define ATTEND_TRAIN_KEEP_H

#include "tensor/real.h"
#include "train/limits.h"

#include "attend/status.h"

/* A kept file is the path of the model, this, and the number of the update. */
#define KEEP_SUFFIX ".keep-"

struct kept {
    int count;
    struct kept_model {
        double update, value; /* a higher value is better */
    } model[TRAIN_MAX_AVERAGE + 1];
};

/* The caller frees it; NULL when out of memory. */
char *keep_path(const char *model, int update);
/* Add a model to the list. If there are more than `most`, drop the worst, or the oldest. */
void keep_add(struct kept *, struct kept_model, int most, bool oldest);
/* Remove all files that the list does not name; continues if one cannot be removed. */
enum attend_status keep_clean(const struct kept *, const char *model, struct attend_error *err);
/* Write the mean of their weights to `out`, (size). */
enum attend_status keep_average(const struct kept *, const char *model, real *out, size_t size,
                                struct attend_error *err);

#endif
