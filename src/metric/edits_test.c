#include "test.h"

#include "metric/edits.h"
#include "metric/units.h"

#include <string.h>

/* The edits of two texts, one letter each: = same, S substituted, D deleted, I inserted. */
static const char *edits(const char *output, const char *reference, bool characters)
{
    static char text[64];
    struct words words = {0};
    struct units a = {0}, b = {0};
    struct edits e = {0};
    int wrong = 0;
    units_read(&words, &a, output, characters, false);
    units_read(&words, &b, reference, characters, false);
    assert_true(edits_align(&e, &a.id, &b.id));
    assert_true(e.count < (int)sizeof text);
    for (int i = 0; i < e.count; i++) {
        text[i] = "=SDI"[e.item[i].kind];
        wrong += e.item[i].kind != EDIT_SAME;
        assert_true((e.item[i].output < 0) == (e.item[i].kind == EDIT_DELETED));
        assert_true((e.item[i].reference < 0) == (e.item[i].kind == EDIT_INSERTED));
    }
    text[e.count] = '\0';
    assert_int_equal(wrong, symbols_distance(&a.id, &b.id));
    edits_release(&e);
    units_release(&a);
    units_release(&b);
    words_release(&words);
    return text;
}

TEST(edits_align_as_by_hand)
{
    assert_string_equal(edits("a b c", "a b c", false), "===");
    assert_string_equal(edits("a x c", "a b c", false), "=S=");
    assert_string_equal(edits("a c", "a b c", false), "=D=");
    assert_string_equal(edits("a b b c", "a b c", false), "=I==");
    assert_string_equal(edits("t s a n", "ts a", false), "IS=I");
    assert_string_equal(edits("x", "a b", false), "DS"); /* not "SD": from the end */
    assert_string_equal(edits("", "a b", false), "DD");
    assert_string_equal(edits("a b", "", false), "II");
    assert_string_equal(edits("", "", false), "");
    assert_string_equal(edits("sitting", "kitten", true), "S===S=I");
}

TEST(edits_of_lines_too_long_are_refused)
{
    static int many[40000];
    struct edits e = {0};
    const struct symbols line = {.item = many, .count = 40000};
    assert_false(edits_align(&e, &line, &line));
    edits_release(&e);
}

static void assert_spans(const char *text, bool characters, bool lowercase, const char *joined)
{
    struct words words = {0};
    struct units u = {0};
    struct strbuf got = {0};
    units_read(&words, &u, text, characters, lowercase);
    for (int i = 0; i < u.id.count; i++) {
        strbuf_addc(&got, '|');
        strbuf_add(&got, u.line.text + u.span[i].start, u.span[i].length);
    }
    assert_string_equal(got.text ? got.text : "", joined);
    strbuf_release(&got);
    units_release(&u);
    words_release(&words);
}

TEST(units_are_tokens_or_characters_with_their_text)
{
    assert_spans("  t͡ʃ  a\u00a0b ", false, false, "|t͡ʃ|a|b");
    assert_spans(" a  \tb ", true, false, "|a| |b");
    assert_spans("cafe\u0301", true, false, "|c|a|f|e\u0301");
    assert_spans("Ab C", false, true, "|ab|c");
    assert_spans("   ", false, false, "");
    assert_spans("   ", true, false, "");
    assert_spans("", true, true, "");
}
