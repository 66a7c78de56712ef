/* POST /translate_file, GET /download_file, and texts split into sentences, without a network. */
#include "routes_fixture.h"

#include "attend/document.h"

static bool find_bars(void *context, const char *language, const char *text, size_t length,
                      attend_sentence_fn *take, void *taker)
{
    (void)context, (void)language;
    for (size_t i = 0; i < length; i++)
        if (text[i] == ' ' && i + 2 < length && text[i + 1] == ' ')
            take(taker, i + 2);
    take(taker, length);
    return true;
}
static const struct attend_sentences pairs_of_blanks = {.find = find_bars};

static const char type[] = "multipart/form-data; boundary=B";
#define FIELD(name, value)                                                                         \
    "--B\r\nContent-Disposition: form-data; name=\"" name "\"\r\n\r\n" value "\r\n"
#define UPLOAD(name, value)                                                                        \
    "--B\r\nContent-Disposition: form-data; name=\"file\"; filename=\"" name                       \
    "\"\r\nContent-Type: application/octet-stream\r\n\r\n" value "\r\n"
#define PAIR FIELD("source", "xx") FIELD("target", "yy")

static void open_splitting(struct fixture *f)
{
    open_usual(f);
    f->server->hooks.sentences = &pairs_of_blanks;
}

/* Upload a file; the body of what is downloaded then. */
static char *fetch(struct fixture *f, const char *body)
{
    struct reply r = ask(f, "POST", "/translate_file", type, body);
    if (r.code != 200)
        fail_msg("%d: %s", r.code, r.body);
    char *path = strstr(r.body, "/download_file/");
    assert_non_null(path);
    *strchr(path, '"') = '\0';
    struct reply file = ask(f, "GET", path, NULL, "");
    assert_int_equal(file.code, 200);
    free(r.body);
    return file.body;
}

static void assert_fetched(struct fixture *f, const char *body, const char *want)
{
    char *got = fetch(f, body);
    assert_string_equal(got, want);
    free(got);
}

static void assert_refused(struct fixture *f, const char *body, const char *want)
{
    struct reply r = ask(f, "POST", "/translate_file", type, body);
    assert_string_equal(r.body, want);
    assert_int_equal(r.code, 400);
    free(r.body);
}

TEST(file_route_translates_each_format)
{
    struct fixture f;
    open_splitting(&f);
    assert_fetched(&f, UPLOAD("a.txt", "a b  c d\r\n\n e f ") PAIR "--B--", "b a  d c\r\n\n f e ");
    assert_fetched(&f, UPLOAD("a.srt", "1\n00:00:01,000 --> 00:00:02,000\na\nb\n") PAIR "--B--",
                   "1\n00:00:01,000 --> 00:00:02,000\nb a\n");
    assert_fetched(&f, UPLOAD("a.po", "msgid \"a b\"\nmsgstr \"\"\n") PAIR "--B--",
                   "msgid \"a b\"\nmsgstr \"b a\"\n");
    assert_fetched(&f, UPLOAD("a.html", "<p>a b</p>") PAIR "--B--", "<p>b a</p>");
    assert_fetched(
        &f, UPLOAD("a.tmx", "<tmx><tu><tuv lang='xx'><seg>a b</seg></tuv></tu></tmx>") PAIR "--B--",
        "<tmx><tu><tuv lang='xx'><seg>a b</seg></tuv><tuv "
        "lang=\"yy\"><seg>b a</seg></tuv></tu></tmx>");
    assert_fetched(&f, UPLOAD("a.txt", "") PAIR "--B--", "");
    assert_fetched(&f, UPLOAD("a.txt", "a b  c d") PAIR FIELD("split_sentences", "0") "--B--",
                   "d c b a");
    assert_fetched(&f, UPLOAD("a.txt", "a b") FIELD("source", "yy") FIELD("target", "yy") "--B--",
                   "a b");
    close_fixture(&f);
}

