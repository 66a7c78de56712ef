#include "metric/bleu.h"

#include "base/strbuf.h"
#include "metric/metric.h"
#include "metric/words.h"
#include "test.h"

#include <math.h>

static void add(double *sums, const char *hypothesis, const char *one, const char *two,
                const struct metric_settings *settings)
{
    const char *const reference[] = {one, two};
    assert_int_equal(metric_bleu.collect(hypothesis, reference, two ? 2 : 1, settings, sums, NULL),
                     ATTEND_OK);
}

static double bleu(const char *hypothesis, const char *one, const char *two,
                   const struct metric_settings *settings)
{
    double sums[METRIC_SUMS] = {0};
    add(sums, hypothesis, one, two, settings);
    return metric_bleu.score(sums, settings);
}

static const struct metric_settings plain = {0};

TEST(bleu_matches_a_case_worked_by_hand)
{
    /* 5/5 words, 3/4, 2/3 and 1/2 n-grams; 5 words for 6. */
    assert_near(bleu("the cat sat on mat", "the cat sat on the mat", NULL, &plain),
                100 * exp(1 - 6.0 / 5) * pow(3.0 / 4 * 2 / 3 * 1 / 2, 0.25), 1e-12);
    assert_near(bleu("a b c d e", "a b c d e", NULL, &plain), 100, 1e-12);
    assert_near(bleu("a b c d", "e f g h", NULL, &plain), 0, 0);
    assert_near(bleu("", "a b c d", NULL, &plain), 0, 0);
}

TEST(bleu_long_output_is_not_punished_for_its_length_again)
{
    double sums[METRIC_SUMS] = {0};
    add(sums, "a b c d e f g h", "a b c d", NULL, &plain);
    assert_near(metric_bleu.score(sums, &plain), 100 * pow(4.0 / 8 * 3 / 7 * 2 / 6 * 1 / 5, 0.25),
                1e-12);
}

TEST(bleu_sums_over_sentences_before_it_divides)
{
    double sums[METRIC_SUMS] = {0};
    add(sums, "a b c d", "a b c d", NULL, &plain);
    add(sums, "x y z w", "a b c d", NULL, &plain);
    assert_near(metric_bleu.score(sums, &plain), 50, 1e-12);
}

TEST(bleu_several_references_count_at_their_most_and_nearest_in_length)
{
    double sums[METRIC_SUMS] = {0};
    add(sums, "the the the the", "the cat is", "the the dog is here", &plain);
    assert_near(sums[0], 4, 0);
    assert_near(sums[1], 3, 0); /* 3 and 5 are equally close: the shorter counts */
    assert_near(sums[2], 2, 0);
    assert_near(sums[3], 1, 0);
    assert_near(bleu("a b c d e", "a b c x e", "y b c d e", &plain), 100 * pow(1.0 / 2, 0.25),
                1e-12);
}

TEST(bleu_smoothing_stands_in_for_orders_without_a_match)
{
    static const struct {
        const char *name;
        double product;
    } cases[] = {
        {"exp", 2.0 / 4 * (0.5 / 3) * (0.25 / 2) * (0.125 / 1)},
        {"floor", 2.0 / 4 * (0.1 / 3) * (0.1 / 2) * (0.1 / 1)},
        {"add-k", 2.0 / 4 * (1.0 / 4) * (1.0 / 3) * (1.0 / 2)},
        {"none", 0},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        const struct metric_settings s = {.smoothing = bleu_smoothing_find(cases[i].name)};
        assert_non_null(s.smoothing);
        assert_near(bleu("a b c d", "a x b y", NULL, &s), 100 * pow(cases[i].product, 0.25), 1e-12);
    }
    assert_null(bleu_smoothing_find("linear"));
    const struct metric_settings floor = {.smoothing = bleu_smoothing_find("floor"),
                                          .smooth_value = 0.01};
    assert_near(bleu("a b c d", "a x b y", NULL, &floor), 100 * pow(0.5e-6 / 6, 0.25), 1e-12);
}

TEST(bleu_effective_order_leaves_out_what_a_sentence_is_too_short_for)
{
    const struct metric_settings sentence = {.effective_order = true};
    assert_near(bleu("a b", "a b", NULL, &plain), 0, 0);
    assert_near(bleu("a b", "a b", NULL, &sentence), 100, 1e-12);
    assert_near(bleu("a b c", "a b d", NULL, &sentence), 100 * pow(2.0 / 3 * 1 / 2 * 0.5, 1.0 / 3),
                1e-12);
}

TEST(bleu_settings_change_the_words_and_the_signature)
{
    const struct metric_settings lower = {.lowercase = true}, none = {.rules = words_find("none")};
    assert_near(bleu("A B C D.", "a b c d .", NULL, &lower), 100, 1e-12);
    assert_true(bleu("A B C D.", "a b c d .", NULL, &plain) < 50);
    assert_near(bleu("a b c d.", "a b c d .", NULL, &plain), 100, 1e-12);
    assert_true(bleu("a b c d.", "a b c d .", NULL, &none) < 80);
    struct strbuf text = {0};
    metric_sign(&metric_bleu, &plain, 1, 0, 0, &text);
    assert_string_equal(
        text.text, "nrefs:1|case:mixed|eff:no|tok:13a|smooth:exp|version:attend-" ATTEND_VERSION);
    strbuf_clear(&text);
    const struct metric_settings other = {.rules = words_find("intl"),
                                          .lowercase = true,
                                          .effective_order = true,
                                          .smoothing = bleu_smoothing_find("floor")};
    metric_sign(&metric_bleu, &other, 0, 1000, 7, &text);
    assert_string_equal(text.text, "nrefs:var|bs:1000|seed:7|case:lc|eff:yes|tok:intl|"
                                   "smooth:floor[0.10]|version:attend-" ATTEND_VERSION);
    strbuf_release(&text);
}
