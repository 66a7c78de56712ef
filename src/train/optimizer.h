/* Optimisers over the flat vectors, and clipping by the global norm.
 *
 * To add one: write train/<name>.c with its formula and a `const struct optimizer_ops
 * optimizer_<name>`, add a line to OPTIMIZER_LIST. Help, configuration and tests follow the list.
 */
#ifndef ATTEND_TRAIN_OPTIMIZER_H
#define ATTEND_TRAIN_OPTIMIZER_H

#include "base/threads.h"
#include "nn/param.h"

#include <stdbool.h>

struct arena;

#define OPTIMIZER_LIST(X) X(sgd) X(adadelta) X(adam) X(adamw)

/* One update of elements [0, n) of each vector. */
struct optimizer_update {
    real *value;
    const real *grad;
    real *state[2];
    double factor; /* the gradient is multiplied by this first: clipping */
    double lr;
    double weight_decay; /* for those that decouple it; the others find it in the gradient */
    double momentum;
    long step; /* from 1 */
};

struct optimizer_ops {
    const char *name;
    const char *help;
    double lr;      /* the learning rate when none is given */
    int states;     /* vectors of state, 0 to 2 */
    bool decoupled; /* `update` decays the weights itself; otherwise decay * value is added to the
                       clipped gradient before it (L2), as PyTorch does */
    void (*update)(const struct optimizer_update *, size_t n);
};

#define OPTIMIZER_DECLARE(name) extern const struct optimizer_ops optimizer_##name;
OPTIMIZER_LIST(OPTIMIZER_DECLARE)
#undef OPTIMIZER_DECLARE

extern const struct optimizer_ops *const optimizers[]; /* ended by NULL */
const struct optimizer_ops *optimizer_find(const char *name);

struct optimizer {
    const struct optimizer_ops *ops;
    size_t size;
    double weight_decay, momentum; /* settings; 0 from bind on, then the owner's */
    real *state[2];                /* (size) each */
    double *squares; /* one sum for each block, so that the norm does not depend on the number of
                        threads */
    real *average;   /* (size) of the values, exponentially weighted; NULL: not kept */
    double average_decay;
    long step;   /* updates made */
    double norm; /* of the last gradient, before clipping */
};

void optimizer_bind(struct optimizer *, struct arena *, const struct optimizer_ops *, size_t size);
/* Keep an average of the values:
 *
 *     average = d average + (1 - d) value,    d = min(decay, (1 + step) / (10 + step))
 *
 * so that a young average forgets its start quickly. It begins at the values of the first reset. */
void optimizer_bind_average(struct optimizer *, struct arena *, double decay);
/* State and step to 0; settings stay. */
void optimizer_reset(struct optimizer *, const real *values);
/* Clip the gradient to norm `clip` (0: do not), update the values, set the gradient to 0; by the
 * whole team, which has met on return. When the norm is not finite nothing is updated and the
 * gradient stays: look at optimizer->norm. */
void optimizer_step(struct optimizer *, struct worker *, real *values, real *grads, double lr,
                    double clip);

#endif
