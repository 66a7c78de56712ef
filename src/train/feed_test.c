/* Feeds: every pair once per epoch for any window size, bounded windows, and seeking to any
 * position. */
#include "train/feed.h"

#include "base/rng.h"
#include "test.h"

#include <string.h>

enum { PAIRS = 300, BLOCK = 16, MOST = 512 };

static struct store *filled(void)
{
    struct store *s;
    int ids[40] = {0};
    assert_int_equal(store_new(&s, ".", BLOCK, NULL), ATTEND_OK);
    for (int i = 0; i < PAIRS; i++)
        assert_int_equal(
            store_add(s,
                      &(struct pair_ids){.source = ids,
                                         .target = ids,
                                         .source_length = 1 + (int)rng_below(1, (uint64_t)i, 30),
                                         .target_length = 1 + (int)rng_below(2, (uint64_t)i, 30),
                                         .line = i},
                      NULL),
            ATTEND_OK);
    assert_int_equal(store_seal(s, NULL), ATTEND_OK);
    return s;
}

static struct feed feed_of(const struct store *s, long window)
{
    struct feed f;
    const struct feed_rule rule = {.plan = {.tokens = 150, .seed = 3, .shuffle = true},
                                   .window = window};
    assert_int_equal(feed_init(&f, s, &rule, NULL), ATTEND_OK);
    return f;
}

/* The lines of the batches from a position to the end of its epoch, with a 0 after each batch. */
static int walk(struct feed *f, struct feed_position from, int *line)
{
    int count, n = 0;
    struct feed_batch batch;
    assert_int_equal(feed_seek(f, from, NULL), ATTEND_OK);
    while (feed_next(f, &batch, 1, &count, NULL) == ATTEND_OK && count) {
        for (int i = 0; i < batch.text.count; i++)
            line[n++] = 1 + f->corpus.line[batch.text.item[i]];
        line[n++] = 0;
    }
    return n;
}

TEST(feed_gives_every_pair_once_whatever_the_window)
{
    struct store *s = filled();
    for (long window = 1; window < 100000; window *= 8) {
        struct feed f = feed_of(s, window);
        int line[2 * PAIRS], seen[PAIRS + 1] = {0};
        const int n = walk(&f, (struct feed_position){.epoch = 2}, line);
        for (int i = 0; i < n; i++)
            seen[line[i]]++;
        for (int i = 1; i <= PAIRS; i++)
            assert_int_equal(seen[i], 1);
        assert_near(feed_done(&f), 1, 1e-12);
        feed_release(&f);
    }
    store_free(s);
}

TEST(feed_holds_no_more_than_its_window)
{
    struct store *s = filled();
    struct feed f = feed_of(s, 2500);
    struct feed_batch batch;
    int count;
    assert_int_equal(feed_seek(&f, (struct feed_position){.epoch = 1}, NULL), ATTEND_OK);
    assert_true(f.windows > 2);
    while (feed_next(&f, &batch, 1, &count, NULL) == ATTEND_OK && count) {
        const int pairs = f.corpus.source.count;
        assert_true(f.corpus.source.start[pairs] + f.corpus.target.start[pairs] <= 2500);
    }
    feed_release(&f);
    store_free(s);
}

TEST(feed_resumes_from_any_position)
{
    struct store *s = filled();
    struct feed f = feed_of(s, 2500), again = feed_of(s, 2500);
    int all[2 * PAIRS], rest[2 * PAIRS], count, before = 0;
    const int n = walk(&f, (struct feed_position){.epoch = 3}, all);
    assert_int_equal(feed_seek(&f, (struct feed_position){.epoch = 3}, NULL), ATTEND_OK);
    for (count = 1; count;) {
        struct feed_batch batch;
        assert_int_equal(walk(&again, f.at, rest), n - before);
        assert_memory_equal(rest, all + before, (size_t)(n - before) * sizeof(int));
        assert_int_equal(feed_next(&f, &batch, 1, &count, NULL), ATTEND_OK);
        before += count ? batch.text.count + 1 : 0;
    }
    feed_release(&f);
    feed_release(&again);
    store_free(s);
}

