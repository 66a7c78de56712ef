#include "metric/metric.h"
#include "metric/words.h"
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

static const struct metric_settings plain = {0}, lower = {.lowercase = true};

TEST(error_rate_counts_lines_that_are_right_as_a_whole)
{
    static const char *const hypothesis[] = {"a b c", "a b", "", "x"}, *const reference[] = {
                                                                           "a b c", "a b c", "",
                                                                           "y"};
    double sums[METRIC_SUMS] = {0};
    for (int i = 0; i < 4; i++)
        assert_int_equal(
            metric_accuracy.collect(hypothesis[i], &reference[i], 1, &plain, sums, NULL),
            ATTEND_OK);
    assert_near(metric_accuracy.score(sums, &plain), 50, 0);
}

TEST(error_rate_white_space_counts_only_as_a_gap)
{
    static const struct {
        const char *one, *other;
        int same;
    } cases[] = {
        {" a  b\t", "a b", 1},   {"a\r\n", "a", 1},  {" \t", "", 1}, {"a\tb", "a \n b", 1},
        {"ab", "a b", 0},        {"a b", "a bc", 0}, {"a", "", 0},   {"a ", "a b", 0},
        {"a  b c", "a b  d", 0}, {"A", "a", 0},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        const double want = cases[i].same ? 100 : 0;
        assert_near(measure(&metric_accuracy, cases[i].one, cases[i].other, NULL, &plain), want, 0);
        assert_near(measure(&metric_accuracy, cases[i].other, cases[i].one, NULL, &plain), want, 0);
    }
}

TEST(error_rate_accuracy_takes_any_of_the_answers)
{
    double sums[METRIC_SUMS] = {0};
    const char *const answers[] = {"a b", "c"};
    assert_int_equal(metric_accuracy.collect(" c ", answers, 2, &plain, sums, NULL), ATTEND_OK);
    assert_int_equal(metric_accuracy.collect("C", answers, 2, &plain, sums, NULL), ATTEND_OK);
    assert_int_equal(metric_accuracy.collect("a", answers, 2, &plain, sums, NULL), ATTEND_OK);
    assert_near(metric_accuracy.score(sums, &plain), 100.0 / 3, 1e-12);
    assert_near(measure(&metric_accuracy, "C", "a b", "c", &lower), 100, 0);
}

TEST(error_rate_wer_is_edits_over_reference_words)
{
    assert_near(measure(&metric_wer, "a b c", "a x c d", NULL, &plain), 50, 1e-12);
    assert_near(measure(&metric_wer, "b c d e", "a b c d", NULL, &plain), 50, 1e-12);
    assert_near(measure(&metric_wer, "a b c", "a", NULL, &plain), 200, 1e-12);
    assert_near(measure(&metric_wer, "A  b ", "a b", NULL, &plain), 50, 1e-12);
    assert_near(measure(&metric_wer, "A  b ", "a b", NULL, &lower), 0, 0);
    assert_near(measure(&metric_wer, "", "a b", NULL, &plain), 100, 0);
    assert_near(measure(&metric_wer, "", "", NULL, &plain), 0, 0);
    assert_near(measure(&metric_wer, "a", "", NULL, &plain), 100, 0);
}

TEST(error_rate_nearest_answer_counts)
{
    assert_near(measure(&metric_wer, "a b c", "x y", "a b d e", &plain), 50, 1e-12);
    /* One edit from either reference: the longer one counts. */
    assert_near(measure(&metric_wer, "a b c", "a b", "a b c d", &plain), 25, 1e-12);
    assert_near(measure(&metric_wer, "a b c", "a b c d", "a b", &plain), 25, 1e-12);
}

TEST(error_rate_ser_counts_tokens_or_characters)
{
    const struct metric_settings characters = {.rules = words_find("char")};
    assert_near(measure(&metric_ser, "K AE T", "K AH T S", NULL, &plain), 50, 1e-12);
    assert_near(measure(&metric_ser, "abc d", "abd d", NULL, &characters), 20, 1e-12);
    assert_near(measure(&metric_ser, " abc   d", "abc d ", NULL, &characters), 0, 0);
    assert_near(measure(&metric_ser, "abcd", "abc d", NULL, &characters), 20, 1e-12);
    /* A letter with its mark is one character. */
    assert_near(measure(&metric_ser, "cafe", "cafe\u0301", NULL, &characters), 25, 1e-12);
    assert_near(measure(&metric_ser, "\u0939\u093f\u0928", "\u0939\u0928", NULL, &characters), 50,
                1e-12);
}
