/* Tags and placeholders do not disturb the sentences of a text, and each goes with one of them. */
#include "document/inline_tags.h"

#include "base/strbuf.h"
#include "sentences_fixture.h"
#include "test.h"

#include <stdlib.h>
#include <string.h>

static void assert_split(enum attend_tags tags, const char *text, const char *want)
{
    const struct attend_splitting how = {.sentences = &stops};
    struct strbuf got = {0};
    struct attend_span *span;
    int count;
    size_t at = 0;
    assert_int_equal(inline_tags_split(&span, &count, text, strlen(text), tags, &how, NULL, NULL),
                     ATTEND_OK);
    for (int i = 0; i < count; i++) {
        strbuf_addf(&got, "%.*s[%.*s]", (int)(span[i].from - at), text + at,
                    (int)(span[i].to - span[i].from), text + span[i].from);
        at = span[i].to;
    }
    strbuf_adds(&got, text + at);
    assert_string_equal(got.text, want);
    strbuf_release(&got);
    free(span);
}

TEST(inline_tags_go_with_the_sentence_that_they_mark)
{
    assert_split(ATTEND_TAGS_HTML, "<b>a.</b> <i>b.</i>", "[<b>a.</b>] [<i>b.</i>]");
    assert_split(ATTEND_TAGS_HTML, "a <b>b</b>. c", "[a <b>b</b>.] [c]");
    assert_split(ATTEND_TAGS_HTML, "a.<br/> b.", "[a.<br/>] [b.]");
    assert_split(ATTEND_TAGS_HTML, "<b>a. b</b> c.", "[<b>a.] [b</b> c.]");
}

TEST(inline_tags_hide_their_own_text)
{
    assert_split(ATTEND_TAGS_HTML, "a <a href=\"x. y\">b</a>. c",
                 "[a <a href=\"x. y\">b</a>.] [c]");
    assert_split(ATTEND_TAGS_HTML, "a <!-- b. c --> d.", "[a <!-- b. c --> d.]");
    assert_split(ATTEND_TAGS_HTML, "a < b. c", "[a < b.] [c]");
}

TEST(inline_tags_take_line_ends_of_html_as_blanks)
{
    assert_split(ATTEND_TAGS_HTML, "a\r\nb. c", "[a\r\nb.] [c]");
    assert_split(ATTEND_TAGS_PLACEHOLDERS, "a\nb. c", "[a]\n[b.] [c]");
}

TEST(placeholders_go_with_the_next_sentence_or_the_last)
{
    assert_split(ATTEND_TAGS_PLACEHOLDERS, "%s a. {n} b. %d", "[%s a.] [{n} b. %d]");
    assert_split(ATTEND_TAGS_PLACEHOLDERS, "<b>a. b", "[<b>a.] [b]");
    assert_split(ATTEND_TAGS_PLACEHOLDERS, "a\n%s\n%d b", "[a]\n%s\n[%d b]");
    assert_split(ATTEND_TAGS_PLACEHOLDERS, "a %s\nb\n%d", "[a %s]\n[b]\n%d");
    assert_split(ATTEND_TAGS_HTML, "a. <b>%s</b> b.", "[a.] [<b>%s</b> b.]");
    assert_split(ATTEND_TAGS_HTML, "<b>%s</b>", "<b>%s</b>");
    assert_split(ATTEND_TAGS_NONE, "a. %s b", "[a.] [%s b]");
}
