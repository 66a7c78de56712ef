#include "test.h"

#include "base/strbuf.h"
#include "serve/pieces.h"

#include <ctype.h>
#include <string.h>

/* Pieces as one text, those that ask in brackets. */
static char *show(void (*cut)(struct pieces *, const char *), const char *text)
{
    struct pieces p = {0};
    struct strbuf out = {0};
    int asking = 0;
    cut(&p, text);
    for (int i = 0; i < p.count; i++) {
        strbuf_addf(&out, p.item[i].asks ? "[%s]" : "%s", p.item[i].text);
        asking += p.item[i].asks;
    }
    assert_int_equal(p.asking, asking);
    assert_false(p.failed);
    pieces_release(&p);
    return strbuf_detach(&out);
}

static void check(void (*cut)(struct pieces *, const char *), const char *text, const char *want)
{
    char *got = show(cut, text);
    assert_string_equal(got, want);
    free(got);
}

TEST(pieces_of_text_are_its_lines)
{
    check(pieces_cut_text, "a b", "[a b]");
    check(pieces_cut_text, "a\nb\n", "[a]\n[b]\n");
    check(pieces_cut_text, "a\r\nb", "[a]\r\n[b]");
    check(pieces_cut_text, " a \n\n  \n b", "[ a ]\n\n\n[ b]");
    check(pieces_cut_text, "", "");
    check(pieces_cut_text, "\n", "\n");
}

TEST(pieces_of_html_are_runs_of_text)
{
    check(pieces_cut_html, "<p>a <b>c</b> d</p>", "<p>[a] <b>[c]</b> [d]</p>");
    check(pieces_cut_html, "x &amp; y &lt;z&gt; &#228;&#x1F600;&nbsp;q",
          "[x & y <z> \xc3\xa4\xf0\x9f\x98\x80\xc2\xa0q]");
    check(pieces_cut_html, "<script>if (a < b) c;</script>d", "<script>if (a < b) c;</script>[d]");
    check(pieces_cut_html, "<STYLE>p > q</style><!-- a > b -->c",
          "<STYLE>p > q</style><!-- a > b -->[c]");
    check(pieces_cut_html, "a&#10;b&#13;&#xA;c", "[a b  c]"); /* one to translate is a line */
    check(pieces_cut_html, " \n<p>\n a\nb \n</p>", " \n<p>\n [a b] \n</p>");
}

TEST(pieces_of_broken_html_lose_nothing)
{
    check(pieces_cut_html, "a <b", "[a] <b");
    check(pieces_cut_html, "a &unknown; &#xd800; &#; & b", "[a &unknown; &#xd800; &#; & b]");
    check(pieces_cut_html, "<!-- a", "<!-- a");
    check(pieces_cut_html, "<", "<");
    check(pieces_cut_html, "", "");
}

TEST(pieces_translations_are_escaped_for_html)
{
    struct strbuf out = {0};
    pieces_escape_html(&out, "a < b & \"c\" > d");
    assert_string_equal(out.text, "a &lt; b &amp; \"c\" &gt; d");
    strbuf_release(&out);
}
