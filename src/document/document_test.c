/* Documents of every format: what is not text stays byte for byte, and broken ones are refused. */
#include "test.h"

#include "base/strbuf.h"
#include "document/document.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef char *change_fn(const char *text);

static char *same(const char *text) { return strdup(text); }

/* A "translation" that shows what was translated. */
static char *shout(const char *text)
{
    char *out = strdup(text);
    for (char *c = out; *c; c++)
        *c = *c >= 'a' && *c <= 'z' ? (char)(*c - 'a' + 'A') : *c;
    return out;
}

static char *forget(const char *text)
{
    (void)text;
    return strdup("x & <y> \"z\\ w");
}

static bool find_stops(void *context, const char *language, const char *text, size_t length,
                       attend_sentence_fn *take, void *taker)
{
    (void)context, (void)language;
    for (size_t i = 0; i + 1 < length; i++)
        if (text[i] == '.' && text[i + 1] == ' ')
            take(taker, i + 2);
    take(taker, length);
    return true;
}
static const struct attend_sentences stops = {.find = find_stops};

static bool add(void *context, const char *bytes, size_t length)
{
    strbuf_add(context, bytes, length);
    return true;
}

/* Translate `most` lines at a time. */
static enum attend_status translate(const char *format, const char *text, size_t length,
                                    change_fn *change, int most, bool overwrite, struct strbuf *out,
                                    struct attend_document_report *report, struct attend_error *err)
{
    const struct attend_document_setup setup = {.format = format,
                                                .splitting = {.sentences = &stops},
                                                .source = "en",
                                                .target = "fr",
                                                .overwrite = overwrite};
    const struct attend_sink sink = {add, out};
    const char *const *lines;
    char *made[64];
    struct attend_document *d;
    int count = 1;
    assert_int_equal(attend_document_open_bytes(&d, "name", text, length, &setup, err), ATTEND_OK);
    enum attend_status status = ATTEND_OK;
    while (!status && count) {
        status = attend_document_read(d, &sink, most, &lines, &count, err);
        for (int i = 0; i < count && !status; i++)
            made[i] = change(lines[i]);
        if (!status)
            status = attend_document_write(d, &sink, (const char *const *)made, err);
        for (int i = 0; i < count && !status; i++)
            free(made[i]);
    }
    if (report)
        *report = attend_document_report(d);
    attend_document_close(d);
    return status;
}

static void assert_becomes(const char *format, const char *text, change_fn *change,
                           const char *want)
{
    for (int most = 1; most <= 64; most *= 4) {
        struct attend_error err = {.message = ""};
        struct strbuf out = {0};
        strbuf_adds(&out, "");
        if (translate(format, text, strlen(text), change, most, false, &out, NULL, &err))
            fail_msg("%s", err.message);
        assert_string_equal(out.text, want);
        strbuf_release(&out);
    }
}

static void assert_refused(const char *format, const char *text, const char *want)
{
    struct attend_error err = {.message = ""};
    struct strbuf out = {0};
    assert_int_equal(translate(format, text, strlen(text), shout, 8, false, &out, NULL, &err),
                     ATTEND_DATA);
    assert_string_equal(err.message, want);
    strbuf_release(&out);
}

static const char srt[] =
    "\xef\xbb\xbf"
    "1\r\n00:00:01,000 --> 00:00:02,500\r\nHello,\r\nworld. Bye.\r\n\r\n"
    "\r\n2\r\n00:00:03,000 --> 00:00:04,000 X1:5\r\n{\\an8}<i>- Who?</i>\r\n- <b>Me</b> & "
    "you.\r\n\r\n"
    "3\r\n00:00:05,000 --> 00:00:06,000\r\n\r\n4\r\n00:00:07.000 --> 00:00:08.000\r\nlast";
static const char po[] = "# comment\nmsgid \"\"\nmsgstr \"\"\n\"Content-Type: text/plain; "
                         "charset=UTF-8\\n\"\n\n#, fuzzy\nmsgid \"done\"\nmsgstr \"fait\"\n"
                         "#~ msgid \"old\"\n#~ msgstr \"\"\n";
