#include "base/utf8.h"

#include "base/strbuf.h"
#include "hostile_texts.h"
#include "test.h"

#include <stdio.h>
#include <string.h>

static void assert_invalid(const char *text, size_t length, size_t want)
{
    size_t bad = 999;
    assert_false(utf8_valid(text, length, &bad));
    assert_int_equal(bad, want);
    assert_false(utf8_valid(text, length, NULL));
}

TEST(utf8_valid_accepts_text_of_every_length_of_character)
{
    const char text[] = "a\u00e9\u20ac\U0001f600\U0010ffff";
    assert_true(utf8_valid(text, sizeof text - 1, NULL));
    assert_true(utf8_valid("", 0, NULL));
    assert_true(utf8_valid("a\0b", 3, NULL));
}

TEST(utf8_valid_leaves_bad_alone_when_all_is_well)
{
    size_t bad = 999;
    assert_true(utf8_valid("abc", 3, &bad));
    assert_int_equal(bad, 999);
}

TEST(utf8_valid_refuses_overlong_forms)
{
    assert_invalid("ab\xc0\xaf", 4, 2);
    assert_invalid("\xc1\xbf", 2, 0);
    assert_invalid("\xe0\x80\xaf", 3, 0);
    assert_invalid("\xe0\x9f\xbf", 3, 0);
    assert_invalid("\xf0\x80\x80\xaf", 4, 0);
    assert_invalid("\xf0\x8f\xbf\xbf", 4, 0);
}

TEST(utf8_valid_refuses_surrogates_and_what_is_past_the_last_code_point)
{
    assert_invalid("x\xed\xa0\x80", 4, 1);
    assert_invalid("\xed\xbf\xbf", 3, 0);
    assert_invalid("\xf4\x90\x80\x80", 4, 0);
    assert_invalid("\xf8\x88\x80\x80\x80", 5, 0);
    assert_invalid("\xff", 1, 0);
}

TEST(utf8_valid_refuses_truncated_and_stray_bytes)
{
    assert_invalid("a\xc3", 2, 1);
    assert_invalid("a\xe2\x82", 3, 1);
    assert_invalid("a\xf0\x9f\x98", 4, 1);
    assert_invalid("\xc3 x", 3, 0);
    assert_invalid("ok\x80", 3, 2);
    assert_invalid("\xe2\x82z", 3, 0);
}

/* The length decides, not what follows in memory. */
TEST(utf8_valid_does_not_read_past_the_length)
{
    assert_invalid("\u20ac", 2, 0);
    assert_invalid("a\u20ac", 3, 1);
    assert_true(utf8_valid("a\xff", 1, NULL));
}

struct cluster_case {
    const char *what, *first, *rest;
};

static const struct cluster_case cases[] = {
    {"a letter", "a", "b"},
    {"a letter and an accent", "e\u0301", "a"},
    {"a letter and three marks", "a\u0302\u0323\u0301", "e"},
    {"an emoji", "\U0001f600", "\U0001f600"},
    {"a skin tone", "\U0001f44d\U0001f3fd", "!"},
    {"a family joined by ZWJ", "\U0001f468\u200d\U0001f469\u200d\U0001f467", "\U0001f468"},
    {"an emoji with a variation selector", "\u2764\ufe0f", "x"},
    {"a Hangul syllable", "\ud55c", "\uae00"},
    {"a Hangul syllable in jamo", "\u1112\u1161\u11ab", "\u1100\u1173\u11af"},
    {"a Devanagari consonant and its vowel sign", "\u0915\u093f", "\u0928"},
    {"a Devanagari consonant and anusvara", "\u0938\u0902", "\u0938"},
    {"a Tamil consonant and its vowel sign", "\u0ba8\u0bbf", "\u0ba8"},
    {"a flag", "\U0001f1eb\U0001f1f7", "\U0001f1e9\U0001f1ea"},
    {"a line end of two", "\r\n", "a"},
    {"a line end", "\n", "\u0301"},
};

TEST(utf8_cluster_takes_what_a_reader_calls_a_character)
{
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        char text[64];
        snprintf(text, sizeof text, "%s%s", cases[i].first, cases[i].rest);
        const size_t got = utf8_cluster(text, strlen(text));
        if (got != strlen(cases[i].first))
            print_error("%s: %zu bytes\n", cases[i].what, got);
        assert_int_equal(got, strlen(cases[i].first));
    }
}

TEST(utf8_cluster_ends_with_the_text)
{
    assert_int_equal(utf8_cluster("", 0), 0);
    assert_int_equal(utf8_cluster("e\u0301", 3), 3);
    assert_int_equal(utf8_cluster("e\u0301", 1), 1);
}

