#include "model/batch.h"

#include "base/arena.h"
#include "base/rng.h"
#include "test.h"
#include "text/vocab.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

/* A corpus of random lengths, some empty. All tokens differ, so a token identifies its sentence and
 * position. */
enum { ITEMS = 40, LONGEST = 9 };
struct side {
    size_t start[ITEMS + 1];
    int ids[ITEMS * LONGEST];
};
struct fixture {
    struct side sides[2];
    struct sequences source, target;
    int item[ITEMS];
    struct batch_text text;
    struct batch batch;
    struct arena arena;
};

static void side_init(struct side *side, struct sequences *out, uint64_t key)
{
    side->start[0] = 0;
    for (int i = 0; i < ITEMS; i++) {
        const size_t length = rng_below(key, (uint64_t)i, LONGEST + 1);
        side->start[i + 1] = side->start[i] + length;
        for (size_t at = side->start[i]; at < side->start[i + 1]; at++)
            side->ids[at] = VOCAB_SPECIALS + (int)at;
    }
    *out = (struct sequences){.count = ITEMS, .start = side->start, .ids = side->ids};
}

/* A batch of `count` sentences from all over the corpus. */
static void fixture_init(struct fixture *f, int count, int lanes, bool targets)
{
    struct arena counting = {0};
    *f = (struct fixture){.batch = {0}};
    side_init(&f->sides[0], &f->source, 1);
    side_init(&f->sides[1], &f->target, 2);
    for (int i = 0; i < ITEMS; i++)
        f->item[i] = i;
    rng_shuffle(3, f->item, ITEMS);
    f->text = (struct batch_text){.source = &f->source,
                                  .target = targets ? &f->target : NULL,
                                  .item = f->item,
                                  .count = count};
    batch_bind(&f->batch, &counting, &f->text, lanes, 0);
    assert_int_equal(arena_reserve(&f->arena, counting.used, NULL), ATTEND_OK);
    memset(f->arena.block, 0xff, f->arena.size);
    batch_bind(&f->batch, &f->arena, &f->text, lanes, 0);
    batch_fill(&f->batch, &f->text);
}

static void fixture_release(struct fixture *f) { arena_release(&f->arena); }

static const int SIZES[][2] = {{1, 1},  {2, 1}, {7, 1}, {7, 2},   {12, 3},
                               {40, 4}, {3, 5}, {1, 3}, {40, 64}, {2, BATCH_LANES}};

/* Check every size, with and without targets. */
static void each_size(void (*check)(const struct fixture *))
{
    for (size_t i = 0; i < sizeof SIZES / sizeof *SIZES; i++)
        for (int targets = 0; targets < 2; targets++) {
            struct fixture f;
            fixture_init(&f, SIZES[i][0], SIZES[i][1], targets);
            check(&f);
            fixture_release(&f);
        }
}

/* Length including </s>. */
static int length_of(const struct sequences *s, int item) { return sequences_length(s, item) + 1; }

/* Word t of a sentence; </s> after the last. */
static int word(const struct sequences *s, int item, int t)
{
    return t < sequences_length(s, item) ? s->ids[s->start[item] + (size_t)t] : VOCAB_EOS;
}

static int lane_size(const struct steps *steps) { return steps->count ? steps->active[0] : 0; }

/* ---- Sizes and sentences ---- */

static void check_sizes(const struct fixture *f)
{
    const struct batch *b = &f->batch;
    int longest = 0, source = 0, target = 0;
    for (int i = 0; i < f->text.count; i++) {
        const int length = length_of(&f->source, f->item[i]);
        longest = length > longest ? length : longest;
        source += length;
        target += f->text.target ? length_of(&f->target, f->item[i]) : 0;
    }
    assert_int_equal(b->B, f->text.count);
    assert_int_equal(b->S, longest);
    assert_int_equal(b->source_rows, source);
    assert_int_equal(b->target_rows, target);
}
TEST(batch_counts_its_rows) { each_size(check_sizes); }

static void check_items(const struct fixture *f)
{
    int seen[ITEMS] = {0};
    for (int i = 0; i < f->batch.B; i++)
        seen[f->batch.item[i]]++;
    for (int i = 0; i < ITEMS; i++)
        assert_int_equal(seen[f->item[i]], i < f->text.count);
}
TEST(batch_holds_every_sentence_once) { each_size(check_items); }

TEST(batch_may_hold_a_sentence_twice)
{
    struct fixture f;
    fixture_init(&f, 4, 2, true);
    fixture_release(&f);
    static const int twice[] = {5, 6, 5, 5};
    struct arena counting = {0};
    const struct batch_text text = {
        .source = &f.source, .target = &f.target, .item = twice, .count = 4};
    batch_bind(&f.batch, &counting, &text, 2, 0);
    assert_int_equal(arena_reserve(&f.arena, counting.used, NULL), ATTEND_OK);
    batch_bind(&f.batch, &f.arena, &text, 2, 0);
    batch_fill(&f.batch, &text);
    int fives = 0;
    for (int i = 0; i < 4; i++)
        fives += f.batch.item[i] == 5;
    assert_int_equal(fives, 3);
    fixture_release(&f);
}

