#include "nn/param.h"

#include "base/bug.h"
#include "base/error.h"
#include "base/rng.h"
#include "tensor/simd.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

void param_declare(struct param_set *set, struct param *p, const char *path, const char *name,
                   int rows, int cols)
{
    BUG_ON(set->count == PARAM_MAX || rows < 1 || cols < 1);
    *p = (struct param){.rows = rows, .cols = cols};
    const int length = snprintf(p->path, sizeof p->path, "%s.%s", path, name);
    BUG_ON(length < 0 || (size_t)length >= sizeof p->path);
    set->item[set->count++] = p;
    set->size += (size_t)rows * (size_t)cols;
}

void param_start(struct param *p, enum param_init init, double scale)
{
    p->init = init;
    p->scale = scale;
}

void param_ones(struct param *p, int from, int count)
{
    BUG_ON(from < 0 || count < 0 || count > p->cols - from);
    p->ones_from = from;
    p->ones_count = count;
}

void param_bind(struct param_set *set, real *values, real *grads)
{
    size_t at = 0;
    for (int i = 0; i < set->count; i++) {
        struct param *p = set->item[i];
        p->value = values + at;
        p->grad = grads ? grads + at : NULL;
        at += (size_t)p->rows * (size_t)p->cols;
    }
}

/* ---- Initialization ---- */

static void start_zero(struct param *p, uint64_t key, double *work)
{
    (void)key, (void)work;
    for (size_t i = 0; i < (size_t)p->rows * (size_t)p->cols; i++)
        p->value[i] = 0;
}

static void start_constant(struct param *p, uint64_t key, double *work)
{
    (void)key, (void)work;
    for (size_t i = 0; i < (size_t)p->rows * (size_t)p->cols; i++)
        p->value[i] = (real)p->scale;
}

static void start_normal(struct param *p, uint64_t key, double *work)
{
    (void)work;
    for (size_t i = 0; i < (size_t)p->rows * (size_t)p->cols; i++)
        p->value[i] = (real)(p->scale * rng_normal(key, i));
}

static void start_uniform(struct param *p, uint64_t key, double *work)
{
    (void)work;
    for (size_t i = 0; i < (size_t)p->rows * (size_t)p->cols; i++)
        p->value[i] = (real)(p->scale * (2 * rng_uniform(key, i) - 1));
}

/* Subtract from `row` its components along the `count` orthonormal rows of q, then normalize it to
 * length 1 (modified Gram-Schmidt). Random rows are far from linearly dependent, so one pass in
 * double is accurate enough for float. */
SIMD_BODY void orthonormal_row_body(double *row, const double *q, int count, int n)
{
    double square = 0;
    for (int j = 0; j < count; j++, q += n) {
        double along = 0;
#pragma omp simd reduction(+ : along)
        for (int k = 0; k < n; k++)
            along += row[k] * q[k];
#pragma omp simd
        for (int k = 0; k < n; k++)
            row[k] -= along * q[k];
    }
#pragma omp simd reduction(+ : square)
    for (int k = 0; k < n; k++)
        square += row[k] * row[k];
    for (int k = 0; k < n; k++)
        row[k] /= sqrt(square);
}
SIMD_STATIC(orthonormal_row, (double *row, const double *q, int count, int n), (row, q, count, n))

static void start_orthogonal(struct param *p, uint64_t key, double *work)
{
    const int n = p->rows;
    BUG_ON(p->cols % n);
    for (int block = 0; block < p->cols / n; block++) {
        const uint64_t block_key = rng_key(key, (uint64_t)block);
        for (size_t i = 0; i < (size_t)n * (size_t)n; i++)
            work[i] = rng_normal(block_key, i);
        for (int i = 0; i < n; i++)
            orthonormal_row(work + (size_t)i * (size_t)n, work, i, n);
        for (int i = 0; i < n; i++)
            for (int j = 0; j < n; j++)
                p->value[(size_t)i * (size_t)p->cols + (size_t)(block * n + j)] =
                    (real)(p->scale * work[(size_t)i * (size_t)n + (size_t)j]);
    }
}

static void start_ones(struct param *p)
{
    for (int i = 0; i < p->rows; i++)
        for (int j = p->ones_from; j < p->ones_from + p->ones_count; j++)
            p->value[(size_t)i * (size_t)p->cols + (size_t)j] = 1;
}

static uint64_t path_key(uint64_t seed, const char *path)
{
    uint64_t key = rng_key(rng_seed(seed), 0x696e6974);
    for (const char *c = path; *c; c++)
        key = rng_key(key, (unsigned char)*c);
    return key;
}

enum attend_status param_initialize(struct param_set *set, uint64_t seed, struct attend_error *err)
{
    static void (*const start[])(struct param *, uint64_t key, double *work) = {
        [PARAM_ZERO] = start_zero,
        [PARAM_CONSTANT] = start_constant,
        [PARAM_NORMAL] = start_normal,
        [PARAM_UNIFORM] = start_uniform,
        [PARAM_ORTHOGONAL] = start_orthogonal,
    };
    size_t widest = 1;
    for (int i = 0; i < set->count; i++)
        if (set->item[i]->init == PARAM_ORTHOGONAL && (size_t)set->item[i]->rows > widest)
            widest = (size_t)set->item[i]->rows;
    double *work = malloc(widest * widest * sizeof *work);
    if (!work)
        return error_set(err, ATTEND_NO_MEMORY, "out of memory for orthogonal weights of size %zu",
                         widest);
    for (int i = 0; i < set->count; i++) {
        start[set->item[i]->init](set->item[i], path_key(seed, set->item[i]->path), work);
        start_ones(set->item[i]);
    }
    free(work);
    return ATTEND_OK;
}

void param_copy(const struct param_set *set, real *out)
{
    for (int i = 0; i < set->count; i++) {
        const struct param *p = set->item[i];
        const size_t size = (size_t)p->rows * (size_t)p->cols;
        memcpy(out, p->value, size * sizeof *out);
        out += size;
    }
}
