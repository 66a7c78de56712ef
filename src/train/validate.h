/* Validation: cross-entropy under teacher forcing, and a metric of what greedy search says. */
#ifndef ATTEND_TRAIN_VALIDATE_H
#define ATTEND_TRAIN_VALIDATE_H

#include "attend/train.h"
#include "decode/crew.h"
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
    const struct validation_metric *metric;
    struct updater *updater; /* has room for the plan's batches */
    struct crew *crew;
    const struct plan *plan; /* covers the corpus */
};

struct validation {
    double loss;  /* per target word, </s> counted */
    double value; /* of the metric */
    char *output[ATTEND_TRAIN_SAMPLES];
    struct attend_train_sample sample[ATTEND_TRAIN_SAMPLES]; /* their outputs are those above */
    int samples;
};

enum attend_status validate(const struct validator *, struct validation *out,
                            struct attend_error *err);
void validation_release(struct validation *);
/* Whether the new one is better; among equals the lower loss is. */
bool validation_better(const struct validation_metric *, const struct validation *new,
                       const struct validation *old);

/* The metric of a name that validation_name lists; `auto` is decided by the target's tokenizer. */
const struct validation_metric *validation_metric_find(const char *name,
                                                       const struct model_side *target);
const char *validation_metric_name(const struct validation_metric *);
bool validation_metric_lower(const struct validation_metric *); /* a lower value is better */
const char *validation_name(int i);

#endif
