/* Schedules of the learning rate.
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
    double base;    /* the learning rate before all factors */
    int warmup;     /* updates */
    double decay;   /* factor of each reduction */
    int decay_from; /* the first epoch with a reduced rate */
    int falls;      /* reductions so far, for plateau */
    double done;    /* fraction of the run that is done, 0 to 1 */
};

struct schedule_ops {
    const char *name;
    const char *help;
    int warmup;      /* default warm-up in updates */
    bool validation; /* needs validation data */
    double (*factor)(const struct schedule *, long update, int epoch);
};

#define SCHEDULE_DECLARE(name) extern const struct schedule_ops schedule_##name;
SCHEDULE_LIST(SCHEDULE_DECLARE)
#undef SCHEDULE_DECLARE

extern const struct schedule_ops *const schedules[]; /* ended by NULL */
const struct schedule_ops *schedule_find(const char *name);

/* The learning rate of an update; updates and epochs count from 1. */
double schedule_rate(const struct schedule *, long update, int epoch);
/* Record a validation; `improved`: it was the best so far. */
void schedule_validated(struct schedule *, bool improved);

#endif
