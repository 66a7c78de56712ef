#include "test.h"

#include "base/strbuf.h"
#include "base/utf8.h"
#include "viz/label.h"

#include <math.h>

static void assert_safe(const char *raw, const char *want)
{
    struct strbuf out = {0};
    label_add(&out, raw);
    strbuf_adds(&out, "");
    assert_string_equal(out.text, want);
    assert_true(utf8_valid(out.text, out.length, NULL));
    strbuf_release(&out);
}

TEST(label_ordinary_text_is_kept)
{
    assert_safe("", "");
    assert_safe("</s>", "</s>");
    assert_safe("घर 家 بيت 👩‍👩‍👧", "घर 家 بيت 👩‍👩‍👧");
}

TEST(label_control_characters_are_dropped)
{
    assert_safe("a\033[31m\tb\r\n\x7f", "a[31mb");
    assert_safe("a\xc2\x9b"
                "b", /* C1: one byte of an escape sequence */
                "ab");
    assert_safe("a\u2028b\u202ec\uffff", "abc");
}

TEST(label_wrong_bytes_become_replacement_characters)
{
    assert_safe("a\xff"
                "b",
                "a\ufffdb");
    assert_safe("\xe0\xa4", "\ufffd\ufffd");
    assert_safe("\xed\xa0\x80", "\ufffd\ufffd\ufffd");
}

TEST(label_isolates_surround_right_to_left_text_only)
{
    struct strbuf out = {0};
    label_add_isolated(&out, "home");
    label_add_isolated(&out, "घर");
    label_add_isolated(&out, "بيت");
    assert_string_equal(out.text, "homeघर\u2068بيت\u2069");
    strbuf_release(&out);
}

TEST(label_isolates_take_no_column) { assert_int_equal(utf8_width("\u2068ab\u2069"), 2); }

static void assert_number(double value, int decimals, const char *want)
{
    struct strbuf out = {0};
    label_add_number(&out, value, decimals);
    assert_string_equal(out.text, want);
    strbuf_release(&out);
}

TEST(label_numbers_have_fixed_decimals)
{
    assert_number(0.8734, 3, "0.873");
    assert_number(0.0049, 2, "0.00");
    assert_number(0.05, 2, "0.05");
    assert_number(0.999, 2, "1.00");
    assert_number(-12.25, 1, "-12.3");
    assert_number(-0.001, 1, "0.0");
    assert_number(41.6, 0, "42");
}

TEST(label_numbers_without_digits_are_named)
{
    assert_number((double)NAN, 2, "-");
    assert_number((double)INFINITY, 2, "inf");
    assert_number(-1e12, 2, "-inf");
}

TEST(label_direction_is_that_of_the_first_letter)
{
    assert_int_equal(label_direction("home"), LABEL_LEFT_TO_RIGHT);
    assert_int_equal(label_direction("\u200f😀 12! بيت home"), LABEL_RIGHT_TO_LEFT);
    assert_int_equal(label_direction("שלום"), LABEL_RIGHT_TO_LEFT);
    assert_int_equal(label_direction("घर بيت"), LABEL_LEFT_TO_RIGHT);
    assert_int_equal(label_direction("12.5!😀"), LABEL_NEUTRAL);
    assert_int_equal(label_direction(""), LABEL_NEUTRAL);
}

static bool mostly_reversed(const char *const *raw, int count)
{
    struct label_set set;
    label_set_init(&set, raw, count);
    const bool reversed = label_set_right_to_left(&set);
    label_set_release(&set);
    return reversed;
}

TEST(label_set_runs_the_way_of_most_labels)
{
    static const char *const labels[] = {"بيت", "</s>", "<unk>", "12", ".", "home", "of"};
    assert_true(mostly_reversed(labels, 1));
    assert_true(mostly_reversed(labels, 5));
    assert_false(mostly_reversed(labels, 6));
    assert_false(mostly_reversed(labels, 7));
    assert_false(mostly_reversed(labels + 1, 4));
    assert_false(mostly_reversed(NULL, 0));
}

/* Measured with Noto's fonts: never too small, and less than twice too large. */
TEST(label_em_is_close_to_what_fonts_need)
{
    static const struct {
        const char *text;
        double em;
    } measured[] = {{"Donaudampfschifffahrt", 11.04},
                    {"विश्वविद्यालय", 4.54},
                    {"대한민국의", 4.70},
                    {"المستشفى", 4.58},
                    {"ירושלים", 3.21},
                    {"👩‍👩‍👧", 1.25},
                    {"защищающий", 7.10},
                    {"e\u0301te\u0301", 1.48},
                    {"தமிழ்", 2.81},
                    {"বাংলা", 2.31},
                    {"ไทยภาษา", 3.56},
                    {"家家", 1.88}};
    for (size_t i = 0; i < sizeof measured / sizeof *measured; i++) {
        assert_true(label_em(measured[i].text) >= measured[i].em);
        assert_true(label_em(measured[i].text) <= 1.5 * measured[i].em);
    }
}

TEST(label_em_grows_with_wide_letters_and_scripts)
{
    assert_near(label_em(""), 0, 0);
    assert_true(label_em("WWW") > label_em("nnn"));
    assert_true(label_em("WWW") >= 3 * 0.99);
    assert_true(label_em("家") >= 1);
    assert_true(label_em("का") > label_em("क"));
}

TEST(label_set_holds_safe_copies)
{
    const char *raw[] = {"a\n", "家家", "xyz"};
    struct label_set set;
    label_set_init(&set, raw, 3);
    assert_false(set.failed);
    assert_string_equal(set.text[0], "a");
    assert_int_equal(label_set_columns(&set), 4);
    assert_near(label_set_em(&set), label_em("家家"), 1e-12);
    label_set_release(&set);
    label_set_release(&set);
}

TEST(label_set_of_none_is_empty)
{
    struct label_set set;
    label_set_init(&set, NULL, 0);
    assert_false(set.failed);
    assert_int_equal(label_set_columns(&set), 0);
    label_set_release(&set);
}
