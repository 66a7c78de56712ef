/* The parameters of a model as tensors of its file, each under its path. In int8, a matrix is the
 * I8 tensor of that name plus the F32 vector `<path>.scale` with one number per column, or per row
 * of an embedding table. Vectors are float in both forms. */
#ifndef ATTEND_MODEL_WEIGHTS_H
#define ATTEND_MODEL_WEIGHTS_H

#include "model/file.h"
#include "nn/param.h"

#include <stdbool.h>
#include <stddef.h>

/* The text `weights` of a file with int8 matrices; other files lack it. */
#define WEIGHTS_TEXT "weights"
#define WEIGHTS_INT8 "int8"

enum { WEIGHTS_TENSORS = 2 * PARAM_MAX };

/* The names of the scales; must live as long as their tensors are used. */
struct weights_names {
    char scale[PARAM_MAX][sizeof((struct param *)0)->path + sizeof ".scale"];
};
/* Fill in the tensors in an order that keeps them aligned. Returns their number. */
int weights_tensors(struct file_tensor *out, struct weights_names *, const struct param_set *);
/* Point every parameter into the file, read-only. */
enum attend_status weights_bind(struct param_set *, struct file *, bool int8,
                                struct attend_error *err);
/* Whether part of a tensor can be right, which has the values of a parameter or its scales;
 * weights_check says what is wrong. */
bool weights_sound(const struct param *, const struct file_tensor *, const void *bytes,
                   size_t size);
/* Check that no parameter is NaN, infinite or out of range. `path` is for the message. */
enum attend_status weights_check(const struct param_set *, const char *path,
                                 struct attend_error *err);

#endif
