/* Optimizers over the flat vectors, and clipping by the global norm.
 *
 * To add one: write train/<name>.c with its formula and a `const struct optimizer_ops
 * optimizer_<name>`, and add X(<name>) to OPTIMIZER_LIST. Its help says its learning rate. Help,
 * configuration, checkpoints and the tests of every row follow the list; optimizer_test.c asks for
 * its formula in plain double and for numbers of PyTorch. */
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
    double factor; /* multiplies the gradient first, for clipping */
    double lr;
    double weight_decay; /* for decoupled decay; otherwise it is already in the gradient */
    double momentum;
    long step; /* from 1 */
};

struct optimizer_ops {
    const char *name;
    const char *help;
    double lr;      /* default learning rate */
    int states;     /* number of state vectors, 0 to 2 */
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
    double weight_decay, momentum; /* set to 0 by bind, then set by the owner */
    real *state[2];                /* (size) each */
    /* one sum per block, so that the norm does not depend on the number of threads */
    double *squares;
    real *average; /* (size) exponential moving average of the values; or NULL */
    double average_decay;
    long step;   /* updates so far */
    double norm; /* norm of the last gradient before clipping */
};

void optimizer_bind(struct optimizer *, struct arena *, const struct optimizer_ops *, size_t size);
/* Keep an average of the values:
 *
 *     average = d average + (1 - d) value,    d = min(decay, (1 + step) / (10 + step))
 *
 * so that an early average forgets its start quickly. It starts at the values of the first
 * reset. */
void optimizer_bind_average(struct optimizer *, struct arena *, double decay);
/* Reset state and step to 0; the settings stay. */
void optimizer_reset(struct optimizer *, const real *values);
/* Clip the gradient to norm `clip` (0: do not), update the values and set the gradient to 0. By the
 * whole team; ends with a barrier. If the norm is NaN or infinite, nothing is updated and the
 * gradient stays: check optimizer->norm. */
void optimizer_step(struct optimizer *, struct worker *, real *values, real *grads, double lr,
                    double clip);

#endif
