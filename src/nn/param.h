/* The parameters of a model. Every layer owns its struct param; the set arranges them in one flat
 * vector of values and one of gradients, in the order of declaration. Clipping, the optimizer,
 * averaging and files loop over the flat vectors. */
#ifndef ATTEND_NN_PARAM_H
#define ATTEND_NN_PARAM_H

#include "attend/status.h"
#include "tensor/quant.h"
#include "tensor/view.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Initialization, with a scale. */
enum param_init {
    PARAM_ZERO,
    PARAM_CONSTANT,   /* scale everywhere */
    PARAM_NORMAL,     /* normal, standard deviation = scale */
    PARAM_UNIFORM,    /* uniform in [-scale, scale] */
    PARAM_ORTHOGONAL, /* square blocks side by side, each orthogonal and multiplied by scale */
};

struct param {
    char path[64];  /* dotted path in the code, and name of the tensor in files */
    int rows, cols; /* a vector has rows = 1 */
    enum param_init init;
    double scale;
    int ones_from, ones_count; /* columns that start at 1, whatever init says; count 0: none */
    bool table;         /* rows are looked up one by one, so in int8 each row has its own scale */
    real *value, *grad; /* (rows, cols), NULL until bound; a model for inference has no gradients */
    const int8_t *int8; /* (rows, cols) replaces value, see tensor/quant.h; or NULL */
    const float *scales; /* of int8: one per column; in a table, one per row */
};

enum { PARAM_MAX = 256 };
struct param_set {
    struct param *item[PARAM_MAX];
    int count;
    size_t size; /* elements of all parameters */
};

/* Register a parameter; p must not move afterwards. */
void param_declare(struct param_set *, struct param *p, const char *path, const char *name,
                   int rows, int cols);
/* Set how it is initialized; the default is 0. */
void param_start(struct param *p, enum param_init init, double scale);
/* Initialize `count` columns from `from` to 1 instead: the bias of a forget gate. */
void param_ones(struct param *p, int from, int count);
/* Point every parameter into flat vectors of set->size elements; grads may be NULL. */
void param_bind(struct param_set *, real *values, real *grads);
/* Initialize the values. They depend only on the seed, the path and the shape. */
enum attend_status param_initialize(struct param_set *, uint64_t seed, struct attend_error *err);

/* Copy the values of a set into one flat vector. */
void param_copy(const struct param_set *, real *out);

static inline struct view param_view(const struct param *p)
{
    return view_of(p->value, p->rows, p->cols);
}
/* Whether an int8 model quantizes this parameter. Vectors, and matrices with an inner dimension of
 * 1, are not quantized. */
static inline bool param_shrinks(const struct param *p)
{
    return (p->table ? p->cols : p->rows) > 1;
}
static inline int param_scale_count(const struct param *p) { return p->table ? p->rows : p->cols; }
/* The right-hand side of a product: the matrix, or the transpose of a table. */
static inline struct quant_view param_int8(const struct param *p)
{
    return p->table ? (struct quant_view){p->int8, p->cols, p->rows, 1, p->cols, p->scales}
                    : (struct quant_view){p->int8, p->rows, p->cols, p->cols, 1, p->scales};
}
static inline struct view param_grad(const struct param *p)
{
    return view_of(p->grad, p->rows, p->cols);
}

#endif
