#include "base/checksum.h"
#include "base/rng.h"
#include "test.h"
#include "corpus/split.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

TEST(split_parse_takes_two_or_three_shares)
{
    struct split split = {.seed = 7};
    assert_int_equal(split_parse(&split, "0.98,0.01,0.01", NULL), ATTEND_OK);
    assert_int_equal(split.sets, 3);
    assert_near(split.share[0], 0.98, 1e-15);
    assert_near(split.share[1], 0.01, 1e-15);
    assert_near(split.share[2], 0.01, 1e-15);
    assert_int_equal(split.seed, 7);
    assert_int_equal(split_parse(&split, "0.9,.1", NULL), ATTEND_OK);
    assert_int_equal(split.sets, 2);
    assert_near(split.share[1], 0.1, 1e-15);
    assert_int_equal(split_parse(&split, "0.3333333,0.3333333,0.3333333", NULL), ATTEND_OK);
}

TEST(split_parse_refuses_the_rest_and_says_what_it_takes)
{
    static const char *const wrong[] = {"",
                                        "1",
                                        "0.5",
                                        "0.9,0.2",
                                        "0.5,0.4",
                                        "0.9,0.1,0",
                                        "1.1,-0.1",
                                        "0.5,0.5,",
                                        ",0.5,0.5",
                                        "0.5;0.5",
                                        "0.5,0.5x",
                                        "nan,0.5,0.5",
                                        "0.5,inf",
                                        "0.99,0.0099",
                                        "0.5 ,0.5",
                                        "a,b",
                                        "0.25,0.25,0.25,0.25"};
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        struct split split = {.sets = 99};
        struct attend_error err = {.message = ""};
        if (split_parse(&split, wrong[i], &err) != ATTEND_USAGE)
            fail_msg("'%s' was taken", wrong[i]);
        assert_non_null(strstr(err.message, "`split` takes two or three positive shares"));
        assert_non_null(strstr(err.message, wrong[i]));
        assert_int_equal(split.sets, 99);
    }
}

static int choose(const struct split *split, int i)
{
    char text[32];
    return split_choose(split, text, (size_t)snprintf(text, sizeof text, "sentence %d", i));
}

/* Within four standard deviations of the shares. */
TEST(split_sets_get_their_shares)
{
    enum { N = 20000 };
    struct split split = {.seed = 1};
    assert_int_equal(split_parse(&split, "0.7,0.25,0.05", NULL), ATTEND_OK);
    int count[SPLIT_MAX_SETS] = {0};
    for (int i = 0; i < N; i++)
        count[choose(&split, i)]++;
    for (int s = 0; s < SPLIT_MAX_SETS; s++) {
        const double p = split.share[s];
        assert_near(count[s] - N * p, 0, 4 * sqrt(N * p * (1 - p)));
    }
}

/* The formula of the header, so that sets stay the same in later versions. */
TEST(split_is_a_function_of_seed_and_source)
{
    struct split split = {.seed = 42};
    assert_int_equal(split_parse(&split, "0.5,0.3,0.2", NULL), ATTEND_OK);
    int seen[SPLIT_MAX_SETS] = {0};
    for (int i = 0; i < 300; i++) {
        char text[32];
        const int length = snprintf(text, sizeof text, "sentence %d", i);
        struct checksum sum;
        checksum_init(&sum);
        checksum_add(&sum, text, (size_t)length);
        const double u = rng_uniform(rng_seed(42), checksum_value(&sum));
        const int want = u < 0.5 ? 0 : u < 0.8 ? 1 : 2;
        assert_int_equal(split_choose(&split, text, (size_t)length), want);
        seen[want]++;
    }
    assert_true(seen[0] && seen[1] && seen[2]);
}

/* Sets of different seeds are independent: two halves agree on half of the sources. */
TEST(split_with_another_seed_is_another)
{
    struct split one = {.seed = 1}, two = {.seed = 2};
    split_parse(&one, "0.5,0.5", NULL);
    split_parse(&two, "0.5,0.5", NULL);
    int same = 0;
    for (int i = 0; i < 10000; i++)
        same += choose(&one, i) == choose(&two, i);
    assert_near(same, 5000, 0.04);
}
