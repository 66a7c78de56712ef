/* The report of trouble on handmade matrices: damage raises the score and is named. */
#include "attend/trouble.h"

#include "test.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MOST = 16 };

/* Words, and for each target word the source word that gets `sharp` of its weight; the rest is
 * uniform. */
struct pair {
    const char *source[MOST], *target[MOST];
    int look[MOST];
    double sharp;
};

static const struct pair whole = {{"mai", "ghar", "ja", "raha", "hoon", "</s>"},
                                  {"I", "am", "going", "home", "</s>"},
                                  {0, 4, 2, 1, 5},
                                  0.9};

static int count(const char *const *word)
{
    int n = 0;
    while (n < MOST && word[n])
        n++;
    return n;
}

static struct attend_trouble find(const struct pair *p, float scale)
{
    static float weight[MOST * MOST];
    const int S = count(p->source), T = count(p->target);
    const struct attend_matrix m = {NULL, p->source, p->target, S, T, weight, NULL};
    struct attend_trouble t;
    struct attend_error err;
    for (int i = 0; i < T; i++)
        for (int j = 0; j < S; j++)
            weight[i * S + j] = scale * (float)((1 - p->sharp) / S + (p->look[i] == j) * p->sharp);
    assert_int_equal(attend_trouble_find(&t, &m, &ATTEND_TROUBLE_LIMITS, &err), ATTEND_OK);
    return t;
}

static double score(const struct pair *p)
{
    struct attend_trouble t = find(p, 1);
    const double found = t.score;
    attend_trouble_release(&t);
    return found;
}

TEST(trouble_score_is_the_sum_that_the_header_says)
{
    struct attend_trouble t = find(&whole, 1);
    assert_int_equal(t.source_count, 5);
    assert_int_equal(t.target_count, 4);
    assert_near(t.length_ratio, 0.8, 1e-12);
    assert_near(t.coverage[3], 4 * 0.1 / 6, 1e-6);
    assert_near(t.score, t.shortage + 2 * t.repetition + t.relative_entropy / 5, 1e-12);
    attend_trouble_release(&t);
}

TEST(trouble_an_omission_is_named_and_rises)
{
    const struct pair cut = {{"mai", "ghar", "ja", "raha", "hoon", "</s>"},
                             {"I", "am", "going", "</s>"},
                             {0, 4, 2, 5},
                             0.9};
    struct attend_trouble t = find(&cut, 1);
    assert_true(t.score > score(&whole) + 0.1);
    assert_int_equal(t.missed_count, 2);
    assert_int_equal(t.missed[0], 1); /* ghar; raha was already missed */
    assert_int_equal(t.missed[1], 3);
    assert_int_equal(t.crowded_count, 0);
    attend_trouble_release(&t);
}

TEST(trouble_a_repetition_is_named_and_rises)
{
    const struct pair twice = {
        {"mai", "ghar", "ja", "raha", "hoon", "</s>"},
        {"I", "am", "going", "home", "going", "home", "going", "home", "</s>"},
        {0, 4, 2, 1, 2, 1, 2, 1, 5},
        0.9};
    struct attend_trouble t = find(&twice, 1);
    assert_true(t.score > score(&whole) + 0.5);
    assert_int_equal(t.repeats, 1);
    assert_int_equal(t.repeat[0].first, 2);
    assert_int_equal(t.repeat[0].again, 4);
    assert_int_equal(t.repeat[0].length, 4);
    assert_int_equal(t.crowded_count, 0); /* 2.8 is less than twice 8 / 5 */
    attend_trouble_release(&t);
    const struct attend_trouble_limits strict = {.missed = 0.2, .crowded = 1.5, .repeated = 0.5};
    float weight[9 * 6] = {0};
    for (int i = 0; i < 9; i++)
        weight[i * 6 + twice.look[i]] = 1;
    const struct attend_matrix m = {NULL, twice.source, twice.target, 6, 9, weight, NULL};
    assert_int_equal(attend_trouble_find(&t, &m, &strict, NULL), ATTEND_OK);
    assert_int_equal(t.crowded_count, 2);
    assert_int_equal(t.crowded[0], 1);
    attend_trouble_release(&t);
}

