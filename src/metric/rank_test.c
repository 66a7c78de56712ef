#include "metric/rank.h"

#include "test.h"

#include <math.h>

TEST(rank_of_equal_and_reversed_orders_is_one_and_minus_one)
{
    const double x[] = {1, 5, 9, 11}, y[] = {-2, 0, 0.5, 100}, z[] = {4, 3, 2, 1};
    assert_near(rank_kendall(x, y, 4), 1, 1e-15);
    assert_near(rank_spearman(x, y, 4), 1, 1e-15);
    assert_near(rank_kendall(x, z, 4), -1, 1e-15);
    assert_near(rank_spearman(x, z, 4), -1, 1e-15);
}

/* By hand: of 10 pairs, 8 are concordant and 2 discordant; the sum of squared rank differences is
 * 4. */
TEST(rank_without_ties_is_what_pairs_and_differences_say)
{
    const double x[] = {1, 2, 3, 4, 5}, y[] = {2, 1, 4, 3, 5};
    assert_near(rank_kendall(x, y, 5), 0.6, 1e-15);
    assert_near(rank_spearman(x, y, 5), 1 - 6 * 4.0 / (5 * 24), 1e-15);
}

/* x is tied in 2 of the 10 pairs, y in 1; of the others 2 are concordant and 6 discordant: -4 /
 * sqrt(8 9). The ranks are 4.5 2.5 1 4.5 2.5 and 2.5 4 5 2.5 1. */
TEST(rank_with_ties_shares_places)
{
    const double x[] = {12, 2, 1, 12, 2}, y[] = {1, 4, 7, 1, 0};
    assert_near(rank_kendall(x, y, 5), -0.47140452079103173, 1e-14);
    assert_near(rank_spearman(x, y, 5), -5 / sqrt(9 * 9.5), 1e-14);
}

TEST(rank_of_nothing_to_order_is_not_a_number)
{
    const double x[] = {1, 2, 3}, same[] = {4, 4, 4};
    assert_true(isnan(rank_kendall(x, same, 3)));
    assert_true(isnan(rank_spearman(same, x, 3)));
    assert_true(isnan(rank_kendall(x, x, 1)));
    assert_true(isnan(rank_spearman(x, x, 0)));
}
