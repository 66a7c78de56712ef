/* chrF and chrF++. */
#include "metric/metric.h"

#include "test.h"

static double measure(const struct metric_ops *ops, const char *hypothesis, const char *one,
                      const char *two, const struct metric_settings *settings)
{
    const char *const reference[] = {one, two};
    double sums[METRIC_SUMS] = {0};
    assert_int_equal(ops->collect(hypothesis, reference, two ? 2 : 1, settings, sums, NULL),
                     ATTEND_OK);
    return ops->score(sums, settings);
}

static const struct metric_settings plain = {0};

static double chrf(const char *hypothesis, const char *reference)
{
    return measure(&metric_chrf, hypothesis, reference, NULL, &plain);
}

static double chrfpp(const char *hypothesis, const char *reference)
{
    return measure(&metric_chrfpp, hypothesis, reference, NULL, &plain);
}

TEST(chrf_matches_cases_worked_by_hand)
{
    /* 2/3, 1/2 and 0/1 n-grams on both sides. */
    assert_near(chrf("abc", "abd"), 100 * 7.0 / 18, 1e-12);
    /* P = (2/2 + 1/1) / 2, R = (2/4 + 1/3) / 2; the hypothesis has no longer n-grams. */
    assert_near(chrf("ab", "abcd"), 100 * 5 * (5.0 / 12) / (4 + 5.0 / 12), 1e-12);
    assert_near(chrf("abcd", "ab"), 100 * 5 * (5.0 / 12) / (4 * (5.0 / 12) + 1), 1e-12);
    assert_near(chrf("a", "b"), 0, 0);
    assert_near(chrf("", "b"), 0, 0);
    assert_near(chrf("", ""), 0, 0);
}

TEST(chrf_takes_no_notice_of_white_space_but_of_case)
{
    const struct metric_settings lower = {.lowercase = true};
    assert_near(chrf(" a b\u00a0c", "ab c"), 100, 1e-12);
    assert_near(chrf("\u00c4bc", "\u00e4bc"), 100 * (2.0 / 3 + 1.0 / 2) / 3, 1e-12);
    assert_near(measure(&metric_chrf, "\u00c4bc", "\u00e4bc", NULL, &lower), 100, 1e-12);
}

TEST(chrf_every_order_averages_f_as_the_authors_script_does)
{
    const struct metric_settings every = {.every_order = true};
    assert_near(measure(&metric_chrf, "abc", "abd", NULL, &every), 100 * (2.0 / 3 + 1.0 / 2) / 6,
                1e-12);
    assert_near(measure(&metric_chrf, "a", "a", NULL, &every), 100.0 / 6, 1e-12);
}

TEST(chrf_best_reference_counts)
{
    assert_near(measure(&metric_chrf, "abc", "xyz", "abd", &plain), chrf("abc", "abd"), 1e-12);
    assert_near(measure(&metric_chrf, "abc", "abd", "xyz", &plain), chrf("abc", "abd"), 1e-12);
}

TEST(chrfpp_counts_words_with_one_mark_set_apart)
{
    /* All characters agree, in 4 orders; 1 of 2 and of 3 words; no pair of words. */
    const double precision = (4 + 1.0 / 2) / 6, recall = (4 + 1.0 / 3) / 6;
    assert_near(chrfpp("a bcd", "a b cd"), 100 * 5 * precision * recall / (4 * precision + recall),
                1e-12);
    assert_near(chrfpp("ab cd.", "ab cd ."), 100, 1e-12);
    assert_near(chrfpp("(ab cd", "( ab cd"), 100, 1e-12);
    assert_true(chrfpp("(ab)", "( ab )") < 100);
    assert_true(chrfpp("\u00abab", "\u00ab ab") < 100); /* only ASCII marks are separated */
}
