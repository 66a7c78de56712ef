/* Translation edit rate. */
#include "metric/metric.h"

#include "base/rng.h"
#include "base/strbuf.h"
#include "test.h"

static const struct metric_settings plain = {0};

static void assert_edits(const char *hypothesis, const char *reference, int edits)
{
    double sums[METRIC_SUMS] = {0};
    assert_int_equal(metric_ter.collect(hypothesis, &reference, 1, &plain, sums, NULL), ATTEND_OK);
    if (sums[0] != edits)
        fail_msg("'%s' is %g edits from '%s', not %d", hypothesis, sums[0], reference, edits);
}

TEST(ter_counts_insertions_deletions_and_replacements)
{
    assert_edits("a b c d", "a b c d", 0);
    assert_edits("a x c d", "a b c d", 1);
    assert_edits("a c d", "a b c d", 1);
    assert_edits("a b x c d", "a b c d", 1);
    assert_edits("", "a b", 2);
    assert_edits("a b", "", 2);
    assert_edits("", "", 0);
}

TEST(ter_shift_of_any_length_and_way_is_one_edit)
{
    assert_edits("c d a b", "a b c d", 1);
    assert_edits("b c d e a", "a b c d e", 1);
    assert_edits("e a b c d", "a b c d e", 1);
    assert_edits("a d e b c f", "a b c d e f", 1);
    assert_edits("b a d c", "a b c d", 2);
    /* The example of Snover et al. (2006), section 3, in letters: a shift, two replacements, an
     * insertion. */
    assert_edits("t w the s d i p in the n y m", "s a d t w i p in the o n y m", 4);
}

TEST(ter_shift_is_made_only_when_it_saves_edits)
{
    assert_edits("b a", "a b", 1);
    assert_edits("x a", "a y", 2);
    assert_edits("a a b", "b a a", 1);
}

/* A greedy choice is not always optimal, so the result shows which shift is taken: never onto
 * itself, of those that save most the longest, then the leftmost. */
TEST(ter_shift_is_chosen_as_tercom_does)
{
    assert_edits("b a a c", "a b b a", 3); /* 2 if words could shift onto themselves */
    assert_edits("a b a c", "c a a b", 2); /* 3 with the shortest */
    assert_edits("b d a c", "c b a d", 3); /* 2 with the rightmost */
}

/* More words than the beam is wide, and runs longer than a shift may be. */
TEST(ter_holds_on_long_sentences)
{
    struct strbuf forward = {0}, turned = {0};
    for (int i = 0; i < 120; i++) {
        strbuf_addf(&forward, "%d ", i);
        strbuf_addf(&turned, "%d ", (i + 5) % 120);
    }
    assert_edits(forward.text, forward.text, 0);
    /* The last five come first, farther than a shift may move: they are inserted and deleted. */
    assert_edits(forward.text, turned.text, 10);
    assert_edits("100", forward.text, 119);
    assert_edits("7", forward.text, 120); /* too far from the diagonal to be found */
    assert_edits(forward.text, "7", 119);
    strbuf_release(&forward);
    strbuf_release(&turned);
}

/* Words from a small vocabulary, so that there is much to shift. */
static void make_sentence(struct strbuf *out, uint64_t key)
{
    const int words = (int)rng_below(key, 0, 12);
    strbuf_clear(out);
    strbuf_adds(out, "");
    for (int i = 1; i <= words; i++)
        strbuf_addf(out, "%c ", (char)('a' + (int)rng_below(key, (uint64_t)i, 4)));
}

TEST(ter_shifts_never_cost_more_than_they_save)
{
    struct strbuf hypothesis = {0}, reference = {0};
    for (uint64_t i = 0; i < 3000; i++) {
        double shifted[METRIC_SUMS] = {0}, plainly[METRIC_SUMS] = {0};
        make_sentence(&hypothesis, rng_key(rng_seed(1), i));
        make_sentence(&reference, rng_key(rng_seed(2), i));
        const char *text = reference.text;
        metric_ter.collect(hypothesis.text, &text, 1, &plain, shifted, NULL);
        metric_wer.collect(hypothesis.text, &text, 1, &plain, plainly, NULL);
        assert_true(shifted[0] <= plainly[0]);
        const double longer = (double)hypothesis.length / 2 - (double)reference.length / 2;
        assert_true(shifted[0] >= longer && shifted[0] >= -longer);
        assert_near(shifted[1], (double)reference.length / 2, 0);
    }
    strbuf_release(&hypothesis);
    strbuf_release(&reference);
}

TEST(ter_ignores_case_and_punishes_longer_output)
{
    double sums[METRIC_SUMS] = {0};
    const char *reference = "\u00e4 b";
    assert_edits("\u00c4 B", reference, 0);
    assert_int_equal(metric_ter.collect("a b c d e", &reference, 1, &plain, sums, NULL), ATTEND_OK);
    assert_near(metric_ter.score(sums, &plain), 200, 1e-12);
}

TEST(ter_several_references_give_the_fewest_edits_over_their_mean_length)
{
    const char *const reference[] = {"a b c d", "a b"};
    double sums[METRIC_SUMS] = {0};
    assert_int_equal(metric_ter.collect("a b c", reference, 2, &plain, sums, NULL), ATTEND_OK);
    assert_near(sums[0], 1, 0);
    assert_near(sums[1], 3, 0);
}

TEST(ter_of_an_empty_reference_is_all_wrong_or_all_right)
{
    static const double none[METRIC_SUMS] = {0}, some[METRIC_SUMS] = {2, 0};
    assert_near(metric_ter.score(none, &plain), 0, 0);
    assert_near(metric_ter.score(some, &plain), 100, 0);
}
