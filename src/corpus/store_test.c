/* Stores: pairs are read back as they were written, block by block, in any order. */
#include "corpus/store.h"

#include "base/rng.h"
#include "frames/source.h"
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

/* ---- Frames ---- */

enum { WIDTH = 3 };

/* Frame r of pair i is (i, r, 7). */
static void add_frames(struct store *s, int i)
{
    float frame[LONGEST * WIDTH];
    int target[] = {i};
    const int rows = 1 + i % 5;
    for (int r = 0; r < rows; r++) {
        frame[r * WIDTH] = (float)i;
        frame[r * WIDTH + 1] = (float)r;
        frame[r * WIDTH + 2] = 7;
    }
    const struct pair_ids pair = {
        .target = target, .source_length = rows, .target_length = 1, .line = i + 1, .frame = frame};
    assert_int_equal(store_add(s, &pair, NULL), ATTEND_OK);
}

static struct store *filled_with_frames(void)
{
    struct store *s;
    assert_int_equal(store_new(&s, ".", BLOCK, NULL), ATTEND_OK);
    store_frames(s, 0, WIDTH);
    for (int i = 0; i < PAIRS; i++)
        add_frames(s, i);
    assert_int_equal(store_seal(s, NULL), ATTEND_OK);
    return s;
}

TEST(store_gives_back_frames)
{
    struct store *s = filled_with_frames();
    struct corpus c;
    int blocks[] = {2, 0};
    assert_int_equal(store_width(s), WIDTH);
    assert_int_equal(store_longest_source(s), 5);
    assert_int_equal(store_read(s, blocks, 2, &c, NULL), ATTEND_OK);
    assert_int_equal(c.source.count, 2 * BLOCK);
    assert_int_equal(c.source.width, WIDTH);
    for (int at = 0; at < c.source.count; at++) {
        const int i = at < BLOCK ? 2 * BLOCK + at : at - BLOCK;
        assert_int_equal(c.line[at], i + 1);
        assert_int_equal(c.target.ids[c.target.start[at]], i);
        assert_int_equal(sequences_length(&c.source, at), 1 + i % 5);
        for (int r = 0; r < sequences_length(&c.source, at); r++) {
            const float *row = c.source.rows + (c.source.start[at] + (size_t)r) * WIDTH;
            assert_true(row[0] == (float)i && row[1] == (float)r && row[2] == 7);
        }
    }
    corpus_release(&c);
    store_free(s);
}

/* The mean may be known only after the last pair is added; the checksum does not depend on it. */
TEST(store_normalizes_frames_that_are_read_back)
{
    struct store *s = filled_with_frames(), *plain = filled_with_frames();
    struct frame_source *source;
    struct corpus c, raw;
    assert_int_equal(frame_source_new(&source, "npy", NULL, NULL), ATTEND_OK);
    assert_int_equal(store_read_all(plain, &raw, NULL), ATTEND_OK);
    const int rows = (int)raw.source.start[PAIRS];
    const struct frames all = {.rows = rows, .width = WIDTH, .value = raw.source.rows};
    assert_int_equal(frame_source_observe(source, &all, NULL), ATTEND_OK);
    assert_int_equal(frame_source_settle(source, NULL), ATTEND_OK);
    store_normalize(s, source);
    assert_int_equal(store_read_all(s, &c, NULL), ATTEND_OK);
    frame_source_normalize(source, raw.source.rows, rows);
    assert_memory_equal(c.source.rows, raw.source.rows, (size_t)rows * WIDTH * sizeof(float));
    assert_true(store_checksum(s) == store_checksum(plain));
    corpus_release(&c);
    corpus_release(&raw);
    frame_source_free(source);
    store_free(s);
    store_free(plain);
}

/* dx and dy of targets are normalized, their pen stays 0 or 1. */
TEST(store_gives_back_targets_as_strokes)
{
    float ink[] = {1, 5, 0, 3, 7, 1, 2, 9, 1};
    int word[] = {4, 5};
    const struct frames all = {.rows = 3, .width = WIDTH, .value = ink};
    struct frame_source *source;
    struct store *s;
    struct corpus c;
    assert_int_equal(frame_source_new(&source, "ink", NULL, NULL), ATTEND_OK);
    assert_int_equal(frame_source_observe(source, &all, NULL), ATTEND_OK);
    assert_int_equal(frame_source_settle(source, NULL), ATTEND_OK);
    assert_int_equal(store_new(&s, ".", BLOCK, NULL), ATTEND_OK);
    store_frames(s, 1, WIDTH);
    store_normalize(s, source);
    const struct pair_ids pair = {
        .source = word, .frame = ink, .source_length = 2, .target_length = 3, .line = 1};
    assert_int_equal(store_add(s, &pair, NULL), ATTEND_OK);
    assert_int_equal(store_seal(s, NULL), ATTEND_OK);
    assert_int_equal(store_read_all(s, &c, NULL), ATTEND_OK);
    assert_int_equal(c.source.width, 0);
    assert_int_equal(c.source.ids[1], 5);
    assert_int_equal(c.target.width, WIDTH);
    assert_int_equal(sequences_length(&c.target, 0), 3);
    assert_near((double)(c.target.rows[0] + c.target.rows[3] + c.target.rows[6]), 0, 1e-5);
    for (int i = 0; i < 3; i++)
        assert_true(c.target.rows[3 * i + 2] == ink[3 * i + 2]);
    corpus_release(&c);
    store_free(s);
    frame_source_free(source);
}
