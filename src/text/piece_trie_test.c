#include "text/piece_trie.h"

#include "test.h"

#include <stdio.h>
#include <string.h>

enum { MOST = 400 };

/* Keys in this order, with their places as values. */
static const char *build(struct piece_trie *t, const char *const *texts, size_t count)
{
    struct piece_trie_key keys[MOST];
    for (size_t i = 0; i < count; i++)
        keys[i] = (struct piece_trie_key){texts[i], strlen(texts[i]), (int32_t)i, 0};
    return piece_trie_build(t, keys, count);
}

static void assert_finds_all(const struct piece_trie *t, const char *const *texts, size_t count)
{
    for (size_t i = 0; i < count; i++)
        assert_int_equal(piece_trie_find(t, texts[i], strlen(texts[i])), i);
}

TEST(piece_trie_finds_every_string_and_nothing_else)
{
    /* Prefixes of each other, equal in the first eight bytes, and bytes above 127. */
    static const char *const texts[] = {
        "transformation", "z",     "transformations", "transfor", "transform", "transfo",
        "\xC3\xA4",       "a",     "\xE2\x96\x81",    "aa",       "ab",        "transforms",
        "\xC3\xA4hnlich", "transf"};
    enum { COUNT = sizeof texts / sizeof *texts };
    struct piece_trie t = {0};
    assert_null(build(&t, texts, COUNT));
    assert_finds_all(&t, texts, COUNT);
    assert_int_equal(piece_trie_find(&t, "transforma", 10), PIECE_TRIE_NONE);
    assert_int_equal(piece_trie_find(&t, "b", 1), PIECE_TRIE_NONE);
    assert_int_equal(piece_trie_longest(&t, "transformed", 11), strlen("transform"));
    piece_trie_release(&t);
}

/* The children of a node are in the order of their bytes. */
static void assert_sorted(const struct piece_trie *t)
{
    for (uint32_t node = 0; node < t->nodes; node++)
        for (uint32_t i = t->node[node].first + 1; i < t->node[node + 1].first; i++)
            assert_true(t->byte[i - 1] < t->byte[i]);
}

TEST(piece_trie_of_many_strings_in_any_order_is_sorted)
{
    static char text[MOST][24];
    const char *texts[MOST];
    for (int i = 0; i < MOST; i++) {
        const int number = i * 397 % MOST;
        snprintf(text[i], sizeof text[i], i % 2 ? "\xE2\x96\x81same start %d" : "%d", number);
        texts[i] = text[i];
    }
    struct piece_trie t = {0};
    assert_null(build(&t, texts, MOST));
    assert_finds_all(&t, texts, MOST);
    assert_sorted(&t);
    piece_trie_release(&t);
}

TEST(piece_trie_refuses_the_same_string_twice)
{
    static const char *const near[] = {"b", "a", "c", "a"};
    static const char *const far[] = {"same start 1", "x", "same start 2", "same start 1"};
    struct piece_trie t = {0};
    assert_string_equal(build(&t, near, 4), "it has the same piece twice");
    assert_string_equal(build(&t, far, 4), "it has the same piece twice");
}

TEST(piece_trie_of_nothing_finds_nothing)
{
    struct piece_trie t = {0};
    assert_null(build(&t, NULL, 0));
    assert_int_equal(piece_trie_find(&t, "a", 1), PIECE_TRIE_NONE);
    assert_int_equal(piece_trie_longest(&t, "a", 1), 0);
    piece_trie_release(&t);
}
