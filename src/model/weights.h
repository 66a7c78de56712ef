/* The parameters of a model as tensors of its file: each under its path; in int8 a matrix is the
 * I8 tensor of that name and the F32 vector `<path>.scale`, one number for each column, of a table
 * for each row. Vectors are the same in both. */
#ifndef ATTEND_MODEL_WEIGHTS_H
#define ATTEND_MODEL_WEIGHTS_H

#include "model/file.h"
#include "nn/param.h"

/* What a file that has int8 matrices says in its text `weights`; others have no such text. */
#define WEIGHTS_TEXT "weights"
#define WEIGHTS_INT8 "int8"

enum { WEIGHTS_TENSORS = 2 * PARAM_MAX };

/* Names of the scales, for as long as their tensors are used. */
struct weights_names {
    char scale[PARAM_MAX][sizeof((struct param *)0)->path + sizeof ".scale"];
};
/* The tensors in an order that keeps them aligned; returns how many. */
int weights_tensors(struct file_tensor *out, struct weights_names *, const struct param_set *);
/* Point every parameter into the file, where it is only read. */
enum attend_status weights_bind(struct param_set *, struct file *, bool int8,
                                struct attend_error *err);
/* Look at every number that was bound: none may be NaN, infinite or out of range. `path` is for the
 * message. */
enum attend_status weights_check(const struct param_set *, const char *path,
                                 struct attend_error *err);

#endif