TEST(utf8_cluster_gets_past_bytes_that_are_not_text)
{
    assert_int_equal(utf8_cluster("\xff\xff", 2), 1);
    assert_int_equal(utf8_cluster("a\xff", 2), 1);
}

static int count_clusters(const char *text)
{
    int count = 0;
    for (size_t length = strlen(text), at = 0; at < length; count++)
        at += utf8_cluster(text + at, length - at);
    return count;
}

TEST(utf8_clusters_count_as_a_reader_would)
{
    assert_int_equal(count_clusters("na\u0131\u0308ve"), 5);
    assert_int_equal(count_clusters("\U0001f1eb\U0001f1f7\U0001f1e9\U0001f1ea\U0001f1ef\U0001f1f5"),
                     3);
    assert_int_equal(count_clusters("\ud55c\uad6d\uc5b4"), 3);
}

TEST(utf8_columns_of_spacing_marks_are_their_own)
{
    assert_int_equal(utf8_columns("plain cafe\u0301 \u65e5"), 13);
    assert_int_equal(utf8_columns("\U0001f468\u200d\U0001f469\u200d\U0001f467"), 2);
    assert_int_equal(utf8_width("\u092c\u093e\u091c\u093c\u093e\u0930"), 3); /* bazaar */
    assert_int_equal(utf8_columns("\u092c\u093e\u091c\u093c\u093e\u0930"), 5);
    assert_int_equal(utf8_columns("\u092e\u0947\u0902"), 1); /* marks above take none */
}

TEST(utf8_width_counts_columns)
{
    assert_int_equal(utf8_width(""), 0);
    assert_int_equal(utf8_width("plain"), 5);
    assert_int_equal(utf8_width("caf\u00e9"), 4);
    assert_int_equal(utf8_width("cafe\u0301"), 4);
    assert_int_equal(utf8_width("\u65e5\u672c"), 4);
    assert_int_equal(utf8_width("\ud55c\uae00"), 4);
    assert_int_equal(utf8_width("\U0001f600"), 2);
    assert_int_equal(utf8_width("\U0001f468\u200d\U0001f469\u200d\U0001f467"), 2);
}

static void assert_form(const char *text, enum utf8_form form, const char *want)
{
    struct strbuf out = {0};
    strbuf_adds(&out, "<");
    utf8_normalize(&out, text, strlen(text), form, NULL);
    strbuf_adds(&out, ">");
    assert_int_equal(out.length, strlen(want) + 2);
    assert_memory_equal(out.text + 1, want, strlen(want));
    strbuf_release(&out);
}

TEST(utf8_normalize_none_changes_nothing)
{
    assert_form("e\u0301 \ufb01 A", UTF8_NONE, "e\u0301 \ufb01 A");
}

TEST(utf8_normalize_nfc_composes_and_keeps_compatibility_characters)
{
    assert_form("", UTF8_NFC, "");
    assert_form("plain ASCII", UTF8_NFC, "plain ASCII");
    assert_form("e\u0301", UTF8_NFC, "\u00e9");
    assert_form("\u1112\u1161\u11ab", UTF8_NFC, "\ud55c");
    /* Marks are reordered; a Greek question mark becomes a semicolon. */
    assert_form("a\u0301\u0323", UTF8_NFC, "\u1ea1\u0301");
    assert_form("\u037e", UTF8_NFC, ";");
    /* Composition exclusions: Devanagari qa stays decomposed. */
    assert_form("\u0958", UTF8_NFC, "\u0915\u093c");
    assert_form("\ufb01 \uff21 \u00b2 \u2460", UTF8_NFC, "\ufb01 \uff21 \u00b2 \u2460");
}

TEST(utf8_normalize_nfkc_makes_plain_letters_and_folds_no_case)
{
    assert_form("\ufb01", UTF8_NFKC, "fi");
    assert_form("\uff21\uff42", UTF8_NFKC, "Ab");
    assert_form("\uff76\uff9e", UTF8_NFKC, "\u30ac");
    assert_form("x\u00b2\u2460\u2026", UTF8_NFKC, "x21...");
    assert_form("Stra\u00dfe \u0130", UTF8_NFKC, "Stra\u00dfe \u0130");
    /* Soft hyphens, joiners and controls are kept. */
    assert_form("a\u00ad\u200d\u200b\x01", UTF8_NFKC, "a\u00ad\u200d\u200b\x01");
}

