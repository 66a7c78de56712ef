/* Schedules: how the learning rate moves while training goes on.
 *
 *     rate(update, epoch) = base * ramp(update) * factor(update, epoch)
 *     ramp = update / warmup up to update `warmup`, then 1
 *
 * To add one: write its factor and its `const struct schedule_ops schedule_<name>` in schedule.c
 * and add a line to SCHEDULE_LIST. Help, configuration and the tests of every row follow the list.
 */
#ifndef ATTEND_TRAIN_SCHEDULE_H
#define ATTEND_TRAIN_SCHEDULE_H

#include <stdbool.h>

#define SCHEDULE_LIST(X) X(constant) X(warmup_invsqrt) X(exponential) X(plateau) X(cosine)

struct schedule {
    const struct schedule_ops *ops;
    double base;    /* the learning rate that everything multiplies */
    int warmup;     /* updates */
    double decay;   /* one fall multiplies the rate by this */
    int decay_from; /* the first epoch with a smaller rate */
    int falls;      /* of plateau, so far */
    double done;    /* share of the whole training that is over, 0 to 1 */
};

struct schedule_ops {
    const char *name;
    const char *help;
    int warmup;      /* updates, when none are given */
    bool validation; /* cannot work without validation data */
    double (*factor)(const struct schedule *, long update, int epoch);
};

#define SCHEDULE_DECLARE(name) extern const struct schedule_ops schedule_##name;
SCHEDULE_LIST(SCHEDULE_DECLARE)
#undef SCHEDULE_DECLARE

extern const struct schedule_ops *const schedules[]; /* ended by NULL */
const struct schedule_ops *schedule_find(const char *name);

/* The learning rate of an update; updates and epochs count from 1. */
double schedule_rate(const struct schedule *, long update, int epoch);
/* A validation has been made; `improved`: it was the best so far. */
void schedule_validated(struct schedule *, bool improved);

#endif
