#include "test.h"

#include "attend/markup.h"
#include "base/rng.h"
#include "base/strbuf.h"

#include <stdlib.h>
#include <string.h>

/* ---- A translation with given attention ---- */

/* The length of the token at the start of a text: a character of Han or Thai, a comma, or all up to
 * them or a blank. */
static size_t token_length(const char *text)
{
    if (*text == ',')
        return 1;
    if ((unsigned char)*text >= 0x80)
        return 3;
    size_t length = 0;
    while (text[length] && !strchr(" ,", text[length]) && (unsigned char)text[length] < 0x80)
        length++;
    return length;
}

/* The tokens of a text. */
static int cut(struct attend_span *span, int room, const char *text)
{
    int count = 0;
    for (size_t at = 0; text[at] && count < room; count++) {
        at += strspn(text + at, " ");
        const size_t length = token_length(text + at);
        if (!length)
            break;
        span[count] = (struct attend_span){at, at + length};
        at += length;
    }
    return count;
}

/* links: "0-1 2-0": source-target. NULL: no
 * attention. */
static struct attend_translation translation(const char *source, const char *target,
                                             const char *links)
{
    struct attend_translation t = {.text = strdup(target), .complete = true};
    t.source_span = calloc(200, sizeof *t.source_span);
    t.target_span = calloc(200, sizeof *t.target_span);
    t.source_count = cut(t.source_span, 199, source) + 1;
    t.target_count = cut(t.target_span, 199, target) + 1;
    t.source_span[t.source_count - 1] = (struct attend_span){strlen(source), strlen(source)};
    t.target_span[t.target_count - 1] = (struct attend_span){strlen(target), strlen(target)};
    t.target = calloc((size_t)t.target_count, sizeof *t.target);
    if (!links)
        return t;
    t.attention = calloc((size_t)t.source_count * (size_t)t.target_count, sizeof *t.attention);
    for (char *at = (char *)links; *at;) {
        const long j = strtol(at, &at, 10), i = strtol(at + 1, &at, 10);
        t.attention[i * t.source_count + j] = 1;
        at += *at == ' ';
    }
    return t;
}

static struct attend_markup *parse(const char *line, enum attend_tags tags, bool tolerant)
{
    struct attend_markup *m = NULL;
    struct attend_error err;
    if (attend_markup_parse(
            &m, line, &(struct attend_markup_options){.tags = tags, .tolerant = tolerant}, &err))
        fail_msg("%s: %s", line, err.message);
    return m;
}

static void check(const char *line, const char *plain, const char *target, const char *links,
                  const char *want)
{
    struct attend_markup *m = parse(line, ATTEND_TAGS_HTML, true);
    struct attend_error err;
    assert_string_equal(attend_markup_text(m), plain);
    struct attend_translation t = translation(plain, target, links);
    assert_int_equal(attend_markup_apply(m, &t, &err), ATTEND_OK);
    assert_string_equal(t.text, want);
    attend_translation_release(&t);
    attend_markup_free(m);
}

/* ---- Tags ---- */

TEST(markup_tag_lands_on_the_words_that_attended_to_its_words)
{
    check("mai <b>ghar</b> ja raha hoon", "mai ghar ja raha hoon", "I am going home",
          "0-0 4-1 2-2 1-3", "I am going <b>home</b>");
    check("<i>mai ghar</i> ja", "mai ghar ja", "I go home", "0-0 2-1 1-2", "<i>I</i> go home");
    check("<a href=\"x>y\">a b</a> c", "a b c", "C B A", "2-0 1-1 0-2",
          "C <a href=\"x>y\">B A</a>");
    check("<b>a b c</b>", "a b c", "X Y", "", "<b>X Y</b>");
    /* A word does not become punctuation. */
    check("a <b>b</b> c", "a b c", "X , Y", "0-0 1-1 2-2", "<b>X</b> , Y");
}

TEST(markup_elements_are_well_nested_and_keep_apart)
{
    check("<b>a <i>b</i></b> <u>c</u>", "a b c", "C B A", "2-0 1-1 0-2",
          "<u>C</u> <b><i>B</i> A</b>");
    check("<b><i>a</i></b> b", "a b", "X Y", "1-0 0-1", "X <b><i>Y</i></b>");
    /* More elements than words. */
    check("<b>a</b> <i>b</i> <u>c</u>", "a b c", "X", "0-0", "<b>X</b><i></i><u></u>");
    check("a <b></b> b", "a  b", "X Y", "0-0 1-1", "X <b></b>Y");
}

