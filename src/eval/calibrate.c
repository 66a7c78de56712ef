/* How far the confidence of a model can be trusted, and what mends it. */
#include "attend/calibration.h"

#include "base/error.h"
#include "metric/calibration.h"

enum { FOLDS = 10 };

/* The confidence of each answer, by a scaling that was fitted without its fold. */
static void measure_after(struct attend_reliability *after, const struct attend_answer *answers,
                          int count)
{
    for (int fold = 0; fold < FOLDS; fold++) {
        const struct attend_scaling s = calibration_fit(answers, count, FOLDS, fold);
        for (int i = fold; i < count; i += FOLDS)
            reliability_add(
                after, calibration_confidence(&s, answers[i].log_probability, answers[i].tokens),
                answers[i].right);
    }
    reliability_finish(after);
}

enum attend_status attend_calibrate(struct attend_calibration *out,
                                    const struct attend_answer *answers, int count,
                                    struct attend_error *err)
{
    if (count < ATTEND_CALIBRATION_LEAST)
        return error_set(err, ATTEND_DATA,
                         "calibration needs %d lines or more, and there are only %d",
                         ATTEND_CALIBRATION_LEAST, count);
    *out = (struct attend_calibration){.lines = count};
    for (int i = 0; i < count; i++) {
        out->right += answers[i].right;
        reliability_add(&out->before, answers[i].confidence, answers[i].right);
    }
    reliability_finish(&out->before);
    measure_after(&out->after, answers, count);
    out->scaling = calibration_fit(answers, count, FOLDS, -1);
    return ATTEND_OK;
}
