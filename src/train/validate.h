/* Validation: cross-entropy under teacher forcing, and how many sentences greedy search gets
 * exactly right. */
#ifndef ATTEND_TRAIN_VALIDATE_H
#define ATTEND_TRAIN_VALIDATE_H

#include "decode/crew.h"
#include "train/plan.h"
#include "train/update.h"

struct validation {
    double loss;     /* per target word, </s> counted */
    double accuracy; /* share of sentences */
};
/* The plan covers the corpus; the updater has room for its batches. */
enum attend_status validate(struct updater *, struct crew *, const struct corpus *,
                            const struct plan *, struct validation *out, struct attend_error *err);

#endif
