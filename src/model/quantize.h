/* A trained model in int8: a quarter of the size, for running only (tensor/quant.h has the
 * arithmetic). */
#ifndef ATTEND_MODEL_QUANTIZE_H
#define ATTEND_MODEL_QUANTIZE_H

#include "attend/status.h"

struct model;

/* Save the model, whose weights are floats, with int8 matrices. Its training settings go
 * along. `name` is what messages call the model. */
enum attend_status quantize_save(const struct model *, const char *name, const char *path,
                                 struct attend_error *err);

#endif
