#include "metric/bootstrap.h"

#include "test.h"

#include <string.h>

enum { LINES = 200, RESAMPLES = 500 };

static const struct metric_settings plain = {0};

/* Accuracies of lines where one in `each` is right. */
static void fill_random(double *score, int each, uint64_t seed)
{
    double stats[LINES][2];
    for (int i = 0; i < LINES; i++) {
        stats[i][0] = i % each == 0;
        stats[i][1] = 1;
    }
    const struct bootstrap b = {&metric_accuracy, &plain, *stats, LINES};
    bootstrap_scores(&b, seed, score, RESAMPLES);
}

TEST(bootstrap_interval_is_as_wide_as_chance_makes_it)
{
    double score[RESAMPLES];
    fill_random(score, 2, 12345);
    const struct bootstrap_interval half = bootstrap_interval(score, RESAMPLES);
    /* Binomial: 50 +- 1.96 standard deviations, each 100 sqrt(0.25 / 200) = 3.54. */
    assert_near(half.mean, 50, 0.02);
    assert_near(half.low, 50 - 6.93, 0.03);
    assert_near(half.high, 50 + 6.93, 0.03);
    fill_random(score, 1, 12345);
    const struct bootstrap_interval all = bootstrap_interval(score, RESAMPLES);
    assert_near(all.mean, 100, 1e-12);
    assert_near(all.low, 100, 0);
    assert_near(all.high, 100, 0);
}

TEST(bootstrap_interval_leaves_a_fortieth_out_on_either_side)
{
    double score[80];
    for (int i = 0; i < 80; i++)
        score[i] = (i * 37) % 80;
    const struct bootstrap_interval interval = bootstrap_interval(score, 80);
    assert_near(interval.low, 2, 0);
    assert_near(interval.high, 77, 0);
    assert_near(interval.mean, 39.5, 1e-12);
}

TEST(bootstrap_resamples_depend_on_the_seed_alone)
{
    double one[RESAMPLES], two[RESAMPLES];
    fill_random(one, 3, 1);
    fill_random(two, 3, 1);
    assert_memory_equal(one, two, sizeof one);
    fill_random(two, 3, 2);
    assert_true(memcmp(one, two, sizeof one) != 0);
}

TEST(bootstrap_p_is_the_share_of_resamples_that_the_winner_does_not_win)
{
    static const double one[] = {3, 1, 2, 2}, two[] = {1, 1, 3, 0};
    assert_near(bootstrap_p(one, two, 4, 0.5), 0.5, 0);
    assert_near(bootstrap_p(two, one, 4, -0.5), 0.5, 0);
    assert_near(bootstrap_p(one, two, 4, -0.5), 0.75, 0);
    assert_near(bootstrap_p(one, one, 4, 0), 1, 0);
}

TEST(bootstrap_p_tells_far_systems_apart_and_near_ones_not)
{
    double half[RESAMPLES], third[RESAMPLES], quarter[RESAMPLES];
    fill_random(half, 2, 5);
    fill_random(third, 3, 5);
    fill_random(quarter, 4, 5);
    assert_true(bootstrap_p(half, quarter, RESAMPLES, 25) < 0.01);
    assert_true(bootstrap_p(third, quarter, RESAMPLES, 8.5) > 0.01);
}
