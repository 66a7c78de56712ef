/* Layer normalization (Ba, Kiros and Hinton 2016) of groups of H columns, row by row:
 *
 *     y = gain * (x - mean) / sqrt(variance + 1e-5) + bias
 *
 * mean and variance are those of the group's H numbers. The caller owns the bias. */
#ifndef ATTEND_NN_LAYER_NORM_H
#define ATTEND_NN_LAYER_NORM_H

#include "nn/param.h"

struct layer_norm {
    struct param gain; /* (groups * H), starts at 1 */
    int H;
};

void layer_norm_declare(struct layer_norm *, struct param_set *, const char *path, int groups,
                        int H);
/* x: (M, groups * H), replaced by y. Kept for backward: normal (M, groups * H) is (x - mean) / sd,
 * scale (M, groups) is 1 / sd. bias: (groups * H). */
void layer_norm_forward(const struct layer_norm *, const real *bias, struct view x,
                        struct view normal, struct view scale);
/* d: d_y, replaced by d_x. Adds to d_gain and d_bias (groups * H), which belong to this thread. */
void layer_norm_backward(const struct layer_norm *, struct view normal, struct view scale,
                         struct view d, real *d_gain, real *d_bias);

#endif
