/* Translation edit rate (Snover et al. 2006), with the same numbers as sacreBLEU 2, which follows
 * the authors' program tercom:
 *
 *     TER = 100 (insertions + deletions + replacements + shifts) / words of the reference
 *
 * in lower case; words are separated by white space. A shift moves a run of words to another
 * position at the cost of one edit. Shifts are chosen greedily: always the one that saves most
 * edits, until none saves any. Of several references, the fewest edits count, divided by the mean
 * length. */
#include "base/bug.h"
#include "base/error.h"
#include "base/strbuf.h"
#include "metric/metric.h"
#include "metric/words.h"

#include <limits.h>
#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

/* tercom's limits, and sacreBLEU's limit on the shifts tried per sentence. */
enum { LONGEST_SHIFT = 10, FARTHEST_SHIFT = 50, BEAM = 25, MOST_TRIED = 1000 };

enum { EDITS, LENGTH, SUMS };

/* ---- Edit distance near the diagonal ---- */

/* A cell holds 4 times its cost plus the edit that led to it. So the minimum of the three ways into
 * a cell is the cheapest and, among equals, the first in this list. */
enum edit { KEEP_OR_REPLACE, DELETE, INSERT, EDIT_MASK = 3, EDIT_COST = 4 };
static const int UNREACHED = 1 << 29;

struct ter_pair {
    const struct symbols *reference;
    int words;      /* of the hypothesis */
    int *cell;      /* (words + 1, reference + 1) costs of the current hypothesis */
    int *trial;     /* the same for a trial */
    int *now, *try; /* (words) the current hypothesis, and the trial */
    int *best;      /* (words) the best trial so far */
    int *at;        /* (reference) the hypothesis word that each word aligns to or follows */
    bool *missed;   /* (reference) not kept */
    bool *wrong;    /* (words) not kept */
    int tried;
};

static int *row_of(const struct ter_pair *p, int *cell, int i)
{
    return cell + (size_t)i * ((size_t)p->reference->count + 1);
}

/* The columns [*from, *to) of row i that are computed: those near the diagonal. */
static void band(const struct ter_pair *p, int i, int *from, int *to)
{
    const int columns = p->reference->count + 1;
    const double ratio = (double)p->reference->count / p->words;
    const int width = ratio / 2 > BEAM ? (int)ceil(ratio / 2 + BEAM) : BEAM;
    const int diagonal = (int)floor(i * ratio);
    *from = diagonal > width ? diagonal - width : 0;
    *to = i == p->words || columns - diagonal < width ? columns : diagonal + width;
}

static int least(int a, int b) { return a < b ? a : b; }

/* The cost of a cell after one more edit. */
static int extend(int cell, int cost, enum edit edit)
{
    return (cell & ~EDIT_MASK) + EDIT_COST * cost + (int)edit;
}

/* Compute rows first + 1 and up; the rows before are known. */
static void fill(const struct ter_pair *p, int *cell, const int *words, int first)
{
    const int *reference = p->reference->item;
    for (int i = first + 1; i <= p->words; i++) {
        int from, to;
        int *row = row_of(p, cell, i);
        const int *above = row_of(p, cell, i - 1);
        band(p, i, &from, &to);
        for (int j = from; j < to; j++) {
            const int removed = extend(above[j], 1, DELETE);
            if (j == 0) {
                row[j] = removed;
                continue;
            }
            const int kept =
                extend(above[j - 1], words[i - 1] != reference[j - 1], KEEP_OR_REPLACE);
            row[j] = least(kept, least(removed, extend(row[j - 1], 1, INSERT)));
        }
    }
}

static int cost(const struct ter_pair *p, int *cell)
{
    return row_of(p, cell, p->words)[p->reference->count] / EDIT_COST;
}

/* Follow the cheapest edits back: which words are right, and where each word of the reference
 * stands in the hypothesis. */