static const char tmx[] =
    "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<!DOCTYPE tmx SYSTEM \"tmx14.dtd\" [ <!-- > --> "
    "]>\n"
    "<tmx version=\"1.4\"><header srclang=\"en\"/><body>\n"
    "<!-- <tu> -->\n  <tu tuid=\"a>b\">\n    <tuv xml:lang=\"en-US\"><seg>one</seg></tuv>\n"
    "    <tuv xml:lang=\"FR\"><seg>un</seg></tuv>\n  </tu>\n</body></tmx>\n";
static const char html[] = "<!doctype html><p class=\"x\">One two. Three <b>four</b>\r\n</p>"
                           "<script>a < b</script><!-- x -->\n";

TEST(document_identity_keeps_every_byte)
{
    static const char text[] = "\xef\xbb\xbf One. Two  \r\n\r\n\tThree\nfour \xc2\xa0\r\n\n five";
    assert_becomes("text", text, same, text);
    assert_becomes("text", "", same, "");
    assert_becomes("srt", srt, same, srt);
    assert_becomes("po", po, shout, po);
    assert_becomes("tmx", tmx, shout, tmx);
    assert_becomes("html", html, same, html);
}

TEST(document_every_format_takes_an_empty_file)
{
    struct attend_document_format format;
    for (int i = 0; attend_document_format(i, &format); i++) {
        assert_becomes(format.name, "", shout, "");
        char path[32];
        snprintf(path, sizeof path, "x%s", format.ending);
        assert_string_equal(attend_document_format_of(path), format.name);
    }
    assert_null(attend_document_format_of("x.docx"));
    assert_null(attend_document_format_of("srt"));
    assert_string_equal(attend_document_format_of("a/b.SRT.gz"), "srt");
}

TEST(document_text_translates_sentences)
{
    assert_becomes("text", " one. two\r\n\nthree", shout, " ONE. TWO\r\n\nTHREE");
}

TEST(document_srt_translates_only_text)
{
    assert_becomes("srt", srt, shout,
                   "\xef\xbb\xbf"
                   "1\r\n00:00:01,000 --> 00:00:02,500\r\nHELLO, WORLD. BYE.\r\n\r\n"
                   "\r\n2\r\n00:00:03,000 --> 00:00:04,000 X1:5\r\n{\\an8}<i>- WHO?</i>\r\n- "
                   "<b>ME</b> & YOU.\r\n\r\n3\r\n00:00:05,000 --> 00:00:06,000\r\n\r\n"
                   "4\r\n00:00:07.000 --> 00:00:08.000\r\nLAST");
    assert_becomes("srt",
                   "1\n0:0:1,0 --> 0:0:2,0\nthis is a long subtitle that has several\nlines with "
                   "quite a few words in them\n",
                   shout,
                   "1\n0:0:1,0 --> 0:0:2,0\nTHIS IS A LONG SUBTITLE THAT HAS SEVERAL\nLINES WITH "
                   "QUITE A FEW WORDS IN THEM\n");
}

TEST(document_srt_refuses_broken_subtitles)
{
    assert_refused("srt", "1\n00:00:01 --> 00:00:02\nx\n",
                   "name:2: not the times of a subtitle, such as 00:00:01,000 --> 00:00:02,500");
    assert_refused("srt", "1\n00:00:01,000 -> 00:00:02,000\nx\n",
                   "name:2: not the times of a subtitle, such as 00:00:01,000 --> 00:00:02,500");
    assert_refused("srt", "\nhello\n", "name:2: not the number of a subtitle");
    assert_refused("srt", "1\n0:0:1,0 --> 0:0:2,0\nx\n\n2\n",
                   "name:5: the file ends in the middle of a subtitle");
}

