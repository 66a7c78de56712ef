#include "base/rng.h"
#include "base/strbuf.h"
#include "metric/symmetrize.h"
#include "test.h"

#include <stdlib.h>
#include <string.h>

static void parse(struct links *out, const char *text)
{
    assert_int_equal(links_parse(out, text, strlen(text), 0, "links", 1, NULL), ATTEND_OK);
}

static void assert_joins(const char *name, const char *forward, const char *reverse,
                         const char *want)
{
    struct links f = {0}, r = {0}, out = {0};
    struct strbuf text = {0};
    parse(&f, forward);
    parse(&r, reverse);
    parse(&out, "9-9"); /* the old content is replaced */
    assert_int_equal(symmetrize(&out, &f, &r, symmetrize_find(name), NULL), ATTEND_OK);
    strbuf_adds(&text, "");
    links_print(&out, &text);
    if (strcmp(text.text, want) != 0)
        fail_msg("%s of '%s' and '%s' is '%s', not '%s'", name, forward, reverse, text.text, want);
    strbuf_release(&text);
    links_release(&f);
    links_release(&r);
    links_release(&out);
}

/* ---- Cases worked by hand ---- */

/* In both: 00 11 67. Growing takes 21 and 12 at the sides of 11, 78 at a corner of 67, then 89. Of
 * the rest, 43 and 34 have two free words, 05 and 46 one, 72 none. */
static const char forward[] = "0-0 1-1 1-2 4-3 0-5 6-7 7-8";
static const char reverse[] = "0-0 1-1 2-1 7-2 3-4 4-6 6-7 8-9";

TEST(symmetrize_rows_match_a_case_worked_by_hand)
{
    static const char *const want[][2] = {
        {"intersection", "0-0 1-1 6-7"},
        {"union", "0-0 1-1 2-1 1-2 7-2 4-3 3-4 0-5 4-6 6-7 7-8 8-9"},
        {"grow-diag", "0-0 1-1 2-1 1-2 6-7 7-8 8-9"},
        {"grow-diag-final", "0-0 1-1 2-1 1-2 4-3 3-4 0-5 4-6 6-7 7-8 8-9"},
        {"grow-diag-final-and", "0-0 1-1 2-1 1-2 4-3 3-4 6-7 7-8 8-9"},
        {"grow-diag-both", "0-0 1-1 6-7 7-8 8-9"},
    };
    const int count = sizeof want / sizeof *want;
    for (int i = 0; i < count; i++)
        assert_joins(want[i][0], forward, reverse, want[i][1]);
    assert_null(symmetrize_name(count)); /* the table has no other rows */
}

TEST(symmetrize_final_takes_the_forward_links_first)
{
    /* 43 and 46 compete for source word 4. */
    assert_joins("grow-diag-final-and", reverse, forward, "0-0 1-1 2-1 1-2 3-4 4-6 6-7 7-8 8-9");
    assert_joins("grow-diag-final-and", "5-5 3-0", "5-5 3-2", "3-0 5-5");
    assert_joins("grow-diag-final-and", "5-5 3-2", "5-5 3-0", "3-2 5-5");
}

TEST(symmetrize_grows_backwards_in_a_later_scan)
{
    for (int i = 0; i < 2; i++)
        assert_joins(i ? "grow-diag" : "grow-diag-both", "0-0 1-1 2-2 3-3", "3-3 3-5",
                     "0-0 1-1 2-2 3-3");
}

TEST(symmetrize_visits_what_it_adds_ahead_in_the_same_scan)
{
    /* 00 adds 11, which is visited next and takes 22 before 53 can take 42. */
    assert_joins("grow-diag-both", "0-0 1-1 2-2 5-3", "0-0 4-2 5-3", "0-0 1-1 2-2 5-3");
}

TEST(symmetrize_asks_neighbors_in_the_order_of_symal)
{
    /* 20 and 22 are corners of 11 and both want source word 2. */
    assert_joins("grow-diag-both", "1-1 2-2", "1-1 2-0", "2-0 1-1");
    assert_joins("grow-diag", "1-1 2-2", "1-1 2-0", "2-0 1-1 2-2");
    /* Target word 1: 21 touches 30, which is scanned before 02, whose corner is 11. */
    assert_joins("grow-diag-both", "3-0 0-2 2-1", "3-0 0-2 1-1", "3-0 2-1 0-2");
    /* Source word 1: 10 takes it, 12 would have been next. */
    assert_joins("grow-diag", "0-0 2-2", "0-0 1-0 1-2 2-2", "0-0 1-0 2-2");
}