TEST(utf8_normalize_again_changes_nothing)
{
    static const char text[] =
        "a\u0323\u0301 \ufdfa \u1e9b\u0323 \U0001f468\u200d\U0001f469 \u0958";
    for (int form = UTF8_NFC; form < UTF8_FORM_COUNT; form++) {
        struct strbuf once = {0};
        utf8_normalize(&once, text, strlen(text), (enum utf8_form)form, NULL);
        assert_form(once.text, (enum utf8_form)form, once.text);
        strbuf_release(&once);
    }
}

/* ---- Positions of a normal form in the given text ---- */

/* Bytes [from, to) of the normal form come from bytes [given_from, given_to) of the text. */
static void assert_origin(const char *text, enum utf8_form form, size_t from, size_t to,
                          size_t given_from, size_t given_to)
{
    struct strbuf out = {0};
    struct utf8_origin origin = {0};
    utf8_normalize(&out, text, strlen(text), form, &origin);
    assert_int_equal(utf8_origin_from(&origin, from), given_from);
    assert_int_equal(utf8_origin_to(&origin, to), given_to);
    strbuf_release(&out);
    utf8_origin_release(&origin);
}

TEST(utf8_origin_finds_the_bytes_that_a_normal_form_was_made_from)
{
    assert_origin("plain", UTF8_NFC, 1, 3, 1, 3);
    assert_origin("caf\u00e9 x", UTF8_NFC, 3, 5, 3, 5);    /* composed already */
    assert_origin("cafe\u0301 x", UTF8_NFC, 3, 5, 3, 6);   /* e and its accent */
    assert_origin("cafe\u0301 x", UTF8_NFC, 6, 7, 7, 8);   /* the x after it */
    assert_origin("e\u0301e\u0301", UTF8_NFC, 2, 4, 3, 6); /* the second of two */
    assert_origin("a\ufb01b", UTF8_NFKC, 2, 3, 1, 4);      /* the i of a ligature: all of it */
    assert_origin("a\ufb01b", UTF8_NFKC, 3, 4, 4, 5);      /* the b after it */
    assert_origin("\u1112\u1161\u11ab.", UTF8_NFC, 3, 4, 9, 10); /* after a Hangul syllable */
}

/* A random text of code points that tend to merge with their neighbors. */
static void add_mergers(struct strbuf *out, uint64_t *key)
{
    static const int32_t often[] = {'a',    ' ',     'e',     0x301,   0x323,   0x345,  0x1100,
                                    0x1161, 0x11a8,  0x3131,  0x314f,  0xff76,  0xff9e, 0xffa1,
                                    0xffc2, 0x9c7,   0x9be,   0x915,   0x93c,   0x958,  0xfb01,
                                    0x212b, 0x1e9b,  0x3099,  0x304b,  0xfe70,  0xfc5e, 0x2126,
                                    0xac00, 0x1d15e, 0x114b9, 0x114ba, 0x110ba, 0x11099};
    enum { OFTEN = sizeof often / sizeof *often, LENGTH = 12, POINTS = 0x30000 };
    for (int i = 0; i < LENGTH; i++) {
        *key = rng_key(*key, (uint64_t)i);
        int32_t point = *key % 4 ? often[(*key >> 8) % OFTEN] : (int32_t)((*key >> 8) % POINTS) + 1;
        point = point >= 0xd800 && point < 0xe000 ? 'x' : point;
        hostile_add_point(out, (uint32_t)point);
    }
}

TEST(utf8_normal_form_is_the_same_with_and_without_its_origin)
{
    uint64_t key = rng_seed(7);
    for (int i = 0; i < 20000; i++) {
        const enum utf8_form form = i % 2 ? UTF8_NFC : UTF8_NFKC;
        struct strbuf text = {0}, plain = {0}, traced = {0};
        struct utf8_origin origin = {0};
        add_mergers(&text, &key);
        utf8_normalize(&plain, text.text, text.length, form, NULL);
        utf8_normalize(&traced, text.text, text.length, form, &origin);
        assert_int_equal(plain.length, traced.length);
        assert_memory_equal(plain.text, traced.text, plain.length);
        assert_int_equal(utf8_origin_from(&origin, 0), 0);
        assert_int_equal(utf8_origin_to(&origin, traced.length), text.length);
        strbuf_release(&text);
        strbuf_release(&plain);
        strbuf_release(&traced);
        utf8_origin_release(&origin);
    }
}

