/* Stores: pairs are read back as they were written, block by block, in any order. */
#include "corpus/store.h"

#include "base/rng.h"
#include "test.h"

#include <string.h>

enum { PAIRS = 50, BLOCK = 8, LONGEST = 20 };

/* Pair i: random lengths, some 0, and ids that name the pair. */
static struct pair_ids pair_of(int i, int *source, int *target)
{
    struct pair_ids p = {.source = source,
                         .target = target,
                         .source_length = (int)rng_below(1, (uint64_t)i, LONGEST),
                         .target_length = (int)rng_below(2, (uint64_t)i, LONGEST),
                         .line = 3 * i + 1};
    for (int k = 0; k < LONGEST; k++) {
        source[k] = 1000 * i + k;
        target[k] = -1000 * i - k;
    }
    return p;
}

static struct store *filled(int pairs, int first_id)
{
    struct store *s;
    int source[LONGEST], target[LONGEST];
    assert_int_equal(store_new(&s, ".", BLOCK, NULL), ATTEND_OK);
    for (int i = 0; i < pairs; i++) {
        const struct pair_ids p = pair_of(i, source, target);
        source[0] += i == 0 ? first_id : 0;
        assert_int_equal(store_add(s, &p, NULL), ATTEND_OK);
    }
    assert_int_equal(store_seal(s, NULL), ATTEND_OK);
    return s;
}

static void assert_pair(const struct corpus *c, int at, int i)
{
    int source[LONGEST], target[LONGEST];
    const struct pair_ids p = pair_of(i, source, target);
    assert_int_equal(c->line[at], p.line);
    assert_int_equal(sequences_length(&c->source, at), p.source_length);
    assert_int_equal(sequences_length(&c->target, at), p.target_length);
    assert_memory_equal(c->source.ids + c->source.start[at], source,
                        (size_t)p.source_length * sizeof(int));
    assert_memory_equal(c->target.ids + c->target.start[at], target,
                        (size_t)p.target_length * sizeof(int));
}

TEST(store_gives_back_every_pair)
{
    struct store *s = filled(PAIRS, 0);
    struct corpus c;
    int blocks[7] = {0, 1, 2, 3, 4, 5, 6};
    long words = 0;
    assert_int_equal(store_pairs(s), PAIRS);
    assert_int_equal(store_blocks(s), 7);
    assert_int_equal(store_block(s, 6)->pairs, PAIRS - 6 * BLOCK);
    assert_int_equal(store_read(s, blocks, 7, &c, NULL), ATTEND_OK);
    assert_int_equal(c.source.count, PAIRS);
    assert_int_equal(c.target.count, PAIRS);
    for (int i = 0; i < PAIRS; i++) {
        assert_pair(&c, i, i);
        words += sequences_length(&c.source, i) + sequences_length(&c.target, i);
    }
    assert_int_equal(store_words(s), words);
    assert_int_equal(store_longest_source(s), sequences_longest(&c.source));
    corpus_release(&c);
    store_free(s);
}

TEST(store_reads_blocks_in_the_order_asked_for)
{
    struct store *s = filled(PAIRS, 0);
    struct corpus c;
    const int blocks[] = {6, 2};
    assert_int_equal(store_read(s, blocks, 2, &c, NULL), ATTEND_OK);
    assert_int_equal(c.source.count, 2 + BLOCK);
    assert_pair(&c, 0, 6 * BLOCK);
    assert_pair(&c, 1, 6 * BLOCK + 1);
    for (int i = 0; i < BLOCK; i++)
        assert_pair(&c, 2 + i, 2 * BLOCK + i);
    corpus_release(&c);
    store_free(s);
}

TEST(store_checksum_tells_another_text)
{
    struct store *a = filled(PAIRS, 0), *same = filled(PAIRS, 0), *other = filled(PAIRS, 1),
                 *shorter = filled(PAIRS - 1, 0);
    assert_true(store_checksum(a) == store_checksum(same));
    assert_true(store_checksum(a) != store_checksum(other));
    assert_true(store_checksum(a) != store_checksum(shorter));
    store_free(a);
    store_free(same);
    store_free(other);
    store_free(shorter);
}

TEST(store_in_a_folder_that_is_not_there_is_an_error)
{
    struct store *s = NULL;
    struct attend_error err;
    assert_int_equal(store_new(&s, "no/such/folder", BLOCK, &err), ATTEND_IO);
    assert_non_null(strstr(err.message, "no/such/folder"));
    assert_null(s);
}