/* ---- Steps ---- */

/* Lanes are contiguous, and so are the steps of a lane. The number of active sentences never
 * grows. */
static void check_steps_of(const struct steps *lanes, int count, int rows)
{
    int row = 0;
    for (int lane = 0; lane < count; lane++)
        for (int t = 0; t < lanes[lane].count; t++) {
            assert_int_equal(lanes[lane].start[t], row);
            assert_true(lanes[lane].active[t] >= 1);
            assert_true(t == 0 || lanes[lane].active[t] <= lanes[lane].active[t - 1]);
            row += lanes[lane].active[t];
        }
    assert_int_equal(row, rows);
}

static void check_steps(const struct fixture *f)
{
    const struct batch *b = &f->batch;
    check_steps_of(b->level[0].lane, b->lanes, b->source_rows);
    check_steps_of(b->target, b->lanes, b->target_rows);
    int first = 0;
    for (int lane = 0; lane < b->lanes; lane++) {
        const int size = lane_size(&b->level[0].lane[lane]);
        assert_int_equal(b->level[0].lane[lane].first, first);
        if (f->text.target) {
            assert_int_equal(b->target[lane].first, first);
            assert_int_equal(lane_size(&b->target[lane]), size);
        } else {
            assert_int_equal(b->target[lane].count, 0);
        }
        first += size;
    }
    assert_int_equal(first, b->B);
}
TEST(batch_steps_follow_each_other_and_active_falls) { each_size(check_steps); }

/* Dealing back and forth: the lanes' sizes differ by at most one, their words by at most one
 * sentence. */
static void check_balance(const struct fixture *f)
{
    const struct batch *b = &f->batch;
    const struct sequences *side = f->text.target ? f->text.target : f->text.source;
    int least = ITEMS, most = 0, fewest = ITEMS * LONGEST, words = 0, longest = 0;
    for (int lane = 0, at = 0; lane < b->lanes; lane++) {
        const int size = lane_size(&b->level[0].lane[lane]);
        int sum = 0;
        for (int i = 0; i < size; i++, at++) {
            const int length = length_of(side, b->item[at]);
            sum += length;
            longest = length > longest ? length : longest;
        }
        least = size < least ? size : least;
        most = size > most ? size : most;
        fewest = sum < fewest ? sum : fewest;
        words = sum > words ? sum : words;
    }
    assert_true(most - least <= 1);
    assert_true(words - fewest <= longest);
}
TEST(batch_lanes_are_balanced) { each_size(check_balance); }

/* Targets of 8 7 .. 1 words in two lanes: 8 5 4 1 and 7 6 3 2, the same number of words. */
TEST(batch_deals_back_and_forth)
{
    static size_t start[] = {0, 8, 15, 21, 26, 30, 33, 35, 36};
    static int ids[36];
    static const int items[] = {7, 6, 5, 4, 3, 2, 1, 0}, want[] = {0, 3, 4, 7, 1, 2, 5, 6};
    const struct sequences side = {.count = 8, .start = start, .ids = ids};
    const struct batch_text text = {.source = &side, .target = &side, .item = items, .count = 8};
    struct arena arena = {0}, counting = {0};
    struct batch b;
    batch_bind(&b, &counting, &text, 2, 0);
    assert_int_equal(arena_reserve(&arena, counting.used, NULL), ATTEND_OK);
    batch_bind(&b, &arena, &text, 2, 0);
    batch_fill(&b, &text);
    assert_memory_equal(b.item, want, sizeof want);
    arena_release(&arena);
}

TEST(batch_with_more_lanes_than_sentences_has_empty_lanes)
{
    struct fixture f;
    fixture_init(&f, 3, 5, true);
    for (int lane = 0; lane < 5; lane++) {
        assert_int_equal(lane_size(&f.batch.level[0].lane[lane]), lane < 3);
        assert_int_equal(lane_size(&f.batch.target[lane]), lane < 3);
        assert_int_equal(f.batch.target[lane].count == 0, lane >= 3);
    }
    fixture_release(&f);
}

/* ---- Orders ---- */

/* Each sentence of a lane runs for exactly its length, in its own rows, longest first. */
static void check_order(const struct steps *steps, const struct sequences *side, const int *place)
{
    int before = LONGEST + 1;
    for (int i = 0; i < lane_size(steps); i++) {
        const int item = place[2 * (steps->start[0] + i)], length = length_of(side, item);
        assert_true(length <= before);
        before = length;
        for (int t = 0; t < steps->count; t++) {
            assert_int_equal(i < steps->active[t], t < length);
            if (t >= length)
                continue;
            assert_int_equal(place[2 * (steps->start[t] + i)], item);
            assert_int_equal(place[2 * (steps->start[t] + i) + 1], t);
        }
    }
}

