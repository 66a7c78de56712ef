/* Where steps are to look: what was asked for, checked and laid out step by step. */
#ifndef ATTEND_API_FOCUS_H
#define ATTEND_API_FOCUS_H

#include "attend/translate.h"
#include "model/model.h"

/* All zero is none. */
struct focus_plan {
    struct attention_focus *step; /* (steps) */
    int steps;
    int *at;      /* step[] points here */
    real *weight; /* and here */
};

/* For a line of `source_count` tokens, </s> counted. */
enum attend_status focus_plan_make(struct focus_plan *, const struct model *, int source_count,
                                   const struct attend_focus *, int count,
                                   struct attend_error *err);
void focus_plan_release(struct focus_plan *);

#endif
