/* Layer normalization of every row, before a part of a transformer reads it:
 *
 *     y = gain * (x - mean) / sqrt(variance + 1e-5) + bias
 *
 * x stays as it is. Rows are shared by a team. Dims: N rows, H. */
#ifndef ATTEND_NN_ROW_NORM_H
#define ATTEND_NN_ROW_NORM_H

#include "nn/layer_norm.h"
#include "nn/linear.h"

struct row_norm {
    struct layer_norm norm; /* gain (H) */
    struct param bias;      /* (H) */
};

struct row_norm_tape {
    real *normal, *scale; /* (N, H), (N) */
    real *share; /* (team, 2 H) each thread's gradient of gain and bias; only in training */
};

void row_norm_declare(struct row_norm *, struct param_set *, const char *path, int H);
void row_norm_bind(struct row_norm_tape *, struct arena *, const struct row_norm *, int N, int team,
                   bool training);

/* Each member computes its own rows: y = norm(x). */
void row_norm_forward(const struct row_norm *, const struct row_norm_tape *, struct compute *,
                      struct view x, struct view y);
/* y again, from what forward left. */
void row_norm_again(const struct row_norm *, const struct row_norm_tape *, struct compute *,
                    struct view y);
/* d: d_y, replaced by d_x, again the member's own rows. The gradients of gain and bias wait for
 * row_norm_end. */
void row_norm_backward(const struct row_norm *, const struct row_norm_tape *, struct compute *,
                       struct view d);
/* After the team has met: adds to the gradients of gain and bias. */
void row_norm_end(const struct row_norm *, const struct row_norm_tape *, struct compute *);

#endif