static void check_orders(const struct fixture *f)
{
    const struct batch *b = &f->batch;
    for (int lane = 0; lane < b->lanes; lane++) {
        check_order(&b->level[0].lane[lane], &f->source, b->level[0].place);
        if (f->text.target)
            check_order(&b->target[lane], &f->target, b->target_place);
    }
}
TEST(batch_runs_the_longest_first_on_either_side) { each_size(check_orders); }

/* Sentences are numbered in the decoder's order; without targets, in the encoder's. */
static void check_numbers(const struct fixture *f)
{
    const struct batch *b = &f->batch;
    for (int lane = 0; lane < b->lanes; lane++) {
        const struct steps *steps = f->text.target ? &b->target[lane] : &b->level[0].lane[lane];
        const int *place = f->text.target ? b->target_place : b->level[0].place;
        for (int i = 0; i < lane_size(steps); i++)
            assert_int_equal(b->item[steps->first + i], place[2 * (steps->start[0] + i)]);
    }
}
TEST(batch_numbers_sentences_in_the_decoders_order) { each_size(check_numbers); }

/* ---- Words ---- */

static void check_source(const struct fixture *f)
{
    const struct batch *b = &f->batch;
    bool seen[ITEMS][LONGEST + 1] = {{false}};
    for (int row = 0; row < b->source_rows; row++) {
        const int item = b->level[0].place[2 * row], t = b->level[0].place[2 * row + 1];
        assert_in_range(item, 0, ITEMS - 1);
        assert_in_range(t, 0, length_of(&f->source, item) - 1);
        assert_false(seen[item][t]);
        seen[item][t] = true;
        assert_int_equal(b->source_id[row], word(&f->source, item, t));
    }
}
TEST(batch_source_holds_every_word_once) { each_size(check_source); }

static void check_target(const struct fixture *f)
{
    const struct batch *b = &f->batch;
    bool seen[ITEMS][LONGEST + 1] = {{false}};
    for (int row = 0; row < b->target_rows; row++) {
        const int item = b->target_place[2 * row], t = b->target_place[2 * row + 1];
        assert_in_range(item, 0, ITEMS - 1);
        assert_in_range(t, 0, length_of(&f->target, item) - 1);
        assert_false(seen[item][t]);
        seen[item][t] = true;
        assert_int_equal(b->target_out[row], word(&f->target, item, t));
        assert_int_equal(b->target_in[row], t ? word(&f->target, item, t - 1) : VOCAB_BOS);
    }
}
TEST(batch_target_holds_every_word_once) { each_size(check_target); }

/* ---- Memory ---- */

static void check_memory(const struct fixture *f)
{
    const struct batch *b = &f->batch;
    bool seen[ITEMS * (LONGEST + 1)] = {false};
    int at = 0;
    for (int n = 0; n < b->B; n++) {
        assert_int_equal(b->memory_start[n], at);
        assert_int_equal(b->memory_length[n], length_of(&f->source, b->item[n]));
        for (int t = 0; t < b->memory_length[n]; t++, at++) {
            const int row = b->memory_row[at];
            assert_in_range(row, 0, b->source_rows - 1);
            assert_false(seen[row]);
            seen[row] = true;
            assert_int_equal(b->level[0].place[2 * row], b->item[n]);
            assert_int_equal(b->level[0].place[2 * row + 1], t);
            assert_int_equal(b->source_id[row], word(&f->source, b->item[n], t));
        }
    }
    assert_int_equal(at, b->source_rows);
}
TEST(batch_memory_is_a_permutation_of_the_encoders_rows) { each_size(check_memory); }

/* A lane reads and writes only rows of its own sentences, so its memory is filled by its own
 * encoder. */
static void check_lanes_apart(const struct fixture *f)
{
    const struct batch *b = &f->batch;
    for (int lane = 0; lane < b->lanes; lane++) {
        const struct steps *steps = &b->level[0].lane[lane];
        for (int i = 0; i < lane_size(steps); i++) {
            const int n = steps->first + i, last = steps->count - 1;
            for (int t = 0; t < b->memory_length[n]; t++)
                assert_in_range(b->memory_row[b->memory_start[n] + t], steps->start[0],
                                steps->start[last] + steps->active[last] - 1);
        }
    }
}
TEST(batch_memory_of_a_lane_is_encoded_by_the_lane) { each_size(check_lanes_apart); }

/* ---- Frames ---- */

