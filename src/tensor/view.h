/* A view is a matrix that somebody else owns: element (i, j) is at[i * row + j * col]. Transposing
 * swaps the strides and moves no data. */
#ifndef ATTEND_TENSOR_VIEW_H
#define ATTEND_TENSOR_VIEW_H

#include "tensor/real.h"

#include <stddef.h>

struct view {
    real *at;
    int rows, cols;
    ptrdiff_t row, col; /* strides in elements */
};

/* rows x cols; each row starts `stride` elements after the previous one. */
static inline struct view view_strided(real *at, int rows, int cols, ptrdiff_t stride)
{
    return (struct view){.at = at, .rows = rows, .cols = cols, .row = stride, .col = 1};
}

static inline struct view view_of(real *at, int rows, int cols)
{
    return view_strided(at, rows, cols, cols);
}

/* A view of read-only data uses the same struct; functions document which views they write. */
static inline struct view view_const(const real *at, int rows, int cols)
{
    union {
        const real *in;
        real *out;
    } pointer = {.in = at};
    return view_of(pointer.out, rows, cols);
}

static inline struct view view_transposed(struct view v)
{
    return (struct view){.at = v.at, .rows = v.cols, .cols = v.rows, .row = v.col, .col = v.row};
}

/* Parts of a view. A part of an absent view (at = NULL) is absent too. */
static inline struct view view_rows(struct view v, int from, int count)
{
    v.at = v.at ? v.at + (ptrdiff_t)from * v.row : NULL;
    v.rows = count;
    return v;
}

static inline struct view view_cols(struct view v, int from, int count)
{
    v.at = v.at ? v.at + (ptrdiff_t)from * v.col : NULL;
    v.cols = count;
    return v;
}

#endif