TEST(markup_single_tags_divide_the_attention)
{
    check("a <br/>b c", "a b c", "X Y Z", "0-0 1-1 2-2", "X <br/>Y Z");
    check("<!-- x -->a b<img src=y>", "a b", "X Y", "0-1 1-0", "<!-- x -->X Y<img src=y>");
    check("a b <hr> c", "a b  c", "Z X Y", "2-0 0-1 1-2", "Z X Y<hr>");
}

TEST(markup_broken_tags_are_kept_if_tolerant)
{
    check("a</b> c", "a c", "X Y", "0-0 1-1", "X</b> Y");
    check("<b>a c", "a c", "X Y", "0-0 1-1", "<b>X Y");
    check("<b>a<i> c</b></i>", "a c", "X Y", "0-0 1-1", "<b>X <i>Y</b></i>");
    check("a < c", "a < c", "X > Y", "0-0 2-2", "X &gt; Y");
    check("a <b", "a ", "X", "0-0", "X<b");
}

static void refused(const char *line, const char *why)
{
    struct attend_markup *m = NULL;
    struct attend_error err;
    const struct attend_markup_options options = {.tags = ATTEND_TAGS_HTML};
    assert_int_equal(attend_markup_parse(&m, line, &options, &err), ATTEND_DATA);
    if (!strstr(err.message, why))
        fail_msg("%s: %s", line, err.message);
}

TEST(markup_broken_tags_are_refused_otherwise)
{
    refused("a</b> c", "</b> at byte 2 closes a tag that is not open");
    refused("x <b>a c", "<b> at byte 3 is not closed");
    refused("<b>a<i>c</b></i>", "<i> at byte 5 is not closed, or another tag closes before it");
    refused("a <b", "<b at byte 3 does not end");
    refused("a \xff", "invalid UTF-8 at byte 3");
}

TEST(markup_references_are_decoded_and_escaped)
{
    check("a &amp; <b>&lt;c&gt;</b>&#10;d", "a & <c> d", "X & <Y>", "0-0 1-1 2-2",
          "X &amp; <b>&lt;Y&gt;</b>");
    check("&nothing; &#xd800; &#; &", "&nothing; &#xd800; &#; &", "x", "", "x");
}

TEST(markup_without_attention_follows_the_length)
{
    check("a b <b>c d</b>", "a b c d", "W X Y Z", NULL, "W X <b>Y Z</b>");
    check("a b {x} c d", "a b c d", "W X Y Z", NULL, "W X {x} Y Z");
}

/* ---- Placeholders ---- */

TEST(markup_placeholders_stand_like_words)
{
    check("Hello {name}, how", "Hello, how", "Salut, comment", "0-0 1-1 2-2",
          "Salut {name}, comment");
    check("{n} cats", "cats", "chats", "0-0", "{n} chats");
    check("file{0}.txt", "file.txt", "fichier.txt", "0-0", "fichier{0}.txt");
    check("a {x} {y} b", "a b", "A B", "0-0 1-1", "A {x} {y} B");
    check("a {x}{y} b", "a b", "A B", "0-0 1-1", "A {x}{y} B");
    check("a <b>{x}</b> b", "a b", "A B", "0-0 1-1", "A <b>{x} </b>B");
    check("{x} {y}", "", "", "", "{x} {y}");
    check("<b>%s</b>: %1$d", ":", ":", "0-0", "<b>%s</b>: %1$d");
}

TEST(markup_placeholders_do_not_split_words)
{
    check("a {x} b", "a b", "l'eau (b)", "0-0 1-1", "l'eau {x} (b)");
    /* A script without blanks. */
    check("a {x} b", "a b", "\xe6\x88\x91\xe4\xbd\xa0", NULL, "\xe6\x88\x91{x}\xe4\xbd\xa0");
}

static void is_one(const char *text, bool one)
{
    struct attend_markup *m = parse(text, ATTEND_TAGS_PLACEHOLDERS, false);
    if (one != !*attend_markup_text(m))
        fail_msg("%s: %s", text, attend_markup_text(m));
    attend_markup_free(m);
}

TEST(markup_knows_placeholders)
{
    static const char *const yes[] = {
        "{name}",   "{0}",     "{}", "{0:.2f}", "{{ name }}", "${x}",    "%s",     "%1$d", "%5.2f",
        "%(name)s", "%{name}", "%1", "%%",      "%-10ld",     "{a.b_c}", "${a.b}", "%@"};
    static const char *const no[] = {"50%off", "{n, plural}", "%",        "{",
                                     "{a b}",  "50% of",      "<b>x</b>", "&amp;"};
    for (size_t i = 0; i < sizeof yes / sizeof *yes; i++)
        is_one(yes[i], true);
    for (size_t i = 0; i < sizeof no / sizeof *no; i++)
        is_one(no[i], false);
}

/* ---- Any line ---- */