/* Frames whose numbers tell their item, position and column. */
static void frames_init(struct sequences *s, float *rows, int width)
{
    for (int i = 0; i < s->count; i++)
        for (int t = 0; t < sequences_length(s, i); t++)
            for (int k = 0; k < width; k++)
                rows[(s->start[i] + (size_t)t) * (size_t)width + (size_t)k] =
                    (float)(1000 * i + 10 * t + k);
    s->width = width;
    s->rows = rows;
    s->ids = NULL;
}

static void check_frames(const struct batch *b, const struct sequences *s)
{
    int memory = 0;
    for (int n = 0; n < b->B; n++) {
        assert_int_equal(b->memory_length[n], sequences_length(s, b->item[n]));
        for (int t = 0; t < b->memory_length[n]; t++) {
            const int row = b->memory_row[b->memory_start[n] + t];
            for (int k = 0; k < b->width; k++)
                assert_true(b->source_frame[row * b->width + k] ==
                            (real)(1000 * b->item[n] + 10 * t + k));
            assert_int_equal(b->level[0].place[2 * row], b->item[n]);
            assert_int_equal(b->level[0].place[2 * row + 1], t);
        }
        memory += b->memory_length[n];
    }
    assert_int_equal(memory, b->source_rows);
}

TEST(batch_gathers_frames_without_an_end)
{
    enum { WIDTH = 3 };
    size_t start[] = {0, 4, 5, 11, 13}, target_start[] = {0, 1, 1, 5, 6};
    int ids[] = {3, 4, 5, 6, 7, 8}, item[] = {2, 0, 3, 1};
    float rows[13 * WIDTH];
    struct sequences source = {.count = 4, .start = start},
                     target = {.count = 4, .start = target_start, .ids = ids};
    frames_init(&source, rows, WIDTH);
    for (int lanes = 1; lanes < 4; lanes++) {
        const struct batch_text text = {
            .source = &source, .target = &target, .item = item, .count = 4};
        struct batch b;
        struct arena counting = {0}, arena = {0};
        batch_bind(&b, &counting, &text, lanes, 0);
        assert_int_equal(arena_reserve(&arena, counting.used, NULL), ATTEND_OK);
        batch_bind(&b, &arena, &text, lanes, 0);
        batch_fill(&b, &text);
        assert_int_equal(b.S, 6);
        assert_int_equal(b.source_rows, 13);
        assert_int_equal(b.target_rows, 10);
        check_frames(&b, &source);
        arena_release(&arena);
    }
}

/* ---- The pyramid ---- */

static void check_level(const struct batch *b, int k, const struct sequences *s)
{
    const struct batch_level *level = &b->level[k], *under = &b->level[k - (k > 0)];
    int rows = 0;
    for (int n = 0; n < b->B; n++) {
        const int length = batch_annotations(sequences_length(s, b->item[n]), s->width, k);
        for (int row = 0; row < level->rows; row++) {
            const int *place = level->place + 2 * row, *below = level->below + 2 * row;
            if (place[0] != b->item[n])
                continue;
            rows++;
            assert_in_range(place[1], 0, length - 1);
            assert_int_equal(level->ends[2 * n] == row, place[1] == 0);
            assert_int_equal(level->ends[2 * n + 1] == row, place[1] == length - 1);
            for (int part = 0; k && part < 2; part++) {
                if (below[part] < 0)
                    continue;
                assert_int_equal(under->place[2 * below[part]], place[0]);
                assert_int_equal(under->place[2 * below[part] + 1], 2 * place[1] + part);
            }
        }
    }
    assert_int_equal(rows, level->rows);
}

TEST(batch_of_a_pyramid_joins_two_rows_at_each_level)
{
    enum { HEIGHT = 4 };
    for (size_t i = 0; i < sizeof SIZES / sizeof *SIZES; i++) {
        struct fixture f;
        struct arena counting = {0};
        fixture_init(&f, SIZES[i][0], SIZES[i][1], true);
        arena_release(&f.arena);
        batch_bind(&f.batch, &counting, &f.text, SIZES[i][1], HEIGHT);
        assert_int_equal(arena_reserve(&f.arena, counting.used, NULL), ATTEND_OK);
        memset(f.arena.block, 0xff, f.arena.size);
        batch_bind(&f.batch, &f.arena, &f.text, SIZES[i][1], HEIGHT);
        batch_fill(&f.batch, &f.text);
        int single = 0;
        for (int k = 0; k <= HEIGHT; k++) {
            check_level(&f.batch, k, &f.source);
            for (int row = 0; k && row < f.batch.level[k].rows; row++)
                single += f.batch.level[k].below[2 * row + 1] < 0;
        }
        int expected = 0;
        for (int k = 1; k <= HEIGHT; k++)
            expected += 2 * f.batch.level[k].rows - f.batch.level[k - 1].rows;
        assert_int_equal(single, expected);
        fixture_release(&f);
    }
}
