/* Properties of every metric in the table. */
#include "metric/metric.h"

#include "base/strbuf.h"
#include "test.h"

#include <string.h>

static const struct metric_settings plain = {0};

static double measure(const struct metric_ops *ops, const char *hypothesis, const char *reference)
{
    double sums[METRIC_SUMS] = {0};
    assert_int_equal(ops->collect(hypothesis, &reference, 1, &plain, sums, NULL), ATTEND_OK);
    return ops->score(sums, &plain);
}

#define ONE(name) +1
TEST(metric_table_is_whole)
{
    int count = 0;
    for (; metric_name(count); count++) {
        const struct metric_ops *ops = metric_find(metric_name(count));
        struct strbuf text = {0};
        assert_non_null(ops);
        assert_true(ops->sums > 0 && ops->sums <= METRIC_SUMS);
        assert_true(ops->label && ops->help && ops->unit);
        metric_sign(ops, &plain, 2, 0, 0, &text);
        assert_memory_equal(text.text, "nrefs:2|case:", 13);
        assert_non_null(strstr(text.text, "|version:attend-" ATTEND_VERSION));
        strbuf_release(&text);
    }
    assert_int_equal(count, METRIC_LIST(ONE));
    assert_null(metric_find("blue"));
    assert_null(metric_find(""));
}

TEST(metric_right_output_is_best_and_wrong_output_is_not)
{
    const char right[] = "One two, three four five \u0939\u093f.";
    for (int i = 0; metric_name(i); i++) {
        const struct metric_ops *ops = metric_find(metric_name(i));
        assert_near(measure(ops, right, right), ops->lower_is_better ? 0 : 100, 1e-12);
        const double wrong = measure(ops, "One two three 5 4.", right);
        assert_true(ops->lower_is_better ? wrong > 0 : wrong < 100);
    }
}

TEST(metric_empty_texts_are_measured_too)
{
    for (int i = 0; metric_name(i); i++) {
        const struct metric_ops *ops = metric_find(metric_name(i));
        const double sums[METRIC_SUMS] = {0};
        assert_near(ops->score(sums, &plain), 0, 0);
        assert_near(measure(ops, "", "a"), ops->lower_is_better ? 100 : 0, 0);
        assert_near(measure(ops, "a", ""), ops->lower_is_better ? 100 : 0, 0);
    }
}

TEST(metric_collect_adds_to_what_is_there)
{
    const char *reference = "a b c d e";
    for (int i = 0; metric_name(i); i++) {
        const struct metric_ops *ops = metric_find(metric_name(i));
        double once[METRIC_SUMS] = {0}, twice[METRIC_SUMS] = {0};
        ops->collect("a b c e f", &reference, 1, &plain, once, NULL);
        ops->collect("a b c e f", &reference, 1, &plain, twice, NULL);
        ops->collect("a b c e f", &reference, 1, &plain, twice, NULL);
        for (int s = 0; s < METRIC_SUMS; s++)
            assert_near(twice[s], 2 * once[s], 0);
    }
}
