/* An output beside the nearest of its references, symbol by symbol. */
#ifndef ATTEND_EVAL_COMPARE_H
#define ATTEND_EVAL_COMPARE_H

#include "eval/eval_input.h"
#include "metric/edits.h"
#include "metric/units.h"

/* All zero but `input`, then compare_begin. */
struct compare {
    const struct eval_input *input;
    bool characters, lowercase;
    struct words words;
    struct units output, reference, other;
    struct edits edits;
};

/* Decide what a symbol is. */
enum attend_status compare_begin(struct compare *, const struct attend_eval_options *,
                                 struct attend_error *err);
/* Read a line and its nearest reference: the one with the fewest edits and, of those, the longest.
 * `nearest` may be NULL. */
enum attend_status compare_line(struct compare *, int line, int *edits, const char **nearest,
                                struct attend_error *err);
/* The edits of the line that was read last, into `edits`. */
enum attend_status compare_align(struct compare *, int line, struct attend_error *err);
void compare_release(struct compare *);

#endif
