/* Judging output: how many lines are right, also by length, and how well alignments agree with gold
 * ones. */
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

/** Outputs that are judged side by side, at most. */
enum { ATTEND_HYPOTHESES = 4 };

/** The lines whose source has `from` to `to` words, both included. */
struct attend_length_row {
    int from, to;
    long total;
    long correct[ATTEND_HYPOTHESES]; /**< of each hypothesis, in their order */
};
/** The same accuracy by the length of the source, for 1 to 4 hypothesis files. Words are what
 * stands between spaces or tabs; groups are 1..width, width+1..2 width and so on; lines without
 * words are a group of their own, 0..0. Groups without lines are left out. Any one file may be "-".
 * Free *rows with attend_length_rows_free. */
ATTEND_API enum attend_status attend_eval_by_length(const char *source, const char *reference,
                                                    const char *const *hypothesis, int hypotheses,
                                                    int width, struct attend_length_row **rows,
                                                    int *count, struct attend_error *err);
ATTEND_API void attend_length_rows_free(struct attend_length_row *rows);

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
