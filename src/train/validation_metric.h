/* The metric by which validations are compared. */
#ifndef ATTEND_TRAIN_VALIDATION_METRIC_H
#define ATTEND_TRAIN_VALIDATION_METRIC_H

#include "attend/settings.h"

struct metric_ops;
struct text_side;

/* The metric with a name of validation_choice, or NULL for the loss. `auto` depends on the target's
 * tokenizer. */
const struct metric_ops *validation_metric_find(const char *name, const struct text_side *target);
/* The choices of `valid_metric`. */
struct attend_choice validation_choice(int i);

#endif
