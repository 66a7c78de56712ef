/* Combines the links of two directions into one set: F, where each target word chose a source word,
 * and R, where each source word chose a target word. Both are written as source-target.
 *
 * Every method starts with the links that are in both F and R. Then it grows: links of F or R that
 * touch a chosen link, also at a corner, are taken as long as there are any, scanned in the order
 * of target, then source. Finally it takes remaining links of F, then of R, in the same order.
 * Methods differ in the condition for taking a link in these two stages. A word is free while no
 * chosen link uses it.
 *
 *     name                  growing           finally
 *     intersection          never             never
 *     union                 never             always
 *     grow-diag             one word free     never
 *     grow-diag-final       one word free     one word free
 *     grow-diag-final-and   one word free     both words free
 *     grow-diag-both        both words free   never
 *
 * All but the last are those of Koehn, Och and Marcu 2003, and give exactly the links of symal in
 * Moses. Only methods whose final stage takes some links, but not all, depend on which direction is
 * F.
 *
 * To add one: add a row to the table in symmetrize.c. Help, settings and tests use it. */
#ifndef ATTEND_METRIC_SYMMETRIZE_H
#define ATTEND_METRIC_SYMMETRIZE_H

#include "metric/links.h"

/* The number of the link's two words that must be free. */
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

/* Replaces `out`, which must be neither input. A link is sure when it is sure in one direction. On
 * failure `out` is empty. */
enum attend_status symmetrize(struct links *out, const struct links *forward,
                              const struct links *reverse, const struct symmetrize_row *,
                              struct attend_error *err);

#endif