static uint64_t drawn = 1;
static int below(int n) { return (int)(rng_bits(7, drawn++) % (uint64_t)n); }

/* A line of words and punctuation, some with tags and placeholders beside them. */
static void add_words(struct strbuf *line, int words, int depth)
{
    static const char *const word[] = {"a",
                                       "bb",
                                       "l'eau",
                                       "(c)",
                                       "3.14",
                                       "\xe6\x88\x91\xe4\xbd\xa0",
                                       "d,",
                                       "e-f",
                                       "!",
                                       "&amp;",
                                       "\xe0\xb8\x81\xe0\xb8\xb3"};
    static const char *const single[] = {"<br/>", "<img src='>'>", "<!--x-->",
                                         "{n}",   "${v}",          "{{m}}"};
    for (int i = 0; i < words; i++) {
        const int what = below(6);
        if (i && below(5))
            strbuf_addc(line, ' ');
        if (what < 2 && depth < 4) {
            strbuf_adds(line, what ? "<b>" : "<i class=x>");
            add_words(line, below(4), depth + 1);
            strbuf_adds(line, what ? "</b>" : "</i>");
        } else if (what == 2) {
            strbuf_adds(line, single[below(6)]);
        } else {
            strbuf_adds(line, word[below(11)]);
        }
    }
}

static struct attend_translation any_translation(const char *plain)
{
    static const char *const word[] = {"A",   "l'eau", "(B", "C)", ".", "\xe4\xbd\xa0\xe6\x88\x91",
                                       "3.5", "?!",    "D-E"};
    struct strbuf target = {0};
    const int words = below(7);
    for (int i = 0; i < words; i++) {
        if (i && below(4))
            strbuf_addc(&target, ' ');
        strbuf_adds(&target, word[below(9)]);
    }
    struct attend_translation t =
        translation(plain, target.text ? target.text : "", below(5) ? "" : NULL);
    for (int i = 0; t.attention && i < t.source_count * t.target_count; i++)
        t.attention[i] = (float)below(100) / 100;
    strbuf_release(&target);
    return t;
}

static int count_of(const char *text, const char *what)
{
    int count = 0;
    for (; (text = strstr(text, what)); text += strlen(what))
        count++;
    return count;
}

TEST(markup_taken_out_again_gives_the_translation)
{
    static const char *const all[] = {"<b>",           "</b>",     "<i class=x>", "</i>", "<br/>",
                                      "<img src='>'>", "<!--x-->", "{n}",         "${v}", "{{m}}"};
    for (int n = 0; n < 20000; n++) {
        struct strbuf line = {0};
        struct attend_error err;
        strbuf_adds(&line, "");
        add_words(&line, 1 + below(6), 0);
        struct attend_markup *m = parse(line.text, ATTEND_TAGS_HTML, false);
        struct attend_translation t = any_translation(attend_markup_text(m));
        if (!*attend_markup_text(m))
            *t.text = '\0';
        char *want = strdup(t.text);
        assert_int_equal(attend_markup_apply(m, &t, &err), ATTEND_OK);
        struct attend_markup *again = NULL;
        const struct attend_markup_options options = {.tags = ATTEND_TAGS_HTML};
        if (attend_markup_parse(&again, t.text, &options, &err))
            fail_msg("%s -> %s: %s", line.text, t.text, err.message);
        if (strcmp(attend_markup_text(again), want) != 0)
            fail_msg("%s -> [%s] -> [%s], not [%s]", line.text, t.text, attend_markup_text(again),
                     want);
        for (size_t i = 0; i < sizeof all / sizeof *all; i++)
            if (count_of(line.text, all[i]) != count_of(t.text, all[i]))
                fail_msg("%s -> %s: %s", line.text, t.text, all[i]);
        free(want);
        attend_translation_release(&t);
        attend_markup_free(m);
        attend_markup_free(again);
        strbuf_release(&line);
    }
}

TEST(markup_deep_and_many_tags_end)
{
    struct strbuf line = {0};
    for (int i = 0; i < 5000; i++)
        strbuf_adds(&line, "<b>");
    strbuf_adds(&line, "word");
    for (int i = 0; i < 5000; i++)
        strbuf_adds(&line, "</b>");
    struct attend_markup *m = parse(line.text, ATTEND_TAGS_HTML, true);
    struct attend_translation t = translation("word", "Wort", "0-0");
    struct attend_error err;
    assert_int_equal(attend_markup_apply(m, &t, &err), ATTEND_OK);
    assert_int_equal(count_of(t.text, "<b>"), 5000);
    assert_int_equal(count_of(t.text, "</b>"), 5000);
    attend_translation_release(&t);
    attend_markup_free(m);
    refused(line.text, "more than 256 tags inside each other");
    strbuf_release(&line);
}