TEST(file_route_refuses_with_a_reason)
{
    struct fixture f;
    open_splitting(&f);
    assert_refused(&f, PAIR "--B--", ERROR("Invalid request: missing file parameter"));
    assert_refused(&f, FIELD("file", "a") PAIR "--B--",
                   ERROR("Invalid request: missing file parameter"));
    assert_refused(&f, UPLOAD("", "a") PAIR "--B--", ERROR("Invalid request: empty file"));
    assert_refused(&f, UPLOAD("a.docx", "a") PAIR "--B--",
                   ERROR("Invalid request: file format not supported"));
    assert_refused(&f, UPLOAD("a.txt", "a") FIELD("source", "xx") "--B--",
                   ERROR("Invalid request: missing target parameter"));
    assert_refused(&f, UPLOAD("a.txt", "a") FIELD("source", "zz") FIELD("target", "yy") "--B--",
                   ERROR("zz is not supported"));
    assert_refused(&f, UPLOAD("a.txt", "a \xc3(") PAIR "--B--",
                   ERROR("Invalid request: a.txt:1: invalid UTF-8; convert the document with "
                         "iconv"));
    assert_refused(&f, UPLOAD("a.srt", "1\n") PAIR "--B--",
                   ERROR("Invalid request: a.srt:1: the file ends in the middle of a subtitle"));
    expect(&f, "/translate_file", "{}", 400, ERROR("Invalid request: missing file parameter"));
    struct reply r = ask(&f, "GET", "/download_file/0123", NULL, "");
    assert_int_equal(r.code, 404);
    free(r.body);
    close_fixture(&f);
}

TEST(file_route_keeps_the_limits)
{
    struct fixture f;
    open_with(&f, (const char *const[][2]){{"max-characters", "7"}, {"max-line", "5"}, {0}});
    assert_refused(&f, UPLOAD("a.txt", "a b c\nd e f") PAIR "--B--",
                   ERROR("Invalid request: file (10) exceeds text limit (7)"));
    assert_refused(&f, UPLOAD("a.txt", "a b c d") PAIR "--B--",
                   ERROR("Invalid request: a sentence of the file (7) exceeds text limit (5)"));
    close_fixture(&f);
}

TEST(file_route_is_listed)
{
    struct fixture f;
    open_usual(&f);
    struct reply r = ask(&f, "GET", "/frontend/settings", NULL, "");
    assert_non_null(strstr(r.body, "\"filesTranslation\":true"));
    assert_non_null(
        strstr(r.body, "\"supportedFilesFormat\":[\".txt\",\".srt\",\".po\",\".tmx\",\".html\"]"));
    free(r.body);
    r = ask(&f, "GET", "/spec", NULL, "");
    assert_non_null(strstr(r.body, "\"name\":\"file\",\"type\":\"file\""));
    free(r.body);
    close_fixture(&f);
}

TEST(translate_route_splits_sentences_unless_told)
{
    struct fixture f;
    open_splitting(&f);
    expect(&f, "/translate", REQUEST("\"q\":\" a b  c d \\n\\ne f\""), 200,
           "{\"translatedText\":\" b a  d c \\n\\nf e\"}");
    expect(&f, "/translate", REQUEST("\"q\":\"a b  c d\",\"split_sentences\":false"), 200,
           "{\"translatedText\":\"d c b a\"}");
    expect(&f, "/translate", REQUEST("\"q\":\"<b>a b  c d</b>\",\"format\":\"html\""), 200,
           "{\"translatedText\":\"<b>b a  d c</b>\"}");
    expect_part(&f, "/translate", REQUEST("\"q\":[\"a b  c d\",\"e\"],\"alternatives\":1"), 200,
                "\"translatedText\":[\"b a  d c\",\"e\"]");
    f.server->options.whole_lines = true;
    expect(&f, "/translate", REQUEST("\"q\":\"a b  c d\""), 200,
           "{\"translatedText\":\"d c b a\"}");
    expect(&f, "/translate", REQUEST("\"q\":\"a b  c d\",\"split_sentences\":true"), 200,
           "{\"translatedText\":\"b a  d c\"}");
    close_fixture(&f);
}

TEST(translate_route_limits_count_lines_and_sentences)
{
    struct fixture f;
    open_with(&f, (const char *const[][2]){{"max-line", "4"}, {"max-lines", "2"}, {0}});
    f.server->hooks.sentences = &pairs_of_blanks;
    expect(&f, "/translate", REQUEST("\"q\":\"a b  c d  e\\nf\""), 200,
           "{\"translatedText\":\"b a  d c  e\\nf\"}");
    expect(&f, "/translate", REQUEST("\"q\":\"a b c d\""), 400,
           ERROR("Invalid request: a line of the request (7) exceeds text limit (4)"));
    expect(&f, "/translate", REQUEST("\"q\":\"a\\nb\\nc\""), 400,
           ERROR("Invalid request: request (3) exceeds text limit (2)"));
    close_fixture(&f);
}
