#include "train/feed.h"

#include "base/bug.h"
#include "base/error.h"
#include "base/rng.h"

#include <stdlib.h>

static enum attend_status make_room(struct feed *f, struct attend_error *err)
{
    const size_t blocks = (size_t)store_blocks(f->store);
    free(f->block);
    free(f->first);
    f->block = calloc(blocks + 1, sizeof *f->block);
    f->first = calloc(blocks + 1, sizeof *f->first);
    if (f->block && f->first)
        return ATTEND_OK;
    return error_set(err, ATTEND_NO_MEMORY, "out of memory for %zu blocks of text", blocks);
}

enum attend_status feed_init(struct feed *f, const struct store *store,
                             const struct feed_rule *rule, struct attend_error *err)
{
    *f = (struct feed){.store = store, .rule = *rule};
    const enum attend_status status = make_room(f, err);
    if (status)
        feed_release(f);
    return status;
}

static void drop_window(struct feed *f)
{
    plan_release(&f->plan);
    corpus_release(&f->corpus);
}

void feed_release(struct feed *f)
{
    drop_window(f);
    store_free(f->sampled);
    free(f->block);
    free(f->first);
    *f = (struct feed){0};
}

static long words_of(const struct feed *f, int block)
{
    const struct store_block *b = store_block(f->store, block);
    return (long)b->source + b->target;
}

/* Divide blocks into windows. If one window holds all blocks, their order does not matter and
 * stays. */
static void order_blocks(struct feed *f, int epoch)
{
    const int blocks = store_blocks(f->store);
    const uint64_t key = rng_key(rng_seed(f->rule.plan.seed), 0x66656564);
    for (int i = 0; i < blocks; i++)
        f->block[i] = i;
    if (store_words(f->store) > f->rule.window)
        rng_shuffle(rng_key(key, (uint64_t)epoch), f->block, blocks);
    long words = 0;
    f->windows = 0;
    for (int i = 0; i < blocks; i++) {
        words += words_of(f, f->block[i]);
        if (i > 0 && words <= f->rule.window)
            continue;
        f->first[f->windows++] = i;
        words = words_of(f, f->block[i]);
    }
    f->first[f->windows] = blocks;
}

static enum attend_status load_window(struct feed *f, struct attend_error *err)
{
    const int w = f->at.window;
    struct plan_rule rule = f->rule.plan;
    drop_window(f);
    if (w >= f->windows)
        return ATTEND_OK;
    const enum attend_status status = store_read(f->store, f->block + f->first[w],
                                                 f->first[w + 1] - f->first[w], &f->corpus, err);
    if (status)
        return status;
    if (w > 0)
        rule.seed = rng_key(rule.seed, (uint64_t)w);
    return plan_make(&f->plan, &f->corpus, &rule, f->at.epoch, err);
}

/* Get the store of the epoch, if every epoch has its own. */
static enum attend_status take_store(struct feed *f, int epoch, struct attend_error *err)
{
    const struct pair_source *source = &f->rule.source;
    struct store *sampled = NULL;
    if (!source->sample || f->sampled_epoch == epoch)
        return ATTEND_OK;
    const enum attend_status status = source->sample(source->context, epoch, &sampled, err);
    if (status)
        return status;
    store_free(f->sampled);
    f->store = f->sampled = sampled;
    f->sampled_epoch = epoch;
    return make_room(f, err);
}

enum attend_status feed_seek(struct feed *f, struct feed_position at, struct attend_error *err)
{
    enum attend_status status = take_store(f, at.epoch, err);
    if (status)
        return status;
    order_blocks(f, at.epoch);
    f->at = at;
    f->before = 0;
    for (int i = 0; at.window <= f->windows && i < f->first[at.window]; i++)
        f->before += store_block(f->store, f->block[i])->pairs;
    status = load_window(f, err);
    if (status)
        return status;
    if (at.window > f->windows || at.batch > f->plan.batches)
        return error_set(err, ATTEND_DATA, "there is no batch %d in window %d of epoch %d",
                         at.batch, at.window, at.epoch);
    return ATTEND_OK;
}

static enum attend_status next_window(struct feed *f, struct attend_error *err)
{
    f->before += f->corpus.source.count;
    f->at.window++;
    f->at.batch = 0;
    return load_window(f, err);
}

static struct feed_batch batch_of(const struct feed *f, int i)
{
    const struct batch_text all = plan_batch(&f->plan, &f->corpus, i);
    long words = all.count;
    for (int k = 0; k < all.count; k++)
        words += sequences_length(all.target, all.item[k]);
    return (struct feed_batch){plan_share(&f->plan, &f->corpus, i, f->rule.rank), words};
}

enum attend_status feed_next(struct feed *f, struct feed_batch *out, int most, int *count,
                             struct attend_error *err)
{
    *count = 0;
    while (f->at.window < f->windows && f->at.batch == f->plan.batches) {
        const enum attend_status status = next_window(f, err);
        if (status)
            return status;
    }
    while (*count < most && f->at.batch < f->plan.batches)
        out[(*count)++] = batch_of(f, f->plan.order[f->at.batch++]);
    return ATTEND_OK;
}

double feed_done(const struct feed *f)
{
    const double within =
        f->plan.batches ? (double)f->at.batch / f->plan.batches * f->corpus.source.count : 0;
    return ((double)f->before + within) / (double)store_pairs(f->store);
}