TEST(document_po_fills_what_is_empty)
{
    assert_becomes("po", "msgctxt \"menu\"\nmsgid \"open\"\nmsgstr \"\"\n", shout,
                   "msgctxt \"menu\"\nmsgid \"open\"\nmsgstr \"OPEN\"\n");
    assert_becomes("po", "msgid \"\"\r\n\"a \\\"b\\\".\\n\"\r\n\"c\\n\"\r\nmsgstr \"\"\r\n", shout,
                   "msgid \"\"\r\n\"a \\\"b\\\".\\n\"\r\n\"c\\n\"\r\nmsgstr \"\"\r\n\"A "
                   "\\\"B\\\".\\n\"\r\n\"C\\n\"\r\n");
    assert_becomes("po",
                   "msgid \"a\"\nmsgid_plural \"b\"\nmsgstr[0] \"\"\nmsgstr[1] \"\"\nmsgid "
                   "\"c\"\nmsgstr \"\"",
                   shout,
                   "msgid \"a\"\nmsgid_plural \"b\"\nmsgstr[0] \"A\"\nmsgstr[1] \"B\"\nmsgid "
                   "\"c\"\nmsgstr \"C\"");
    assert_becomes("po", "msgid \"a\"\nmsgstr \"\"\n", forget,
                   "msgid \"a\"\nmsgstr \"x & <y> \\\"z\\\\ w\"\n");
}

TEST(document_po_keeps_placeholders_or_nothing)
{
    struct attend_document_report report;
    struct strbuf out = {0};
    static const char text[] = "#, c-format\nmsgid \"a %d\"\nmsgstr \"\"\n";
    translate("po", text, strlen(text), forget, 8, false, &out, &report, NULL);
    assert_string_equal(out.text, text);
    assert_int_equal(report.left, 1);
    strbuf_release(&out);
    assert_becomes("po", "#, c-format\nmsgid \"%5.2f %% %1$s\"\nmsgstr \"\"\n", same,
                   "#, c-format\nmsgid \"%5.2f %% %1$s\"\nmsgstr \"%5.2f %% %1$s\"\n");
}

TEST(document_overwrite_replaces_translations)
{
    struct strbuf out = {0};
    static const char text[] = "msgid \"a\"\nmsgstr \"\"\n\"b\"\n";
    translate("po", text, strlen(text), shout, 8, true, &out, NULL, NULL);
    assert_string_equal(out.text, "msgid \"a\"\nmsgstr \"A\"\n");
    strbuf_clear(&out);
    translate("tmx", tmx, strlen(tmx), shout, 8, true, &out, NULL, NULL);
    assert_non_null(strstr(out.text, "<tuv xml:lang=\"FR\"><seg>ONE</seg></tuv>"));
    strbuf_release(&out);
}

TEST(document_po_refuses_broken_messages)
{
    assert_refused("po", "msgid \"a\nmsgstr \"\"\n",
                   "name:1: the quotes of this string are not balanced");
    assert_refused("po", "msgid \"a\"\nmsgstr \"b\" c\n",
                   "name:2: the quotes of this string are not balanced");
    assert_refused("po", "msgid \"a\"\nmsgstr \"b\\\"",
                   "name:2: the quotes of this string are not balanced");
    assert_refused("po", "msgstr \"b\"\n", "name:1: a msgstr without its msgid");
    assert_refused("po", "\"b\"\n", "name:1: a string without msgid or msgstr before it");
    assert_refused("po", "msgid \"a\"\n",
                   "name:1: this message has no msgstr; the file is cut short");
    assert_refused("po", "hello\n", "name:1: not a line of a .po file");
    assert_refused("po", "msgid \"\"\nmsgstr \"Content-Type: text/plain; charset=ISO-8859-1\\n\"\n",
                   "name:1: the charset is ISO-8859-1, which is not read; convert it: msgconv -t "
                   "UTF-8");
}

