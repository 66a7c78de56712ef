#include "test.h"

#include "base/strbuf.h"
#include "document/segments.h"

#include <ctype.h>
#include <string.h>

/* The segments as one text, with those to translate in brackets. */
static char *show(void (*cut)(struct segments *, const char *), const char *text)
{
    struct segments p = {0};
    struct strbuf out = {0};
    int asking = 0;
    cut(&p, text);
    for (int i = 0; i < p.count; i++) {
        strbuf_addf(&out, p.item[i].asks ? "[%s]" : "%s", p.item[i].text);
        asking += p.item[i].asks;
    }
    assert_int_equal(p.asking, asking);
    assert_false(p.failed);
    segments_release(&p);
    return strbuf_detach(&out);
}

static void check(void (*cut)(struct segments *, const char *), const char *text, const char *want)
{
    char *got = show(cut, text);
    assert_string_equal(got, want);
    free(got);
}

TEST(segments_of_text_are_its_lines)
{
    check(segments_cut_text, "a b", "[a b]");
    check(segments_cut_text, "a\nb\n", "[a]\n[b]\n");
    check(segments_cut_text, "a\r\nb", "[a]\r\n[b]");
    check(segments_cut_text, " a \n\n  \n b", "[ a ]\n\n\n[ b]");
    check(segments_cut_text, "", "");
    check(segments_cut_text, "\n", "\n");
}

TEST(segments_of_html_are_runs_of_text)
{
    check(segments_cut_html, "<p>a <b>c</b> d</p>", "<p>[a <b>c</b> d]</p>");
    check(segments_cut_html, "a<br>b <br/> c<td>d</td>", "[a]<br>[b] <br/> [c]<td>[d]</td>");
    check(segments_cut_html, "x &amp; y &lt;z&gt;", "[x &amp; y &lt;z&gt;]");
    check(segments_cut_html, "<script>if (a < b) c;</script>d",
          "<script>if (a < b) c;</script>[d]");
    check(segments_cut_html, "<STYLE>p > q</style><!-- a > b -->c",
          "<STYLE>p > q</style>[<!-- a > b -->c]");
    check(segments_cut_html, "<p title='<'>a</p><b>&nbsp;<i></i> </b>",
          "<p title='<'>[a]</p><b>&nbsp;<i></i> </b>");
    check(segments_cut_html, " \n<p>\n a\nb \n</p>", " \n<p>\n [a\nb] \n</p>");
}

TEST(segments_of_broken_html_lose_nothing)
{
    check(segments_cut_html, "a <b", "[a <b]");
    check(segments_cut_html, "<!-- a", "<!-- a");
    check(segments_cut_html, "a < b", "[a < b]");
    check(segments_cut_html, "<", "[<]");
    check(segments_cut_html, "", "");
}
