#include "train/plan.h"

#include "base/error.h"
#include "base/rng.h"

#include <stdlib.h>

struct sortable {
    int target, source; /* lengths; the target comes first because the decoder costs most */
    int tokens, rows;   /* what source and target count in a batch */
    /* random, so that sentences of equal length get other neighbors in every epoch */
    uint64_t tie;
    int item;
};

static int by_length(const void *a, const void *b)
{
    const struct sortable *x = a, *y = b;
    if (x->target != y->target)
        return x->target < y->target ? -1 : 1;
    if (x->source != y->source)
        return x->source < y->source ? -1 : 1;
    if (x->tie != y->tie)
        return x->tie < y->tie ? -1 : 1;
    return x->item < y->item ? -1 : x->item > y->item;
}

/* Frames are shorter than words: of speech, there are seven for a letter and forty for a word. */
static int tokens_of(const struct sequences *side, int i)
{
    const int length = sequences_length(side, i);
    return side->width ? (length + PLAN_FRAMES - 1) / PLAN_FRAMES : length + 1;
}

static void sort_items(struct sortable *sorted, const struct corpus *corpus, uint64_t key)
{
    const int count = corpus->source.count;
    for (int i = 0; i < count; i++)
        sorted[i] = (struct sortable){.target = sequences_length(&corpus->target, i) + 1,
                                      .source = sequences_length(&corpus->source, i) + 1,
                                      .tokens = tokens_of(&corpus->source, i),
                                      .rows = tokens_of(&corpus->target, i),
                                      .tie = rng_bits(key, (uint64_t)i),
                                      .item = i};
    qsort(sorted, (size_t)count, sizeof *sorted, by_length);
}

static void cut(struct plan *p, const struct sortable *sorted, int count,
                const struct plan_rule *rule)
{
    long source = 0, target = 0;
    p->batches = 0;
    for (int i = 0, first = 0; i < count; i++) {
        source += sorted[i].tokens;
        target += sorted[i].rows;
        const bool full = (rule->tokens && (source > rule->tokens || target > rule->tokens)) ||
                          (rule->sentences && i - first >= rule->sentences);
        if (i == 0 || full) {
            p->first[p->batches++] = first = i;
            source = sorted[i].tokens;
            target = sorted[i].rows;
        }
    }
    p->first[p->batches] = count;
}

/* The first item of a rank's share of a batch of n. Items are dealt in turn, so the first ranks may
 * get one more. */
static int share_start(int n, int rank, int ranks)
{
    const int more = n % ranks;
    return rank * (n / ranks) + (rank < more ? rank : more);
}

/* Make every rank's share of a batch contiguous. Items are sorted by length, so dealing them in
 * turn gives all ranks similar lengths. */
static void deal(struct plan *p, const struct sortable *sorted)
{
    for (int i = 0; i < p->batches; i++)
        for (int k = p->first[i], n = p->first[i + 1] - k; k < p->first[i + 1]; k++) {
            const int card = k - p->first[i];
            p->item[p->first[i] + share_start(n, card % p->ranks, p->ranks) + card / p->ranks] =
                sorted[k].item;
        }
}

enum attend_status plan_make(struct plan *p, const struct corpus *corpus,
                             const struct plan_rule *rule, int epoch, struct attend_error *err)
{
    const size_t count = (size_t)corpus->source.count;
    const uint64_t key = rng_key(rng_key(rng_seed(rule->seed), 0x706c616e), (uint64_t)epoch);
    struct sortable *sorted = malloc(count * sizeof *sorted);
    *p = (struct plan){.item = malloc(count * sizeof(int)),
                       .first = malloc((count + 1) * sizeof(int)),
                       .order = malloc(count * sizeof(int)),
                       .ranks = rule->ranks > 1 ? rule->ranks : 1};
    if (!sorted || !p->item || !p->first || !p->order) {
        free(sorted);
        plan_release(p);
        return error_set(err, ATTEND_NO_MEMORY, "out of memory to plan %zu sentences", count);
    }
    sort_items(sorted, corpus, key);
    cut(p, sorted, (int)count, rule);
    deal(p, sorted);
    for (int i = 0; i < p->batches; i++)
        p->order[i] = i;
    if (rule->shuffle)
        rng_shuffle(rng_key(key, 1), p->order, p->batches);
    free(sorted);
    return ATTEND_OK;
}

struct batch_text plan_batch(const struct plan *p, const struct corpus *corpus, int i)
{
    return (struct batch_text){.source = &corpus->source,
                               .target = &corpus->target,
                               .links = corpus->links.start ? &corpus->links : NULL,
                               .item = p->item + p->first[i],
                               .count = p->first[i + 1] - p->first[i]};
}

struct batch_text plan_share(const struct plan *p, const struct corpus *corpus, int i, int rank)
{
    struct batch_text all = plan_batch(p, corpus, i);
    const int from = share_start(all.count, rank, p->ranks);
    all.item += from;
    all.count = share_start(all.count, rank + 1, p->ranks) - from;
    return all;
}

void plan_release(struct plan *p)
{
    free(p->item);
    free(p->first);
    free(p->order);
    *p = (struct plan){0};
}
