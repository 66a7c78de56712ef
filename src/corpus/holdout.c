#include "corpus/holdout.h"

#include "corpus/pairs.h"
#include "corpus/split.h"

#include <stdio.h>
#include <string.h>

static const double USUAL_SHARE = 0.05;

enum holdout holdout_kind(const struct attend_data_options *d)
{
    if (d->valid || d->valid_src || (d->split && strcmp(d->split, "none") == 0))
        return HOLDOUT_NONE;
    return d->split ? HOLDOUT_ASKED : HOLDOUT_USUAL;
}

enum attend_status holdout_split(struct split *split, const struct attend_data_options *d,
                                 uint64_t seed, struct attend_error *err)
{
    *split = (struct split){
        .share = {1 - USUAL_SHARE, USUAL_SHARE}, .sets = 2, .seed = seed, .may_be_empty = true};
    if (holdout_kind(d) != HOLDOUT_ASKED)
        return ATTEND_OK;
    split->may_be_empty = false;
    return split_parse(split, d->split, err);
}

/* ---- Too few ---- */

/* Add the pairs of both sets to `out` in the order of their lines. */
static enum attend_status merge(struct pairs *out, struct pairs *const set[2],
                                struct attend_error *err)
{
    struct text_pair next[2];
    enum attend_status status = ATTEND_OK;
    for (int i = 0; i < 2 && !status; i++) {
        status = pairs_rewind(set[i], err);
        if (!status)
            status = pairs_next(set[i], &next[i], err);
    }
    while (!status && (next[0].source || next[1].source)) {
        const int i = !next[0].source || (next[1].source && next[1].line < next[0].line);
        status = pairs_add(out, &next[i], err);
        if (!status)
            status = pairs_next(set[i], &next[i], err);
    }
    return status;
}

static enum attend_status put_back(struct pairs *set[2], const char *folder,
                                   struct attend_error *err)
{
    struct pairs *all = NULL;
    enum attend_status status = pairs_new(&all, folder, err);
    if (!status)
        status = merge(all, set, err);
    if (status) {
        pairs_free(all);
        return status;
    }
    pairs_free(set[0]);
    pairs_free(set[1]);
    set[0] = all;
    set[1] = NULL;
    return ATTEND_OK;
}

/* ---- Too many ---- */

/* A smaller share keeps a subset of the pairs (corpus/split.h). */
static enum attend_status limit(struct pairs *set[2], const struct split *split, bool keyed,
                                const char *folder, struct attend_error *err)
{
    const size_t all = pairs_count(set[0]) + pairs_count(set[1]);
    struct split smaller = *split;
    struct pairs *kept = NULL;
    struct text_pair pair;
    smaller.share[1] = (double)HOLDOUT_MOST / (double)all;
    smaller.share[0] = 1 - smaller.share[1];
    enum attend_status status = pairs_new(&kept, folder, err);
    if (!status)
        status = pairs_rewind(set[1], err);
    while (!status && !(status = pairs_next(set[1], &pair, err)) && pair.source) {
        const size_t key = keyed ? strcspn(pair.source, "\t") : pair.source_length;
        status = pairs_add(split_choose(&smaller, pair.source, key) ? kept : set[0], &pair, err);
    }
    if (status) {
        pairs_free(kept);
        return status;
    }
    pairs_free(set[1]);
    set[1] = kept;
    return ATTEND_OK;
}

enum attend_status holdout_settle(struct pairs *set[2], const struct split *split, bool keyed,
                                  const char *folder, struct attend_error *err)
{
    const size_t valid = pairs_count(set[1]), all = pairs_count(set[0]) + valid;
    if (all < HOLDOUT_FEWEST || valid == 0 || 4 * valid > all)
        return put_back(set, folder, err);
    return valid > HOLDOUT_MOST ? limit(set, split, keyed, folder, err) : ATTEND_OK;
}

void holdout_describe(struct pairs *const set[2], char *out, size_t room)
{
    const size_t train = pairs_count(set[0]), valid = set[1] ? pairs_count(set[1]) : 0;
    if (valid)
        snprintf(out, room,
                 "no validation text is given: %zu of %zu pairs (%.1f %%) are held out for it; "
                 "`split` none trains on all",
                 valid, train + valid, 100 * (double)valid / (double)(train + valid));
    else
        snprintf(out, room,
                 "no validation text is given, and there are too few sources to hold some out of "
                 "%zu pairs: the last model counts as the best",
                 train);
}
