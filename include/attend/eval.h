/* Judging output: how many lines are right, and how well alignments agree with gold ones. */
#ifndef ATTEND_EVAL_H
#define ATTEND_EVAL_H

#include "attend/status.h"

#ifdef __cplusplus
extern "C" {
#endif

/** Lines of a file that equal the reference's. */
struct attend_accuracy {
    long correct, total;
};
/** hypothesis may be "-" for standard input. Runs of white space count as one space. */
ATTEND_API enum attend_status attend_eval_accuracy(const char *hypothesis, const char *reference,
                                                   struct attend_accuracy *out,
                                                   struct attend_error *err);

/** Alignment error rate (Och and Ney 2003) and its parts, each from 0 to 1. */
struct attend_aer {
    double rate, precision, recall;
    long links; /**< judged */
};
/** `links`: one text of Pharaoh links ("0-0 1-2") for each line of the gold file, in which `i-j` is
 * a sure and `ipj` a possible link. The gold counts from gold_base, 0 or 1. */
ATTEND_API enum attend_status attend_eval_aer(const char *const *links, int count, const char *gold,
                                              int gold_base, struct attend_aer *out,
                                              struct attend_error *err);

#ifdef __cplusplus
}
#endif

#endif
