#include "model/weights.h"

#include "base/error.h"
#include "tensor/vec.h"

#include <math.h>
#include <stdio.h>

static struct file_tensor matrix(const struct param *p, enum file_dtype dtype, const void *bytes)
{
    return (struct file_tensor){.name = p->path,
                                .dtype = dtype,
                                .rows = (size_t)p->rows,
                                .cols = (size_t)p->cols,
                                .bytes = bytes};
}

static struct file_tensor scales(const struct param *p, char *name, size_t size)
{
    snprintf(name, size, "%s.scale", p->path);
    return (struct file_tensor){.name = name,
                                .dtype = FILE_F32,
                                .rows = 1,
                                .cols = (size_t)param_scale_count(p),
                                .bytes = p->scales};
}

int weights_tensors(struct file_tensor *out, struct weights_names *names,
                    const struct param_set *set)
{
    int count = 0;
    for (int i = 0; i < set->count; i++)
        if (!set->item[i]->int8)
            out[count++] = matrix(set->item[i], FILE_REAL, set->item[i]->value);
    for (int i = 0; i < set->count; i++)
        if (set->item[i]->int8)
            out[count++] = scales(set->item[i], names->scale[i], sizeof names->scale[i]);
    for (int i = 0; i < set->count; i++)
        if (set->item[i]->int8)
            out[count++] = matrix(set->item[i], FILE_I8, set->item[i]->int8);
    return count;
}

/* ---- Reading ---- */

/* Nothing writes through the pointer: a loaded model has no gradients and is never trained. */
static real *read_only(const void *bytes)
{
    union {
        const void *in;
        real *out;
    } pointer = {.in = bytes};
    return pointer.out;
}

static enum attend_status bind_real(struct param *p, struct file *file, struct attend_error *err)
{
    struct file_tensor t = matrix(p, FILE_REAL, NULL);
    const enum attend_status status = file_find_tensor(file, &t, err);
    p->value = read_only(t.bytes);
    return status;
}

/* Training never saves NaN or infinity: it stops at the first one. */
static enum attend_status check_real(const struct param *p, const char *path,
                                     struct attend_error *err)
{
    return vec_finite(p->value, (size_t)p->rows * (size_t)p->cols)
               ? ATTEND_OK
               : error_set(
                     err, ATTEND_FORMAT,
                     "%s: its %s contains NaN or infinity; get another copy or train it again",
                     path, p->path);
}

/* The first number that is not a scale; count if all are. */
static size_t first_wrong(const float *scale, size_t count)
{
    size_t i = 0;
    while (i < count && isfinite(scale[i]) && scale[i] >= 0)
        i++;
    return i;
}

/* Values that conversion never writes. */
static enum attend_status check_int8(const struct param *p, const char *path,
                                     struct attend_error *err)
{
    const size_t count = (size_t)param_scale_count(p), wrong = first_wrong(p->scales, count);
    if (wrong < count)
        return error_set(err, ATTEND_FORMAT,
                         "%s: is damaged: entry %zu of its %s.scale is not a scale", path, wrong,
                         p->path);
    const int least = quant_least(p->int8, (size_t)p->rows * (size_t)p->cols);
    if (least < -QUANT_WEIGHT)
        return error_set(err, ATTEND_FORMAT,
                         "%s: is damaged: its %s contains %d, which is out of range", path, p->path,
                         least);
    return ATTEND_OK;
}

bool weights_sound(const struct param *p, const struct file_tensor *t, const void *bytes,
                   size_t size)
{
    if (t->bytes == p->scales)
        return first_wrong(bytes, size / sizeof(float)) == size / sizeof(float);
    return t->dtype == FILE_I8 ? quant_least(bytes, size) >= -QUANT_WEIGHT
                               : vec_finite(bytes, size / sizeof(real));
}

static enum attend_status bind_int8(struct param *p, struct file *file, struct attend_error *err)
{
    char name[sizeof((struct weights_names *)0)->scale[0]];
    struct file_tensor t = matrix(p, FILE_I8, NULL), scale = scales(p, name, sizeof name);
    enum attend_status status = file_find_tensor(file, &t, err);
    if (!status)
        status = file_find_tensor(file, &scale, err);
    if (status)
        return status;
    p->int8 = t.bytes;
    p->scales = scale.bytes;
    return ATTEND_OK;
}

enum attend_status weights_bind(struct param_set *set, struct file *file, bool int8,
                                struct attend_error *err)
{
    enum attend_status status = ATTEND_OK;
    for (int i = 0; !status && i < set->count; i++)
        status = int8 && param_shrinks(set->item[i]) ? bind_int8(set->item[i], file, err)
                                                     : bind_real(set->item[i], file, err);
    return status;
}

enum attend_status weights_check(const struct param_set *set, const char *path,
                                 struct attend_error *err)
{
    enum attend_status status = ATTEND_OK;
    for (int i = 0; !status && i < set->count; i++)
        status = (set->item[i]->int8 ? check_int8 : check_real)(set->item[i], path, err);
    return status;
}