TEST(document_tmx_adds_the_target)
{
    assert_becomes(
        "tmx",
        "<tmx><body>\n  <tu>\n    <tuv xml:lang=\"en\"><seg>a &amp; <ph>c</ph>b <hi>d</hi></seg>"
        "</tuv>\n  </tu>\n</body></tmx>",
        shout,
        "<tmx><body>\n  <tu>\n    <tuv xml:lang=\"en\"><seg>a &amp; <ph>c</ph>b <hi>d</hi></seg>"
        "</tuv>\n    <tuv xml:lang=\"fr\"><seg>A &amp; <ph>c</ph>B <hi>D</hi></seg></tuv>\n  "
        "</tu>\n</body></tmx>");
    assert_becomes(
        "tmx", "<tmx><tu><tuv lang='fr'><seg/></tuv><tuv lang='en'><seg>a</seg></tuv></tu></tmx>",
        forget,
        "<tmx><tu><tuv lang='fr'><seg>x &amp; &lt;y&gt; \"z\\ w</seg></tuv><tuv "
        "lang='en'><seg>a</seg></tuv></tu></tmx>");
    assert_becomes("tmx", "<tmx><tu><tuv lang='de'><seg>a</seg></tuv></tu></tmx>", shout,
                   "<tmx><tu><tuv lang='de'><seg>a</seg></tuv></tu></tmx>");
    assert_becomes(
        "tmx", "<tmx><tu><tuv lang='en'><seg>&#x41;b<![CDATA[c<d]]></seg></tuv></tu></tmx>", shout,
        "<tmx><tu><tuv lang='en'><seg>&#x41;b<![CDATA[c<d]]></seg></tuv><tuv "
        "lang=\"fr\"><seg>ABC&lt;D</seg></tuv></tu></tmx>");
}

TEST(document_tmx_refuses_broken_files)
{
    assert_refused("tmx", "<tmx><body>", "name:1: <body> has no end; the file is cut short");
    assert_refused("tmx", "<tmx>\n<tu><tuv xml:lang=\"en\"><seg>a</seg>",
                   "name:2: this <tu> has no end; the file is cut short");
    assert_refused("tmx", "<tmx><tu></tmx>", "name:1: </tmx> closes an element that is not open");
    assert_refused("tmx", "<tmx a=\">", "name:1: the file ends in the middle of a tag");
    assert_refused("tmx", "<html>", "name:1: not a TMX file: it does not begin with <tmx>");
    assert_refused("tmx", "hello", "name:1: not a TMX file: it has no <tmx>");
    assert_refused("tmx", "<?xml version=\"1.0\" encoding=\"UTF-16\"?><tmx/>",
                   "name:1: the encoding is UTF-16, which is not read; convert it to UTF-8");
    assert_refused("tmx", "<tmx><tu><tuv><seg>a</seg></tuv></tu></tmx>",
                   "name:1: a <tuv> without a language (xml:lang)");
    assert_refused("tmx", "<tmx><tu><tuv lang='en'><seg>&x;</seg></tuv></tu></tmx>",
                   "name:1: a segment has a & that XML does not know; write &amp;");
}

/* Inline tags are part of the line; attend/markup.h takes them out of it. */
TEST(document_html_translates_only_text)
{
    assert_becomes("html", html, shout,
                   "<!doctype html><p class=\"x\">ONE TWO. THREE <B>FOUR</B>\r\n</p>"
                   "<script>a < b</script><!-- x -->\n");
}

TEST(document_refuses_bytes_that_are_not_text)
{
    struct attend_document_format format;
    for (int i = 0; attend_document_format(i, &format); i++) {
        struct attend_error err = {.message = ""};
        struct strbuf out = {0};
        assert_refused(format.name, "\xff\xfe<",
                       "name: is UTF-16, which is not read; convert it: iconv -f UTF-16 -t UTF-8");
        assert_refused(format.name, "\n\xc3(",
                       "name:2: invalid UTF-8; convert the document with iconv");
        assert_int_equal(translate(format.name, "\n\0", 2, same, 8, false, &out, NULL, &err),
                         ATTEND_DATA);
        assert_string_equal(err.message, "name:2: contains a NUL byte; remove it");
        strbuf_release(&out);
    }
}