TEST(trouble_diffuse_attention_rises_and_sums_do_not_matter)
{
    struct pair vague = {{"a", "b", "c"}, {"x", "y", "z"}, {0, 1, 2}, 0.9};
    const double before = score(&vague);
    vague.sharp = 0.3;
    assert_true(score(&vague) > before + 0.05);
    struct attend_trouble once = find(&whole, 1), tenfold = find(&whole, 10);
    assert_near(once.score, tenfold.score, 1e-6);
    attend_trouble_release(&once);
    attend_trouble_release(&tenfold);
}

TEST(trouble_empty_sides_and_zero_rows_are_fine)
{
    const char *const source[] = {"a", "b"}, *const end[] = {"</s>"}, *const target[] = {"x"};
    const float zero[2] = {0};
    struct attend_trouble t;
    const struct attend_matrix nothing = {NULL, source, end, 2, 1, zero, NULL};
    assert_int_equal(attend_trouble_find(&t, &nothing, &ATTEND_TROUBLE_LIMITS, NULL), ATTEND_OK);
    assert_near(t.shortage, 1, 0);
    assert_int_equal(t.missed_count, 2);
    attend_trouble_release(&t);
    const struct attend_matrix blank = {NULL, source, target, 2, 1, zero, NULL};
    assert_int_equal(attend_trouble_find(&t, &blank, &ATTEND_TROUBLE_LIMITS, NULL), ATTEND_OK);
    assert_near(t.score, 1, 0);
    attend_trouble_release(&t);
    const struct attend_matrix none = {NULL, NULL, NULL, 0, 0, NULL, NULL};
    assert_int_equal(attend_trouble_find(&t, &none, &ATTEND_TROUBLE_LIMITS, NULL), ATTEND_OK);
    assert_near(t.score, 0, 0);
    attend_trouble_release(&t);
}

TEST(trouble_negative_weights_are_refused)
{
    const char *const word[] = {"a", "b"};
    const float weight[] = {1.5f, -0.5f};
    const struct attend_matrix m = {NULL, word, word, 2, 1, weight, NULL};
    struct attend_trouble t;
    struct attend_error err;
    assert_int_equal(attend_trouble_find(&t, &m, &ATTEND_TROUBLE_LIMITS, &err), ATTEND_DATA);
    assert_non_null(strstr(err.message, "source word 2 in row 1"));
}

TEST(trouble_json_names_the_words)
{
    const struct pair p = {{"say \"a\"", "b", "</s>"}, {"x", "y", "x", "y"}, {0, 0, 0, 0}, 1};
    const float weight[12] = {1, 0, 0, 1, 0, 0, 1, 0, 0, 1, 0, 0};
    const struct attend_matrix m = {NULL, p.source, p.target, 3, 4, weight, NULL};
    struct attend_trouble t;
    assert_int_equal(attend_trouble_find(&t, &m, &ATTEND_TROUBLE_LIMITS, NULL), ATTEND_OK);
    char *json = attend_trouble_json(&t, &m, 7);
    const char *const parts[] = {
        "{\"line\":7,\"score\":1.5,\"shortage\":0.5,\"repetition\":0.5,",
        "\"missed\":[{\"place\":1,\"word\":\"b\",\"coverage\":0}]",
        "\"repeated\":[{\"first\":0,\"again\":2,\"words\":[\"x\",\"y\"],\"weight\":1}]",
        "\"source\":[\"say \\\"a\\\"\",\"b\"]",
    };
    for (size_t i = 0; i < sizeof parts / sizeof *parts; i++)
        if (!strstr(json, parts[i]))
            fail_msg("'%s' is not in %s", parts[i], json);
    attend_text_free(json);
    attend_trouble_release(&t);
}