static void trace(struct ter_pair *p)
{
    for (int i = p->words, j = p->reference->count; i > 0 || j > 0;) {
        const int cell = row_of(p, p->cell, i)[j];
        BUG_ON(cell >= UNREACHED);
        switch (cell & EDIT_MASK) {
        case KEEP_OR_REPLACE:
            i--, j--;
            p->wrong[i] = p->missed[j] = p->now[i] != p->reference->item[j];
            p->at[j] = i;
            break;
        case DELETE: p->wrong[--i] = true; break;
        default: p->missed[--j] = true, p->at[j] = i - 1; break;
        }
    }
}

/* ---- Shifts ---- */

struct shift {
    int saved; /* edits */
    int length, start, target;
};

/* Whether a is better: more saved, then longer, then from further left, then to further left. */
static bool better(const struct shift *a, const struct shift *b)
{
    if (a->saved != b->saved)
        return a->saved > b->saved;
    if (a->length != b->length)
        return a->length > b->length;
    return a->start != b->start ? a->start < b->start : a->target < b->target;
}

/* Move `length` words from `start` to before word `target`. If the target is one of these words or
 * the one after them, move them `target - start` words to the right. */
static void move(const struct ter_pair *p, const struct shift *s, int *out)
{
    const int end = s->start + s->length;
    int from = s->target, to = s->start; /* the words moved over: [from, to) */
    if (s->target >= s->start) {
        from = end;
        to = s->target > end ? s->target : least(s->target + s->length, p->words);
    }
    const size_t size = sizeof *out, over = (size_t)(to - from), length = (size_t)s->length;
    int *at = out + (s->target < s->start ? from : s->start);
    memcpy(out, p->now, (size_t)p->words * size);
    if (s->target < s->start) {
        memcpy(at, p->now + s->start, length * size);
        memcpy(at + length, p->now + from, over * size);
    } else {
        memcpy(at, p->now + from, over * size);
        memcpy(at + over, p->now + s->start, length * size);
    }
}

static void try_shift(struct ter_pair *p, struct shift *s, struct shift *best)
{
    const int first = least(s->start, s->target);
    const size_t row = ((size_t)p->reference->count + 1) * sizeof *p->cell;
    move(p, s, p->try);
    memcpy(row_of(p, p->trial, first), row_of(p, p->cell, first), row);
    fill(p, p->trial, p->try, first);
    s->saved = cost(p, p->cell) - cost(p, p->trial);
    p->tried++;
    if (best->length && !better(s, best))
        return;
    *best = *s;
    memcpy(p->best, p->try, (size_t)p->words * sizeof *p->best);
}

static bool any(const bool *flag, int count)
{
    while (count > 0 && !flag[count - 1])
        count--;
    return count > 0;
}

/* Try to move a run of words to each position near its place in the reference, if it is wrong where
 * it is and missing there. */
static void try_run(struct ter_pair *p, int start, int there, int length, struct shift *best)
{
    const bool within = p->at[there] >= start && p->at[there] < start + length;
    if (!any(p->wrong + start, length) || !any(p->missed + there, length) || within)
        return;
    int last = -1;
    for (int r = there - 1; r < there + length; r++) {
        struct shift s = {.length = length, .start = start, .target = r < 0 ? 0 : p->at[r] + 1};
        if (s.target != last)
            try_shift(p, &s, best);
        last = s.target;
    }
}

/* Try all runs that start at these positions in the hypothesis and in the reference. */
static void try_runs(struct ter_pair *p, int start, int there, struct shift *best)
{
    for (int n = 0; n < LONGEST_SHIFT && p->tried < MOST_TRIED; n++) {
        if (start + n == p->words || there + n == p->reference->count ||
            p->now[start + n] != p->reference->item[there + n])
            return;
        try_run(p, start, there, n + 1, best);
    }
}

/* Apply the best shift; false if none saves an edit, or too many were tried. */
static bool improve(struct ter_pair *p)
{
    struct shift best = {0};
    trace(p);
    for (int start = 0; start < p->words; start++)
        for (int there = 0; there < p->reference->count && p->tried < MOST_TRIED; there++)
            if (abs(there - start) <= FARTHEST_SHIFT)
                try_runs(p, start, there, &best);
    if (p->tried >= MOST_TRIED || best.saved <= 0)
        return false;
    memcpy(p->now, p->best, (size_t)p->words * sizeof *p->now);
    fill(p, p->cell, p->now, 0);
    return true;
}

