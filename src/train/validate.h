/* Validation: cross-entropy under teacher forcing, and a metric of what greedy search says. */
#ifndef ATTEND_TRAIN_VALIDATE_H
#define ATTEND_TRAIN_VALIDATE_H

#include "attend/train.h"
#include "decode/crew.h"
#include "metric/metric.h"
#include "model/model.h"
#include "train/plan.h"
#include "train/update.h"

/* Pairs to validate on; all borrowed. */
struct valid_text {
    const struct corpus *corpus;
    const char *const *source, *const *target; /* (pairs) as the user wrote them */
    const struct model_side *side;             /* of the target */
};

/* What a validation works with. */
struct validator {
    const struct valid_text *text;
    const struct metric_ops *metric; /* NULL: the loss */
    struct updater *updater;         /* has room for the plan's batches */
    struct crew *crew;
    const struct plan *plan; /* covers the corpus */
};

struct validation {
    double loss;  /* per target word, </s> counted */
    double value; /* of the metric, 0 to 100, or the loss */
    char *output[ATTEND_TRAIN_SAMPLES];
    struct attend_train_sample sample[ATTEND_TRAIN_SAMPLES]; /* their outputs are those above */
    int samples;
};

enum attend_status validate(const struct validator *, struct validation *out,
                            struct attend_error *err);
void validation_release(struct validation *);
/* Whether the new one is better; among equals the lower loss is. */
bool validation_better(const struct metric_ops *, const struct validation *new,
                       const struct validation *old);

/* The metric of a name that validation_name lists, NULL for the loss; `auto` is decided by the
 * target's tokenizer. */
const struct metric_ops *validation_metric_find(const char *name, const struct model_side *target);
/* What --valid-metric takes. */
const char *validation_name(int i);

#endif
