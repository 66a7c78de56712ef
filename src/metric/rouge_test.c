/* ROUGE-1, ROUGE-2 and ROUGE-L. */
#include "metric/metric.h"

#include "base/strbuf.h"
#include "metric/words.h"
#include "test.h"

#include <string.h>

static const struct metric_settings plain = {0};
static const struct metric_ops *const all[] = {&metric_rouge1, &metric_rouge2, &metric_rougel};
enum { ALL = sizeof all / sizeof *all };

static void add(const struct metric_ops *ops, const char *hypothesis, const char *one,
                const char *two, const struct metric_settings *settings, double *sums)
{
    const char *const reference[] = {one, two};
    assert_int_equal(ops->collect(hypothesis, reference, two ? 2 : 1, settings, sums, NULL),
                     ATTEND_OK);
}

static double rouge(const struct metric_ops *ops, const char *hypothesis, const char *reference)
{
    double sums[METRIC_SUMS] = {0};
    add(ops, hypothesis, reference, NULL, &plain, sums);
    return ops->score(sums, &plain);
}

static void assert_scores(const char *hypothesis, const char *reference, double one, double two,
                          double sequence)
{
    assert_near(rouge(&metric_rouge1, hypothesis, reference), 100 * one, 1e-12);
    assert_near(rouge(&metric_rouge2, hypothesis, reference), 100 * two, 1e-12);
    assert_near(rouge(&metric_rougel, hypothesis, reference), 100 * sequence, 1e-12);
}

TEST(rouge_matches_cases_worked_by_hand)
{
    /* 8 and 9 words; common: the (twice), quick, brown, jumps, dog, in all 6. Of 7 and 8 pairs: the
     * quick, quick brown. Subsequence: the quick brown jumps the. */
    assert_scores("The quick brown dog jumps on the log.",
                  "The quick brown fox jumps over the lazy dog", 12.0 / 17, 4.0 / 15, 10.0 / 17);
    /* Lin 2004, section 3.1: "police kill the gunman" shares as many words and pairs (the gunman)
     * with "police killed the gunman" as "the gunman kill police" does, but 3 in order, not 2. */
    assert_scores("police kill the gunman", "police killed the gunman", 6.0 / 8, 2.0 / 6, 6.0 / 8);
    assert_scores("the gunman kill police", "police killed the gunman", 6.0 / 8, 2.0 / 6, 4.0 / 8);
    /* A word counts as often as both have it: 2 of 4 and 2; pairs 1 of 3 and 1. */
    assert_scores("a a a a", "a a", 4.0 / 6, 2.0 / 4, 4.0 / 6);
    /* The longest subsequence, not the first match: b c d of 4 and 4; the pairs b c and c d. */
    assert_scores("a b c d", "b c d a", 1, 4.0 / 6, 6.0 / 8);
}

TEST(rouge_same_words_are_100_and_other_words_are_0)
{
    assert_scores("one two three", "one two three", 1, 1, 1);
    assert_scores("one two three", "four five six", 0, 0, 0);
    assert_scores("", "", 0, 0, 0);
    assert_scores("one", "", 0, 0, 0);
    assert_scores("?!", "...", 0, 0, 0);
    /* A single word has no pairs. */
    assert_scores("one", "one", 1, 0, 1);
}

TEST(rouge_order_matters_for_pairs_and_sequences_only)
{
    assert_scores("c b a", "a b c", 1, 0, 2.0 / 6);
}

TEST(rouge_sides_can_be_exchanged)
{
    const char *const a = "a b c b d a b", *const b = "b d c a b a";
    for (int i = 0; i < ALL; i++)
        assert_near(rouge(all[i], a, b), rouge(all[i], b, a), 0);
    /* For example b c b a; there is no common subsequence of 5. */
    assert_near(rouge(&metric_rougel, a, b), 100 * 8.0 / 13, 1e-12);
}

TEST(rouge_words_are_runs_of_letters_and_digits_of_any_script)
{
    assert_scores("It's 3.5%, (really)!", "it s 3 5 REALLY", 1, 1, 1);
    assert_scores("\u00c4rger-M\u00fcller", "\u00e4rger m\u00fcller", 1, 1, 1);
    assert_scores("m\u00fcller", "m ller", 0, 0, 0);
    /* Hindi vowel signs and the joiner inside a Persian word belong to the word. */
    assert_scores("\u0939\u093f\u0928\u094d\u0926\u0940 \u092e\u0947\u0902",
                  "\u0939\u093f\u0928\u094d\u0926\u0940, \u092e\u0947\u0902\u0964", 1, 1, 1);
    assert_scores("\u0645\u06cc\u200c\u062e\u0648\u0627\u0647\u0645",
                  "\u0645\u06cc \u062e\u0648\u0627\u0647\u0645", 0, 0, 0);
}

TEST(rouge_of_characters_takes_each_letter_with_its_marks_for_a_word)
{
    const struct metric_settings characters = {.rules = words_find("char")};
    /* 3 of 3 and 4 letters, without the full stop; as words, none match. */
    const char *const hypothesis = "\u6211\u7231\u4f60\u3002", *const reference =
                                                                   "\u6211\u5f88\u7231\u4f60";
    double sums[METRIC_SUMS] = {0}, marks[METRIC_SUMS] = {0};
    add(&metric_rougel, hypothesis, reference, NULL, &characters, sums);
    assert_near(metric_rougel.score(sums, &characters), 100 * 6.0 / 7, 1e-12);
    assert_near(rouge(&metric_rougel, hypothesis, reference), 0, 0);
    /* e with a combining accent is one letter, different from e. */
    add(&metric_rouge1, "e\u0301b", "eb", NULL, &characters, marks);
    assert_near(metric_rouge1.score(marks, &characters), 50, 1e-12);
}

TEST(rouge_best_reference_counts_and_lines_are_averaged)
{
    for (int i = 0; i < ALL; i++) {
        double sums[METRIC_SUMS] = {0};
        add(all[i], "a b c", "x y z", "a b c", &plain, sums);
        assert_near(all[i]->score(sums, &plain), 100, 1e-12);
        add(all[i], "a b", "a b", "x y", &plain, sums);
        add(all[i], "a b c d e f g h", "x", NULL, &plain, sums);
        assert_near(all[i]->score(sums, &plain), 200.0 / 3, 1e-12);
    }
}

TEST(rouge_signature_says_how_words_were_made)
{
    const struct metric_settings characters = {.rules = words_find("char")};
    struct strbuf text = {0};
    metric_rouge2.sign(&plain, &text);
    metric_rouge2.sign(&characters, &text);
    assert_string_equal(text.text, "case:lc|tok:letters+digits|stem:no|refs:best|avg:lines"
                                   "case:lc|tok:char|stem:no|refs:best|avg:lines");
    strbuf_release(&text);
}