/* ---- A sentence ---- */

static bool pair_init(struct ter_pair *p, const struct symbols *hypothesis,
                      const struct symbols *reference)
{
    const size_t words = (size_t)hypothesis->count, columns = (size_t)reference->count + 1;
    *p = (struct ter_pair){.reference = reference, .words = hypothesis->count};
    if (columns > SIZE_MAX / 16 / (words + 1))
        return false;
    const size_t cells = (words + 1) * columns;
    p->cell = malloc(cells * sizeof *p->cell);
    p->trial = malloc(cells * sizeof *p->trial);
    p->now = malloc(3 * words * sizeof *p->now);
    p->at = malloc(columns * sizeof *p->at);
    p->missed = malloc(words + columns);
    if (!p->cell || !p->trial || !p->now || !p->at || !p->missed)
        return false;
    p->try = p->now + words;
    p->best = p->try + words;
    p->wrong = p->missed + columns;
    memcpy(p->now, hypothesis->item, words * sizeof *p->now);
    for (size_t i = 0; i < cells; i++)
        p->cell[i] = p->trial[i] = i < columns ? (int)i * EDIT_COST + (int)INSERT : UNREACHED;
    fill(p, p->cell, p->now, 0);
    return true;
}

static void pair_release(struct ter_pair *p)
{
    free(p->cell);
    free(p->trial);
    free(p->now);
    free(p->at);
    free(p->missed);
}

/* Edits and shifts; -1 when out of memory. */
static int count_edits(const struct symbols *hypothesis, const struct symbols *reference)
{
    if (!hypothesis->count || !reference->count)
        return hypothesis->count + reference->count;
    struct ter_pair p;
    int edits = -1;
    if (pair_init(&p, hypothesis, reference)) {
        int shifts = 0;
        while (improve(&p))
            shifts++;
        edits = shifts + cost(&p, p.cell);
    }
    pair_release(&p);
    return edits;
}

static enum attend_status collect(const char *hypothesis, const char *const *reference,
                                  int references, const struct metric_settings *settings,
                                  double *sums, struct attend_error *err)
{
    (void)settings;
    struct words words = {0};
    struct symbols hyp = {0}, ref = {0};
    double length = 0;
    int fewest = INT_MAX;
    words_read(&words, &hyp, hypothesis, NULL, true);
    for (int r = 0; r < references && fewest >= 0; r++) {
        words_read(&words, &ref, reference[r], NULL, true);
        fewest = least(fewest, count_edits(&hyp, &ref));
        length += ref.count;
    }
    const bool failed = fewest < 0 || words_failed(&words) || hyp.failed || ref.failed;
    if (!failed) {
        sums[EDITS] += fewest;
        sums[LENGTH] += length / references;
    }
    words_release(&words);
    symbols_release(&hyp);
    symbols_release(&ref);
    return failed ? error_set(err, ATTEND_NO_MEMORY, "out of memory for the edits of a sentence")
                  : ATTEND_OK;
}

static double score(const double *sums, const struct metric_settings *settings)
{
    (void)settings;
    if (sums[LENGTH] > 0)
        return 100 * sums[EDITS] / sums[LENGTH];
    return sums[EDITS] > 0 ? 100 : 0;
}

static void sign(const struct metric_settings *settings, struct strbuf *out)
{
    (void)settings;
    strbuf_adds(out, "case:lc|tok:tercom|norm:no|punct:yes|asian:no");
}

const struct metric_ops metric_ter = {
    .name = "ter",
    .label = "TER",
    .unit = "",
    .help = "edits and shifts of words, per word of the reference",
    .lower_is_better = true,
    .sums = SUMS,
    .collect = collect,
    .score = score,
    .sign = sign,
};
