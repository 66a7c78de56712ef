#include "nn/projection.h"

#include <math.h>

void projection_declare(struct projection *l, struct param_set *set, const char *path, int D, int E)
{
    param_declare(set, &l->W, path, "W", D, E);
    param_declare(set, &l->b, path, "b", 1, E);
    param_start(&l->W, PARAM_NORMAL, 1 / sqrt(D));
}

void projection_bind(struct projection *l, struct arena *arena, enum packing packing)
{
    linear_bind(&l->input, arena, l->W.rows, l->W.cols, packing);
}

void projection_pack(struct projection *l, struct compute *c)
{
    linear_pack_weights(c, &l->input, &l->W, 0);
}

/* y = x W + b */
void projection_forward(const struct projection *l, struct compute *c, struct view x, struct view y)
{
    linear_start(c, y, l->b.value);
    worker_meet(c->worker);
    linear_forward(c, x, &l->input, y, true);
}

/* d_W += x^T d_y, d_b += the sum of d_y's rows */
void projection_backward(const struct projection *l, struct compute *c, struct view x,
                         struct view d_y)
{
    linear_grad_weight(c, x, d_y, param_grad(&l->W));
    linear_grad_bias(c, d_y, l->b.grad);
}
