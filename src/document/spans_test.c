/* Texts become lines; what is between them is not touched. */
#include "sentences_fixture.h"
#include "test.h"

#include "attend/document.h"
#include "base/strbuf.h"

#include <stdlib.h>
#include <string.h>

static struct attend_model *golden(void)
{
    struct attend_model *model;
    assert_int_equal(
        attend_model_load(&model, ATTEND_SOURCE "/tests/data/model-v1.safetensors", NULL),
        ATTEND_OK);
    return model;
}

/* The lines in brackets, and what is between them. */
static char *show(const char *text, const struct attend_splitting *how, long *cut)
{
    struct strbuf out = {0};
    struct attend_span *span;
    int count;
    size_t at = 0;
    assert_int_equal(attend_split(&span, &count, text, strlen(text), how, cut, NULL), ATTEND_OK);
    strbuf_adds(&out, "");
    for (int i = 0; i < count; i++) {
        strbuf_addf(&out, "%.*s[%.*s]", (int)(span[i].from - at), text + at,
                    (int)(span[i].to - span[i].from), text + span[i].from);
        at = span[i].to;
    }
    strbuf_adds(&out, text + at);
    free(span);
    return strbuf_detach(&out);
}

static void assert_split(const char *text, const struct attend_splitting *how, const char *want)
{
    char *got = show(text, how, NULL);
    assert_string_equal(got, want);
    free(got);
}

TEST(spans_without_sentences_gives_lines)
{
    const struct attend_splitting how = {0};
    assert_split("", &how, "");
    assert_split(" \t\n\n", &how, " \t\n\n");
    assert_split(" a. b \r\n\r\nc\n", &how, " [a. b] \r\n\r\n[c]\n");
    assert_split("a\xe2\x80\xa8"
                 "b\xc2\x85"
                 "c\xc3\xa9\fd\ve\rf",
                 &how, "[a]\xe2\x80\xa8[b]\xc2\x85[c\xc3\xa9]\f[d]\v[e]\r[f]");
    assert_split("\xc2\xa0x\xe3\x80\x80", &how, "\xc2\xa0[x]\xe3\x80\x80");
}

TEST(spans_sentences_keep_their_spaces)
{
    const struct attend_splitting how = {.sentences = &stops};
    assert_split("A.  B c.D", &how, "[A.]  [B c.][D]");
    assert_split("\tA. \n B. ", &how, "\t[A.] \n [B.] ");
    assert_split("...", &how, "[.][.][.]");
}

TEST(spans_cuts_at_clauses_then_blanks_then_characters)
{
    struct attend_model *model = golden();
    const struct attend_splitting how = {.model = model};
    struct strbuf text = {0};
    long cut = 0;
    for (int i = 0; i < 70; i++)
        strbuf_adds(&text, i == 60 ? "b, " : "a ");
    strbuf_adds(&text, "c");
    for (int i = 0; i < 80; i++)
        strbuf_adds(&text, " d");
    char *got = show(text.text, &how, &cut);
    assert_int_equal(cut, 1);
    assert_non_null(strstr(got, "a b,] [a a")); /* the clause, though more would fit */
    assert_string_equal(strrchr(got, ']'), "]");
    free(got);
    strbuf_release(&text);
    attend_model_free(model);
}

TEST(spans_never_cuts_inside_a_character)
{
    struct attend_model *model = golden();
    const struct attend_splitting how = {.model = model};
    struct strbuf text = {0};
    long cut = 0;
    for (int i = 0; i < 400; i++) /* a letter with two accents, and a family of emoji */
        strbuf_adds(&text,
                    i % 2 ? "e\xcc\x81\xcc\xa3 " : "\xf0\x9f\x91\xa8\xe2\x80\x8d\xf0\x9f\x91\xa9 ");
    char *got = show(text.text, &how, &cut);
    assert_int_equal(cut, 1);
    assert_null(strstr(got, "[\xcc"));
    assert_null(strstr(got, "[\xe2\x80\x8d"));
    assert_null(strstr(got, "\xe2\x80\x8d]"));
    free(got);
    strbuf_release(&text);
    attend_model_free(model);
}

TEST(spans_huge_line_takes_linear_time)
{
    struct attend_model *model = golden();
    const struct attend_splitting how = {.model = model};
    struct attend_span *span;
    int count;
    const size_t length = 1 << 21;
    char *text = malloc(length);
    memset(text, 'x', length);
    for (size_t i = 7; i < length; i += 8)
        text[i] = ' ';
    assert_int_equal(attend_split(&span, &count, text, length, &how, NULL, NULL), ATTEND_OK);
    assert_true(count > 1000);
    free(span);
    memset(text, 'x', length);
    assert_int_equal(attend_split(&span, &count, text, length, &how, NULL, NULL), ATTEND_OK);
    assert_true(count >= 1);
    free(span);
    free(text);
    attend_model_free(model);
}
