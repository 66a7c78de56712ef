/* Sampled segmentations: their frequencies, and the effect of alpha. */
#include "text/subword_sampling.h"

#include "base/rng.h"
#include "test.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* A NULL-terminated list of pieces. */
struct piece {
    const char *text;
    double score;
};

static double score_in(const void *context, const char *piece, size_t length)
{
    for (const struct piece *p = context; p->text; p++)
        if (strlen(p->text) == length && memcmp(p->text, piece, length) == 0)
            return p->score;
    return (double)NAN;
}

static struct subword_rule rule_of(const struct piece *pieces, bool merges, double alpha)
{
    return (struct subword_rule){
        .merges = merges, .alpha = alpha, .score = score_in, .context = pieces, .longest = 4};
}

/* Samples a segmentation into out (64), with bars between pieces. */
static void sample(const struct subword_rule *rule, uint64_t key, const char *word, char *out)
{
    size_t end[32], from = 0;
    const int count = subword_sample(rule, key, word, strlen(word), end);
    *out = 0;
    for (int i = 0; i < count; from = end[i++]) {
        const size_t used = strlen(out);
        assert_true(end[i] > from && used + end[i] - from + 2 < 64);
        snprintf(out + used, 64 - used, "%s%.*s", i ? "|" : "", (int)(end[i] - from), word + from);
    }
    assert_true(count <= 0 || end[count - 1] == strlen(word));
}

/* Each of `ways` has its share of the samples, within 4 sigma, and no others occur. */
static void assert_shares(const struct subword_rule *rule, const char *word,
                          const struct piece *ways)
{
    enum { DRAWS = 20000 };
    int seen[8] = {0}, all = 0;
    for (int i = 0; i < DRAWS; i++) {
        char got[64];
        sample(rule, rng_key(5, (uint64_t)i), word, got);
        for (int w = 0; ways[w].text; w++)
            seen[w] += strcmp(got, ways[w].text) == 0;
    }
    for (int w = 0; ways[w].text; w++) {
        const double share = ways[w].score;
        if (fabs(seen[w] - share * DRAWS) > 4 * sqrt(share * (1 - share) * DRAWS) + 1e-9)
            fail_msg("%s: %d of %d, not %g", ways[w].text, seen[w], DRAWS, share);
        all += seen[w];
    }
    assert_int_equal(all, DRAWS);
}

/* ---- Unigram ---- */

/* p: a 0.1, b 0.2, c 0.1, ab 0.1, bc 0.05. Segmentations of abc: a|b|c 0.002, ab|c 0.01, a|bc
 * 0.005. */
static struct piece PIECES[] = {{"a", 0}, {"b", 0}, {"c", 0}, {"ab", 0}, {"bc", 0}, {NULL, 0}};

static void set_scores(void)
{
    static const double p[] = {0.1, 0.2, 0.1, 0.1, 0.05};
    for (int i = 0; i < 5; i++)
        PIECES[i].score = log(p[i]);
}

TEST(subword_unigram_ways_come_by_their_probability)
{
    set_scores();
    const struct subword_rule rule = rule_of(PIECES, false, 1);
    assert_shares(
        &rule, "abc",
        (struct piece[]){{"a|b|c", 2.0 / 17}, {"ab|c", 10.0 / 17}, {"a|bc", 5.0 / 17}, {NULL, 0}});
}

TEST(subword_unigram_alpha_is_the_power)
{
    set_scores();
    const double one = sqrt(2), two = sqrt(10), three = sqrt(5), all = one + two + three;
    const struct subword_rule half = rule_of(PIECES, false, 0.5), zero = rule_of(PIECES, false, 0),
                              large = rule_of(PIECES, false, 500);
    assert_shares(&half, "abc",
                  (struct piece[]){
                      {"a|b|c", one / all}, {"ab|c", two / all}, {"a|bc", three / all}, {NULL, 0}});
    assert_shares(
        &zero, "abc",
        (struct piece[]){{"a|b|c", 1.0 / 3}, {"ab|c", 1.0 / 3}, {"a|bc", 1.0 / 3}, {NULL, 0}});
    assert_shares(&large, "abc", (struct piece[]){{"ab|c", 1}, {NULL, 0}});
}

