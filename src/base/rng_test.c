#include "base/rng.h"

#include "test.h"

#include <math.h>

enum { MANY = 100000 };

struct moments {
    double mean, variance;
};

static struct moments moments_of(double (*random)(uint64_t, uint64_t), uint64_t key)
{
    double sum = 0, squares = 0;
    for (uint64_t i = 0; i < MANY; i++) {
        const double x = random(key, i);
        sum += x;
        squares += x * x;
    }
    const double mean = sum / MANY;
    return (struct moments){mean, squares / MANY - mean * mean};
}

static double uniform(uint64_t key, uint64_t i) { return rng_uniform(key, i); }

TEST(rng_same_key_and_position_give_the_same_number)
{
    const uint64_t key = rng_key(rng_seed(1), 5);
    const double later = rng_uniform(key, 9), first = rng_uniform(key, 0);
    assert_true(rng_uniform(key, 0) == first);
    assert_true(rng_uniform(rng_key(rng_seed(1), 5), 9) == later);
    assert_true(rng_normal(key, 3) == rng_normal(key, 3));
}

TEST(rng_neighboring_keys_seeds_and_positions_differ)
{
    for (uint64_t i = 0; i < 1000; i++) {
        assert_true(rng_seed(i) != rng_seed(i + 1));
        assert_true(rng_key(7, i) != rng_key(7, i + 1));
        assert_true(rng_key(i, 7) != rng_key(i + 1, 7));
        assert_true(rng_bits(7, i) != rng_bits(7, i + 1));
        assert_true(rng_bits(i, 7) != rng_bits(i + 1, 7));
    }
    assert_true(rng_key(rng_key(0, 1), 2) != rng_key(rng_key(0, 2), 1));
}

/* Standard errors: 0.0009 for the mean, 0.0003 for the variance; the limits are four of them. */
TEST(rng_uniform_has_the_moments_of_a_uniform)
{
    for (uint64_t seed = 0; seed < 3; seed++) {
        const struct moments m = moments_of(uniform, rng_seed(seed));
        assert_near(m.mean, 0.5, 0.004);
        assert_near(m.variance, 1 / 12.0, 0.001);
    }
}

TEST(rng_uniform_stays_below_one)
{
    for (uint64_t i = 0; i < MANY; i++) {
        const double u = rng_uniform(3, i);
        assert_true(u >= 0 && u < 1);
    }
}

/* Adjacent positions, and the same position under adjacent keys. */
TEST(rng_numbers_side_by_side_are_uncorrelated)
{
    double along = 0, across = 0;
    for (uint64_t i = 0; i < MANY; i++) {
        const double u = rng_uniform(1, i) - 0.5;
        along += u * (rng_uniform(1, i + 1) - 0.5);
        across += (rng_uniform(rng_key(1, i), 0) - 0.5) * (rng_uniform(rng_key(1, i + 1), 0) - 0.5);
    }
    assert_near(12 * along / MANY, 0, 0.013);
    assert_near(12 * across / MANY, 0, 0.013);
}

TEST(rng_normal_has_the_moments_of_a_normal)
{
    const struct moments m = moments_of(rng_normal, rng_seed(4));
    assert_near(m.mean, 0, 0.013);
    assert_near(m.variance, 1, 0.018);
    int beyond = 0;
    for (uint64_t i = 0; i < MANY; i++) {
        assert_true(isfinite(rng_normal(5, i)));
        beyond += fabs(rng_normal(5, i)) > 2;
    }
    assert_near(beyond / (double)MANY, 0.0455, 0.003);
}

TEST(rng_below_reaches_every_number_evenly)
{
    int count[7] = {0};
    for (uint64_t i = 0; i < 70000; i++) {
        const uint64_t x = rng_below(11, i, 7);
        assert_true(x < 7);
        count[x]++;
    }
    for (int i = 0; i < 7; i++)
        assert_near(count[i] / 10000.0, 1, 0.04);
}

TEST(rng_below_stays_below_the_smallest_and_the_largest_bound)
{
    for (uint64_t i = 0; i < 1000; i++) {
        assert_int_equal(rng_below(1, i, 1), 0);
        assert_true(rng_below(1, i, UINT32_MAX) < UINT32_MAX);
    }
}

static void count_up(int *items, int n)
{
    for (int i = 0; i < n; i++)
        items[i] = i;
}

TEST(rng_shuffle_is_a_permutation)
{
    int items[501], seen[501] = {0};
    count_up(items, 501);
    rng_shuffle(9, items, 501);
    int moved = 0;
    for (int i = 0; i < 501; i++) {
        assert_in_range(items[i], 0, 500);
        seen[items[i]]++;
        moved += items[i] != i;
    }
    for (int i = 0; i < 501; i++)
        assert_int_equal(seen[i], 1);
    assert_true(moved > 450);
}

/* All six orders of three items are equally frequent: 1000 each, standard deviation 29. */
TEST(rng_shuffle_makes_every_order_equally_often)
{
    int count[27] = {0};
    for (uint64_t key = 0; key < 6000; key++) {
        int items[3] = {0, 1, 2};
        rng_shuffle(rng_key(2, key), items, 3);
        count[items[0] * 9 + items[1] * 3 + items[2]]++;
    }
    const int orders[6] = {5, 7, 11, 15, 19, 21}; /* 012 021 102 120 201 210 in base 3 */
    for (int i = 0; i < 6; i++)
        assert_in_range(count[orders[i]], 880, 1120);
}

TEST(rng_shuffle_leaves_none_and_one_alone)
{
    int item = 42;
    rng_shuffle(1, &item, 0);
    rng_shuffle(1, &item, 1);
    assert_int_equal(item, 42);
}
