/* The parts of attend eval. */
#ifndef ATTEND_CLI_EVAL_H
#define ATTEND_CLI_EVAL_H

#include "args.h"

#include <attend/calibration.h>
#include <attend/eval_set.h>

/* eval_scores.c */
void eval_print_scores(const struct attend_evaluation *);

/* The others return EXIT_DONE, or an exit code after an error message. */

/* eval_length.c: print the table of --by-length and draw it into --output. */
int eval_by_length(const struct command *, const struct flags *, const struct attend_eval_set *);
/* eval_report.c: print scores, wrong lines, confusions, the scores of lines and the calibration of
 * `answers`, unless that is NULL; write the files of --output. */
int eval_report(const struct command *, const struct flags *, const struct attend_eval_set *,
                const struct attend_answer *answers);
/* eval_model.c: translate the sources of a set by the models of the flags. `answers` may be NULL;
 * otherwise it has room for all lines and gets their probabilities. */
int eval_translate(const struct command *, const struct flags *, struct attend_eval_set *,
                   struct attend_answer *answers);

/* cmd_eval.c: the --output that is a picture, or a model; NULL: none. */
const char *eval_picture(const struct flags *);
const char *eval_saved_model(const struct flags *);

#endif