/* ---- Merges ---- */

/* Pieces whose scores give the order of merging: first ab, then bc, then abc. */
static const struct piece MERGES[] = {{"a", -9},  {"b", -9},   {"c", -9}, {"ab", 0},
                                      {"bc", -1}, {"abc", -2}, {NULL, 0}};

/* For abc with alpha = 1/2. Round 1 can merge ab or bc: with probability 1/2 it merges ab, with 1/4
 * bc, and with 1/4 it ends. After ab or bc, abc is merged with probability 1/2. */
TEST(subword_merges_are_passed_over_with_their_probability)
{
    const struct subword_rule half = rule_of(MERGES, true, 0.5);
    assert_shares(&half, "abc",
                  (struct piece[]){
                      {"a|b|c", 0.25}, {"ab|c", 0.25}, {"a|bc", 0.125}, {"abc", 0.375}, {NULL, 0}});
}

TEST(subword_merges_of_alpha_0_are_the_best_and_of_1_characters)
{
    const struct subword_rule none = rule_of(MERGES, true, 0), all = rule_of(MERGES, true, 1);
    assert_shares(&none, "abc", (struct piece[]){{"abc", 1}, {NULL, 0}});
    assert_shares(&none, "ababcb", (struct piece[]){{"ab|abc|b", 1}, {NULL, 0}});
    assert_shares(&all, "ababc", (struct piece[]){{"a|b|a|b|c", 1}, {NULL, 0}});
}

/* The first of equals: aaa becomes aa|a. */
TEST(subword_merges_equals_from_the_left)
{
    static const struct piece pieces[] = {{"a", -1}, {"aa", 0}, {NULL, 0}};
    const struct subword_rule rule = rule_of(pieces, true, 0);
    assert_shares(&rule, "aaa", (struct piece[]){{"aa|a", 1}, {NULL, 0}});
    assert_shares(&rule, "aaaaa", (struct piece[]){{"aa|aa|a", 1}, {NULL, 0}});
}

/* ---- Both ---- */

TEST(subword_cuts_between_characters_only)
{
    static const struct piece pieces[] = {
        {"\u00e4", -1}, {"\u00f6", -1}, {"\u00e4\u00f6", -1}, {"\xc3", -1}, {NULL, 0}};
    for (int merges = 0; merges < 2; merges++) {
        const struct subword_rule rule = rule_of(pieces, merges, 0.5);
        for (uint64_t key = 0; key < 200; key++) {
            char got[64];
            sample(&rule, key, "\u00e4\u00f6", got);
            assert_true(strcmp(got, "\u00e4|\u00f6") == 0 || strcmp(got, "\u00e4\u00f6") == 0);
        }
    }
}

TEST(subword_tells_what_cannot_be_spelled)
{
    static const struct piece pieces[] = {{"a", -1}, {"ab", 0}, {NULL, 0}};
    size_t end[4];
    for (int merges = 0; merges < 2; merges++) {
        const struct subword_rule rule = rule_of(pieces, merges, 1);
        assert_int_equal(subword_sample(&rule, 1, "acb", 3, end), 0);
        assert_int_equal(subword_sample(&rule, 1, "", 0, end), 0);
        /* b alone is not a piece: merges that leave one are not a segmentation. */
        assert_int_equal(subword_sample(&rule, 1, "ab", 2, end), merges ? 0 : 1);
    }
}

TEST(subword_same_key_draws_the_same)
{
    set_scores();
    for (int merges = 0; merges < 2; merges++) {
        const struct subword_rule rule = rule_of(merges ? MERGES : PIECES, merges, 0.5);
        bool differs = false;
        char one[64], two[64], other[64];
        for (uint64_t key = 0; key < 50; key++) {
            sample(&rule, key, "abcabcabc", one);
            sample(&rule, key, "abcabcabc", two);
            sample(&rule, key + 1, "abcabcabc", other);
            assert_string_equal(one, two);
            differs = differs || strcmp(one, other) != 0;
        }
        assert_true(differs);
    }
}