TEST(symmetrize_of_nothing_in_common_leaves_nothing_to_grow_from)
{
    assert_joins("grow-diag", "0-0", "1-1", "");
    assert_joins("grow-diag-final", "0-0", "1-0 1-1", "0-0 1-0 1-1");
    assert_joins("grow-diag-final-and", "0-0", "1-0 1-1", "0-0 1-1");
    assert_joins("union", "", "2-1", "2-1");
    assert_joins("union", "", "", "");
}

TEST(symmetrize_keeps_the_surer_word)
{
    assert_joins("union", "0p0 1p1", "0-0 2p2", "0-0 1p1 2p2");
}

TEST(symmetrize_takes_the_largest_numbers)
{
    assert_joins("grow-diag", "1000000-1000000 0-0", "1000000-1000000 999999-999999",
                 "999999-999999 1000000-1000000");
}

/* ---- Properties ---- */

/* Links that give each target word (or, turned, each source word) at most one other word. */
static void fill_random(struct links *out, uint64_t key, int words, bool turned)
{
    links_clear(out);
    for (int t = 0; t < words; t++) {
        const int s = (int)rng_below(key, (uint64_t)t, (uint32_t)words + 2);
        if (s < words)
            assert_int_equal(links_add(out, (struct link){s, t, true}, NULL), ATTEND_OK);
    }
    if (turned)
        links_turn(out);
}

static void assert_within(const struct links *small, const struct links *large)
{
    for (int i = 0; i < small->count; i++)
        assert_non_null(links_find(large, small->item[i].source, small->item[i].target));
}

static void join(struct links *out, const struct links *f, const struct links *r, const char *name)
{
    assert_int_equal(symmetrize(out, f, r, symmetrize_find(name), NULL), ATTEND_OK);
}

static void check_properties(const struct links *f, const struct links *r)
{
    struct links common = {0}, all = {0}, out = {0}, swapped = {0}, grown = {0};
    join(&common, f, r, "intersection");
    join(&all, f, r, "union");
    join(&grown, f, r, "grow-diag");
    for (int i = 0; symmetrize_name(i); i++) {
        const char *name = symmetrize_name(i);
        join(&out, f, r, name);
        assert_within(&common, &out);
        assert_within(&out, &all);
        if (strstr(name, "final")) {
            assert_within(&grown, &out);
            continue;
        }
        join(&swapped, r, f, name);
        assert_int_equal(out.count, swapped.count);
        assert_within(&out, &swapped);
        join(&swapped, &out, &out, name); /* combining a set with itself changes nothing */
        assert_int_equal(out.count, swapped.count);
    }
    struct links *const owned[] = {&common, &all, &out, &swapped, &grown};
    for (size_t i = 0; i < sizeof owned / sizeof *owned; i++)
        links_release(owned[i]);
}

TEST(symmetrize_rows_lie_between_intersection_and_union_and_ignore_the_order_of_directions)
{
    const uint64_t key = rng_seed(7);
    struct links f = {0}, r = {0};
    for (uint64_t i = 0; i < 300; i++) {
        const int words = 1 + (int)rng_below(key, i, 8);
        fill_random(&f, rng_key(key, 2 * i), words, false);
        fill_random(&r, rng_key(key, 2 * i + 1), words, true);
        check_properties(&f, &r);
    }
    links_release(&f);
    links_release(&r);
}

/* Growing only into free words never links a word twice. */
TEST(symmetrize_growing_where_both_are_free_keeps_one_link_a_word)
{
    const uint64_t key = rng_seed(8);
    struct links f = {0}, r = {0}, out = {0};
    for (uint64_t i = 0; i < 300; i++) {
        bool source[8] = {0}, target[8] = {0};
        fill_random(&f, rng_key(key, 2 * i), 8, false);
        fill_random(&r, rng_key(key, 2 * i + 1), 8, true);
        join(&out, &f, &r, "grow-diag-both");
        for (int l = 0; l < out.count; l++) {
            assert_false(source[out.item[l].source] || target[out.item[l].target]);
            source[out.item[l].source] = target[out.item[l].target] = true;
        }
    }
    links_release(&f);
    links_release(&r);
    links_release(&out);
}

TEST(symmetrize_finds_rows_by_name_only)
{
    for (int i = 0; symmetrize_name(i); i++)
        assert_string_equal(symmetrize_find(symmetrize_name(i))->name, symmetrize_name(i));
    assert_null(symmetrize_find("grow"));
}