TEST(utf8_forms_are_the_choices_of_an_option)
{
    assert_string_equal(utf8_form_name(UTF8_NONE), "none");
    assert_string_equal(utf8_forms[UTF8_NFC], "nfc");
    assert_string_equal(utf8_forms[UTF8_NFKC], "nfkc");
    assert_null(utf8_form_name(UTF8_FORM_COUNT));
    assert_null(utf8_forms[UTF8_FORM_COUNT]);
}
TEST(utf8_next_walks_through_code_points)
{
    const char text[] = "a\u00e9\u20ac\U0001f600";
    static const int32_t want[] = {'a', 0xe9, 0x20ac, 0x1f600};
    size_t at = 0;
    for (int i = 0; i < 4; i++) {
        int32_t point = -1;
        const size_t bytes = utf8_next(text + at, sizeof text - 1 - at, &point);
        assert_int_equal(bytes, i + 1);
        assert_int_equal(point, want[i]);
        at += bytes;
    }
    int32_t none;
    assert_int_equal(utf8_next(text + at, 0, &none), 0);
}

TEST(utf8_class_tells_white_space_numbers_punctuation_and_symbols)
{
    static const struct {
        int32_t point;
        enum utf8_class class;
    } classes[] = {
        {' ', UTF8_BLANK},          {'\t', UTF8_BLANK},      {0x85, UTF8_BLANK},
        {0xa0, UTF8_BLANK},         {0x3000, UTF8_BLANK},    {0x1c, UTF8_BLANK},
        {0x200b, UTF8_OTHER},       {'7', UTF8_NUMBER},      {0xbd, UTF8_NUMBER},
        {0x969, UTF8_NUMBER},       {'.', UTF8_PUNCTUATION}, {0xab, UTF8_PUNCTUATION},
        {0x3002, UTF8_PUNCTUATION}, {'$', UTF8_SYMBOL},      {0x20ac, UTF8_SYMBOL},
        {0x1f600, UTF8_SYMBOL},     {'a', UTF8_OTHER},       {0x915, UTF8_OTHER},
        {0x94d, UTF8_OTHER},        {0x1, UTF8_OTHER},
    };
    for (size_t i = 0; i < sizeof classes / sizeof *classes; i++)
        if (utf8_class(classes[i].point) != classes[i].class)
            fail_msg("U+%04X is of class %d", (unsigned)classes[i].point,
                     (int)utf8_class(classes[i].point));
}

TEST(utf8_lower_follows_unicode_in_every_script)
{
    static const char *const lowered[][2] = {
        {"", ""},
        {"STRASSE, 3 \u00c4", "strasse, 3 \u00e4"},
        {"\u041c\u0418\u0420", "\u043c\u0438\u0440"},
        {"\u0939\u093f", "\u0939\u093f"},
        {"\u0130", "i\u0307"},
        {"\u01c5", "\u01c6"},
        {"\u1e9e", "\u00df"},
        /* A sigma is final after a letter when no letter follows; marks and points within a word do
         * not separate them. */
        {"\u03a3", "\u03c3"},
        {"\u0391\u03a3", "\u03b1\u03c2"},
        {"\u0391\u03a3 \u0392", "\u03b1\u03c2 \u03b2"},
        {"\u0391\u03a3.\u0392", "\u03b1\u03c3.\u03b2"},
        {"\u0391\u0301\u03a3.", "\u03b1\u0301\u03c2."},
        {"1\u03a3", "1\u03c3"},
        {"\u00aa\u03a3", "\u00aa\u03c2"},
    };
    for (size_t i = 0; i < sizeof lowered / sizeof *lowered; i++) {
        struct strbuf out = {0};
        strbuf_adds(&out, "");
        utf8_lower(&out, lowered[i][0]);
        assert_string_equal(out.text, lowered[i][1]);
        strbuf_release(&out);
    }
}

TEST(utf8_whole_drops_a_character_that_was_cut)
{
    const char text[] = "a\u00e9\u20ac\U0001f600";
    static const size_t want[] = {0, 1, 1, 3, 3, 3, 6, 6, 6, 6, 10};
    for (size_t i = 0; i < sizeof text; i++)
        assert_int_equal(utf8_whole(text, i), want[i]);
    assert_int_equal(utf8_whole("a\x80\x80\x80\x80\x80", 6), 6); /* no complete code point before */
}

TEST(utf8_repair_takes_out_what_is_not_valid)
{
    char broken[] = "a\xe2\x82z\xff\u20ac\xed\xa0\x80\xc3", good[] = "a\u00e9\u20ac\U0001f600",
         empty[] = "";
    utf8_repair(broken);
    assert_string_equal(broken, "az\u20ac");
    utf8_repair(good);
    assert_string_equal(good, "a\u00e9\u20ac\U0001f600");
    utf8_repair(empty);
    assert_string_equal(empty, "");
    assert_int_equal(utf8_first("\u20ac", 3), 3);
    assert_int_equal(utf8_first("\u20ac", 2), 0);
    assert_int_equal(utf8_first("", 0), 0);
}
