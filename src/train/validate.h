/* Validation: the loss under teacher forcing, and a metric of greedy translations. A target of strokes
 * has only the loss. */
#ifndef ATTEND_TRAIN_VALIDATE_H
#define ATTEND_TRAIN_VALIDATE_H

#include "attend/settings.h"
#include "attend/train.h"
#include "corpus/dataset.h"
#include "decode/crew.h"
#include "metric/metric.h"
#include "model/model.h"
#include "train/plan.h"
#include "train/update.h"

/* The parts of a validation. */
struct validator {
    const struct valid_text *text;
    const struct metric_ops *metric; /* NULL: the loss */
    struct updater *updater;         /* with memory for the plan's batches */
    struct crew *crew;
    const struct plan *plan; /* covers the corpus */
};

struct validation {
    double loss;  /* per target word, including </s> */
    double value; /* the metric, 0 to 100, or the loss */
    char *output[ATTEND_TRAIN_SAMPLES];
    struct attend_train_sample sample[ATTEND_TRAIN_SAMPLES]; /* with outputs from above */
    int samples;
};

enum attend_status validate(const struct validator *, struct validation *out,
                            struct attend_error *err);
void validation_release(struct validation *);
/* Whether `new` is better. Equal values are compared by loss. */
bool validation_better(const struct metric_ops *, const struct validation *new,
                       const struct validation *old);

#endif
