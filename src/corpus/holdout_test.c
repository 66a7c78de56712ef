#include "corpus/holdout.h"

#include "corpus/pairs.h"
#include "corpus/split.h"
#include "test.h"

#include <stdio.h>
#include <string.h>

TEST(holdout_follows_the_options)
{
    const struct {
        struct attend_data_options options;
        enum holdout kind;
    } cases[] = {
        {{.train = "t"}, HOLDOUT_USUAL},
        {{.train = "t", .split = "none"}, HOLDOUT_NONE},
        {{.train = "t", .split = "0.9,0.1"}, HOLDOUT_ASKED},
        {{.train = "t", .valid = "v"}, HOLDOUT_NONE},
        {{.train_src = "s", .train_tgt = "t", .valid_src = "s", .valid_tgt = "t"}, HOLDOUT_NONE},
        {{.train = "t", .valid = "v", .split = "none"}, HOLDOUT_NONE},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
        assert_int_equal(holdout_kind(&cases[i].options), cases[i].kind);
}

TEST(holdout_refuses_wrong_shares)
{
    struct split split;
    struct attend_error err = {.message = ""};
    const struct attend_data_options options = {.train = "t", .split = "non"};
    assert_int_equal(holdout_split(&split, &options, 1, &err), ATTEND_USAGE);
    assert_non_null(strstr(err.message, "or none, not 'non'"));
}

/* Divide `count` pairs with `sources` different sources. */
static void divide(struct pairs *set[2], int count, int sources, struct split *split)
{
    const struct attend_data_options options = {.train = "t"};
    assert_int_equal(holdout_split(split, &options, 1, NULL), ATTEND_OK);
    for (int i = 0; i < 2; i++)
        assert_int_equal(pairs_new(&set[i], ".", NULL), ATTEND_OK);
    for (int i = 0; i < count; i++) {
        char text[32];
        const int length = snprintf(text, sizeof text, "s%d", i % sources);
        const struct text_pair pair = {text,          text,   (size_t)length, (size_t)length,
                                       (size_t)i + 1, {0, 0}, NULL,           0};
        assert_int_equal(pairs_add(set[split_choose(split, text, (size_t)length)], &pair, NULL),
                         ATTEND_OK);
    }
    assert_int_equal(holdout_settle(set, split, false, ".", NULL), ATTEND_OK);
}

static void release(struct pairs *set[2])
{
    pairs_free(set[0]);
    pairs_free(set[1]);
}

TEST(holdout_takes_one_in_twenty)
{
    struct pairs *set[2];
    struct split split;
    char note[256];
    divide(set, 1000, 1000, &split);
    assert_in_range(pairs_count(set[1]), 30, 70);
    assert_int_equal(pairs_count(set[0]) + pairs_count(set[1]), 1000);
    holdout_describe(set, note, sizeof note);
    assert_non_null(strstr(note, "of 1000 pairs"));
    release(set);
}

static void assert_put_back(int count, int sources)
{
    struct pairs *set[2];
    struct split split;
    struct text_pair pair;
    char note[256];
    divide(set, count, sources, &split);
    assert_null(set[1]);
    assert_int_equal(pairs_count(set[0]), count);
    assert_int_equal(pairs_rewind(set[0], NULL), ATTEND_OK);
    for (int i = 0; i < count; i++) {
        assert_int_equal(pairs_next(set[0], &pair, NULL), ATTEND_OK);
        assert_int_equal(pair.line, i + 1);
    }
    holdout_describe(set, note, sizeof note);
    assert_non_null(strstr(note, "too few"));
    release(set);
}

TEST(holdout_leaves_few_pairs_in_their_order)
{
    assert_put_back(HOLDOUT_FEWEST - 1, HOLDOUT_FEWEST - 1);
    assert_put_back(1, 1);
}

TEST(holdout_leaves_pairs_of_one_source_together) { assert_put_back(500, 1); }

TEST(holdout_has_a_limit)
{
    enum { PAIRS = 100000 };
    struct pairs *set[2];
    struct split split;
    divide(set, PAIRS, PAIRS, &split);
    assert_in_range(pairs_count(set[1]), HOLDOUT_MOST - 200, HOLDOUT_MOST + 200);
    assert_int_equal(pairs_count(set[0]) + pairs_count(set[1]), PAIRS);
    release(set);
}
