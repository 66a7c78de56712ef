/* Making one set of links of two directions: F, where each target word chose its source word, and
 * R, where each source word chose its target word (links turned round, so that both are
 * source-target).
 *
 * Every method begins with the links that both have, F and R. Then it grows: links of F or R that
 * touch a chosen one, also at a corner, are taken as long as there are any, scanned in the order of
 * target, then source. At last it takes what is left of F, then of R, in the same order. What a
 * link needs to be taken in either stage is the method; a word is free while no chosen link has it.
 *
 *     name                  growing           at last
 *     intersection          never             never
 *     union                 never             always
 *     grow-diag             one word free     never
 *     grow-diag-final       one word free     one word free
 *     grow-diag-final-and   one word free     both words free
 *     grow-diag-both        both words free   never
 *
 * All but the last are those of Koehn, Och and Marcu 2003 as symal of Moses does them, link for
 * link. Only those that take something at last, and not everything, depend on which direction is F.
 *
 * To add one: a row of the table in symmetrize.c. Help, settings and tests follow it. */
#ifndef ATTEND_METRIC_SYMMETRIZE_H
#define ATTEND_METRIC_SYMMETRIZE_H

#include "metric/links.h"

/* How many of its two words must be free. */
enum symmetrize_need {
    SYMMETRIZE_ALWAYS = 0,
    SYMMETRIZE_ONE_FREE = 1,
    SYMMETRIZE_BOTH_FREE = 2,
    SYMMETRIZE_NEVER = 3,
};

struct symmetrize_row {
    const char *name;
    enum symmetrize_need grow, rest;
};

/* NULL when unknown. */
const struct symmetrize_row *symmetrize_find(const char *name);
/* The i-th name, NULL past the last. */
const char *symmetrize_name(int i);

/* Replace `out`, which is neither of the two others. A link is sure when one direction says so. On
 * failure `out` is empty. */
enum attend_status symmetrize(struct links *out, const struct links *forward,
                              const struct links *reverse, const struct symmetrize_row *,
                              struct attend_error *err);

#endif
