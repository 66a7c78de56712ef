/* Which pairs are held out for validation.
 *
 *     validation text is given, or `split` is "none"   none
 *     `split` has shares                               those shares (corpus/split.h)
 *     neither                                          5 % of the pairs, at most HOLDOUT_MOST, so
 *                                                      that every run can tell its best model;
 *                                                      none of fewer than HOLDOUT_FEWEST pairs */
#ifndef ATTEND_CORPUS_HOLDOUT_H
#define ATTEND_CORPUS_HOLDOUT_H

#include "attend/status.h"
#include "attend/train.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct pairs;
struct split;

enum holdout { HOLDOUT_NONE, HOLDOUT_ASKED, HOLDOUT_USUAL };
enum { HOLDOUT_FEWEST = 100, HOLDOUT_MOST = 2000 };

enum holdout holdout_kind(const struct attend_data_options *);
/* The split of the two kinds that hold pairs out. ATTEND_USAGE for wrong shares. */
enum attend_status holdout_split(struct split *, const struct attend_data_options *, uint64_t seed,
                                 struct attend_error *err);

/* Correct the usual split once the pairs are known. set[0] are the training pairs, set[1] the
 * validation pairs. Too few pairs, or too many of them with the same source, go back to set[0] in
 * their old order, and set[1] becomes NULL. Of too many validation pairs the rest goes to the end
 * of set[0]. `keyed`: the split depends only on the source before its TAB. */
enum attend_status holdout_settle(struct pairs *set[2], const struct split *, bool keyed,
                                  const char *folder, struct attend_error *err);
/* What was done, for the user. `set` as holdout_settle left it. */
void holdout_describe(struct pairs *const set[2], char *out, size_t room);

#endif
