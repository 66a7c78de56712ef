/* Given attention weights (struct attend_focus), checked and grouped by decoder step. */
#ifndef ATTEND_API_FOCUS_H
#define ATTEND_API_FOCUS_H

#include "attend/translate.h"
#include "model/model.h"

/* All zero is an empty plan. */
struct focus_plan {
    struct attention_focus *step; /* (steps) */
    int steps;
    int *at;      /* source tokens; step[] points here */
    real *weight; /* their weights; step[] points here */
};

/* Make the plan for a line of `source_count` tokens with </s>. Release it even on failure. */
enum attend_status focus_plan_make(struct focus_plan *, const struct model *, int source_count,
                                   const struct attend_focus *, int count,
                                   struct attend_error *err);
void focus_plan_release(struct focus_plan *);

#endif