TEST(feed_reshuffles_blocks_in_every_epoch)
{
    struct store *s = filled();
    struct feed f = feed_of(s, 2500);
    int one[2 * PAIRS], two[2 * PAIRS];
    const int n = walk(&f, (struct feed_position){.epoch = 1}, one),
              m = walk(&f, (struct feed_position){.epoch = 2}, two);
    assert_true(n != m || memcmp(one, two, (size_t)n * sizeof(int)) != 0);
    feed_release(&f);
    store_free(s);
}

TEST(feed_gives_groups_within_a_window)
{
    struct store *s = filled();
    struct feed f = feed_of(s, 2500);
    struct feed_batch batch[MOST];
    int count, windows = 0;
    assert_int_equal(feed_seek(&f, (struct feed_position){.epoch = 1}, NULL), ATTEND_OK);
    while (feed_next(&f, batch, MOST, &count, NULL) == ATTEND_OK && count) {
        assert_int_equal(count, f.plan.batches);
        windows++;
    }
    assert_int_equal(windows, f.windows);
    feed_release(&f);
    store_free(s);
}

/* Samples pairs whose length is the epoch's number, and counts the calls. */
static enum attend_status sample(void *context, int epoch, struct store **out,
                                 struct attend_error *err)
{
    const int ids[8] = {0}, pairs = 20 * epoch;
    ++*(int *)context;
    if (epoch == 7)
        return ATTEND_IO;
    assert_int_equal(store_new(out, ".", BLOCK, err), ATTEND_OK);
    for (int i = 0; i < pairs; i++)
        assert_int_equal(
            store_add(*out, &(struct pair_ids){ids, ids, epoch, epoch, i, NULL, NULL, 0}, err),
            ATTEND_OK);
    return store_seal(*out, err);
}

TEST(feed_draws_each_epoch_once_when_it_has_pairs_of_its_own)
{
    struct store *s = filled();
    struct feed f;
    int sampled = 0, line[2 * PAIRS], again[2 * PAIRS];
    const struct feed_rule rule = {.plan = {.tokens = 40, .seed = 3, .shuffle = true},
                                   .window = 60,
                                   .source = {sample, &sampled}};
    assert_int_equal(feed_init(&f, s, &rule, NULL), ATTEND_OK);
    for (int epoch = 1; epoch <= 4; epoch++) {
        struct feed_batch batch;
        int count, pairs = 0;
        const int n = walk(&f, (struct feed_position){.epoch = epoch}, line);
        for (int i = 0; i < n; i++)
            pairs += line[i] != 0;
        assert_int_equal(pairs, 20 * epoch);
        assert_near(feed_done(&f), 1, 1e-12);
        assert_int_equal(walk(&f, (struct feed_position){.epoch = epoch}, again), n);
        assert_memory_equal(line, again, (size_t)n * sizeof *line);
        assert_int_equal(sampled, epoch);
        assert_int_equal(feed_seek(&f, (struct feed_position){.epoch = epoch}, NULL), ATTEND_OK);
        assert_int_equal(feed_next(&f, &batch, 1, &count, NULL), ATTEND_OK);
        assert_int_equal(sequences_length(batch.text.source, batch.text.item[0]), epoch);
    }
    assert_int_equal(feed_seek(&f, (struct feed_position){.epoch = 7}, NULL), ATTEND_IO);
    feed_release(&f);
    store_free(s);
}

TEST(feed_refuses_a_position_that_is_not_there)
{
    struct store *s = filled();
    struct feed f = feed_of(s, 2500);
    struct attend_error err;
    const struct feed_position batch = {.epoch = 1, .batch = 10000},
                               window = {.epoch = 1, .window = 10000};
    assert_int_equal(feed_seek(&f, batch, &err), ATTEND_DATA);
    assert_int_equal(feed_seek(&f, window, &err), ATTEND_DATA);
    feed_release(&f);
    store_free(s);
}
