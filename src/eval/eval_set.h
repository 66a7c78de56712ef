/* The inside of an attend_eval_set. */
#ifndef ATTEND_EVAL_EVAL_SET_H
#define ATTEND_EVAL_EVAL_SET_H

#include "attend/eval_set.h"
#include "eval/measure.h"

struct attend_eval_set {
    struct eval_input input;
    struct attend_eval_options options;
};

/* eval.c and by_length.c: the work of attend_evaluate and attend_eval_by_length. */
enum attend_status eval_scores(struct attend_evaluation **out, const struct eval_input *,
                               const struct attend_eval_options *, struct attend_error *err);
enum attend_status by_length_table(struct attend_length_table **out, const struct eval_input *,
                                   const struct attend_eval_options *, struct attend_error *err);

#endif
