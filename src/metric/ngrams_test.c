#include "metric/ngrams.h"

#include "metric/symbols.h"
#include "metric/trie.h"
#include "test.h"

#include <string.h>

static void count_text(struct trie *t, const char *text,
                       void (*count)(struct trie *, const struct symbols *, int))
{
    struct symbols s = {0};
    symbols_read(&s, text, false);
    count(t, &s, 3);
    symbols_release(&s);
}

TEST(ngrams_common_are_those_that_some_reference_has_as_often)
{
    struct trie t = {0};
    double common[3] = {0};
    count_text(&t, "aaab", ngrams_hypothesis);
    count_text(&t, "aab", ngrams_reference);
    ngrams_common(&t, common);
    assert_near(common[0], 3, 0); /* a a b */
    assert_near(common[1], 2, 0); /* aa ab */
    assert_near(common[2], 1, 0); /* aab */
    /* The largest count in one reference counts, not the sum. */
    count_text(&t, "aba", ngrams_reference);
    memset(common, 0, sizeof common);
    ngrams_common(&t, common);
    assert_near(common[0], 3, 0);
    count_text(&t, "aaa", ngrams_reference);
    memset(common, 0, sizeof common);
    ngrams_common(&t, common);
    assert_near(common[0], 4, 0);
    assert_near(common[1], 3, 0);
    assert_near(common[2], 2, 0);
    assert_false(t.failed);
    trie_release(&t);
}

TEST(ngrams_of_references_are_not_added_up)
{
    struct trie t = {0};
    double common[3] = {0};
    count_text(&t, "aaaa", ngrams_hypothesis);
    count_text(&t, "a", ngrams_reference);
    count_text(&t, "aa", ngrams_reference);
    ngrams_common(&t, common);
    assert_near(common[0], 2, 0);
    assert_near(common[1], 1, 0);
    trie_release(&t);
}

TEST(ngrams_of_a_cleared_trie_start_again)
{
    struct trie t = {0};
    double common[3] = {0};
    count_text(&t, "ab", ngrams_hypothesis);
    trie_clear(&t);
    count_text(&t, "ab", ngrams_reference);
    ngrams_common(&t, common);
    assert_near(common[0] + common[1] + common[2], 0, 0);
    trie_release(&t);
}

TEST(ngrams_total_is_none_when_the_text_is_too_short)
{
    assert_int_equal(ngrams_total(5, 1), 5);
    assert_int_equal(ngrams_total(5, 5), 1);
    assert_int_equal(ngrams_total(5, 6), 0);
    assert_int_equal(ngrams_total(0, 1), 0);
}

TEST(trie_keeps_its_nodes_apart_while_it_grows)
{
    enum { MANY = 5000 };
    static int node[MANY];
    struct trie t = {0};
    for (int i = 0; i < MANY; i++)
        node[i] = trie_step(&t, i ? node[(i - 1) / 3] : 0, i % 7);
    for (int i = 0; i < MANY; i++)
        assert_int_equal(trie_step(&t, i ? node[(i - 1) / 3] : 0, i % 7), node[i]);
    const int a = trie_step(&t, 0, -5), b = trie_step(&t, 0, 0x10ffff);
    assert_int_not_equal(a, b);
    assert_int_equal(t.node[a].depth, 1);
    trie_release(&t);
}
