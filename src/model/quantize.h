/* Conversion of a trained model to int8: a quarter of the size, for inference only (tensor/quant.h
 * has the arithmetic). */
#ifndef ATTEND_MODEL_QUANTIZE_H
#define ATTEND_MODEL_QUANTIZE_H

#include "attend/status.h"

struct model;

/* Save a model with float weights as int8, including its training settings. `name` is the model's
 * name in messages. */
enum attend_status quantize_save(const struct model *, const char *name, const char *path,
                                 struct attend_error *err);

#endif
