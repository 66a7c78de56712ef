/* y = x W + b over the rows of a batch: the input of a network that reads numbers, where an
 * embedding is the input of one that reads tokens. The input is data, so it gets no gradient. Dims:
 * N rows, D numbers in a row, E. */
#ifndef ATTEND_NN_PROJECTION_H
#define ATTEND_NN_PROJECTION_H

#include "nn/linear.h"

struct projection {
    struct param W, b;   /* (D, E), (E) */
    struct packed input; /* W, packed */
};

void projection_declare(struct projection *, struct param_set *, const char *path, int D, int E);
void projection_bind(struct projection *, struct arena *, enum packing packing);
void projection_pack(struct projection *, struct compute *);

/* By the whole team, which meets before anyone reads y. */
void projection_forward(const struct projection *, struct compute *, struct view x, struct view y);
/* Adds to the gradients of W and b. */
void projection_backward(const struct projection *, struct compute *, struct view x,
                         struct view d_y);

#endif
