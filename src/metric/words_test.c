#include "metric/words.h"

#include "test.h"

static void read(struct words *w, struct symbols *out, const char *text, const char *rules)
{
    words_read(w, out, text, words_find(rules), false);
    assert_false(words_failed(w));
}

/* Checks that a text splits into the space-separated words of `wanted`. */
static void assert_split(const char *rules, const char *text, const char *wanted)
{
    struct words w = {0};
    struct symbols got = {0}, want = {0};
    read(&w, &got, text, rules);
    read(&w, &want, wanted, "none");
    if (symbols_distance(&got, &want) != 0)
        fail_msg("%s does not split '%s' into '%s'", rules, text, wanted);
    words_release(&w);
    symbols_release(&got);
    symbols_release(&want);
}

TEST(words_13a_sets_western_marks_apart)
{
    static const char *const cases[][2] = {
        {"Hello, world!", "Hello , world !"},
        {"(a/b) \"c\"; d: e?", "( a / b ) \" c \" ; d : e ?"},
        {"it's", "it's"},
        {"1,000.5", "1,000.5"},
        {"a.b 3.x x.3 3.", "a . b 3 . x x . 3 3 ."},
        {"U.S.", "U . S ."},
        {"well-known 3-4 x-4", "well-known 3 - 4 x-4"},
        {"...", ". . ."},
        {"\u00ab\u00e9\u00bb \u2013 \u3002", "\u00ab\u00e9\u00bb \u2013 \u3002"},
        {"a\u00a0b\u3000c", "a b c"},
        {"", ""},
        {" \t ", ""},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
        assert_split("13a", cases[i][0], cases[i][1]);
}

TEST(words_13a_undoes_escapes_once_each_in_their_order)
{
    assert_split("13a", "&quot;a&quot; &lt;b&gt; c&amp;d", "\" a \" < b > c & d");
    assert_split("13a", "&amp;lt;", "<");
    assert_split("13a", "&amp;quot;", "& quot ;");
    assert_split("13a", "a<skipped>b &am &lt", "ab & am & lt");
    assert_split("intl", "&lt;", "& lt ;");
}

TEST(words_intl_sets_any_punctuation_and_symbol_apart)
{
    static const char *const cases[][2] = {
        {"\u00abOui\u00bb, 5\u20ac", "\u00ab Oui \u00bb , 5 \u20ac"},
        {"\u4e2d\u6587\u3002\u597d", "\u4e2d\u6587 \u3002 \u597d"},
        {"1,000.5", "1,000.5"},
        {"\u0967,\u0968", "\u0967,\u0968"},
        {"well-known 3-4", "well - known 3-4"},
        {"it's", "it ' s"},
        /* The full stop stays with a number at the end of a line, but not before a space. */
        {"in 2017.", "in 2017."},
        {"2017. x", "2017 . x"},
        {"2017.  ", "2017."},
        {"a\U0001f600b", "a \U0001f600 b"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
        assert_split("intl", cases[i][0], cases[i][1]);
}

TEST(words_char_and_none_split_into_code_points_and_at_white_space)
{
    assert_split("char", "a\u00e9 \u4e2d.", "a \u00e9 \u4e2d .");
    assert_split("char", "e\u0301", "e \u0301");
    assert_split("none", " a,  b.\u00a0c\n", "a, b. c");
}

TEST(words_equal_words_have_equal_numbers_over_texts)
{
    struct words w = {0};
    struct symbols one = {0}, two = {0};
    read(&w, &one, "ab a b ab", "none");
    words_read(&w, &two, "B AB", NULL, true);
    assert_int_equal(one.count, 4);
    assert_int_equal(two.count, 2);
    assert_int_equal(one.item[0], one.item[3]);
    assert_int_not_equal(one.item[0], one.item[1]);
    assert_int_not_equal(one.item[1], one.item[2]);
    assert_int_equal(two.item[0], one.item[2]);
    assert_int_equal(two.item[1], one.item[0]);
    words_release(&w);
    symbols_release(&one);
    symbols_release(&two);
}

TEST(words_table_finds_its_names)
{
    for (int i = 0; words_name(i); i++)
        assert_non_null(words_find(words_name(i)));
    assert_null(words_find("14a"));
}
