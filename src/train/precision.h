/* What the products of an update multiply: floats, or floats rounded to bf16 (tensor/bf16.h). Weights,
 * sums, gradients and the optimizer are floats in both cases. */
#ifndef ATTEND_TRAIN_PRECISION_H
#define ATTEND_TRAIN_PRECISION_H

#include "attend/settings.h"
#include "attend/status.h"

#include <stdbool.h>

/* The choices of `precision`. */
struct attend_choice precision_choice(int i);
bool precision_is_bf16(const char *name);
/* Refuse what the processor lacks, or the SIMD level in use. */
enum attend_status precision_check(const char *name, struct attend_error *err);

#endif
