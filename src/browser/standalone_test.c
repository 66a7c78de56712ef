#include "browser/standalone.h"

#include "base/base64.h"
#include "base/sha256.h"
#include "base/strbuf.h"
#include "test.h"

#include <jansson.h>
#include <stdlib.h>
#include <string.h>
#include <zlib.h>

static const char bytes[] = "\0some bytes\xff that \0 are a part, a part, a part, a part, a part";
static const struct standalone_part parts[] = {{STANDALONE_ENGINE, bytes, sizeof bytes},
                                               {"\"><script>alert(1)</script>", "", 0}};
static const struct standalone job = {
    .page = "app.html",
    .title = "</title><script>alert(2)</script>",
    .data = "{\"name\":\"</script><script>alert(3)</script><!--\"}",
    .part = parts,
    .parts = 2,
};

static char *page_of(const struct standalone *j)
{
    struct strbuf out = {0};
    standalone_add(&out, j);
    assert_false(out.failed);
    return strbuf_detach(&out);
}

/* The text between two others, which is freed by the caller. */
static char *cut(const char *page, const char *before, const char *after)
{
    const char *from = strstr(page, before);
    assert_non_null(from);
    from += strlen(before);
    const char *to = strstr(from, after);
    assert_non_null(to);
    return strndup(from, (size_t)(to - from));
}

static int count_of(const char *text, const char *part)
{
    int found = 0;
    for (const char *at = text; (at = strstr(at, part)); at += strlen(part))
        found++;
    return found;
}

TEST(standalone_page_loads_nothing)
{
    char *page = page_of(&job);
    assert_int_equal(count_of(page, "<link"), 1); /* the icon, which is empty data */
    assert_non_null(strstr(page, "<link rel=\"icon\" href=\"data:,\">"));
    assert_null(strstr(page, " src="));
    assert_null(strstr(page, "'unsafe-inline'"));
    assert_null(strstr(page, "'self'"));
    assert_non_null(strstr(page, "content=\"default-src 'none'; script-src 'sha256-"));
    assert_null(strstr(page, "connect-src"));
    free(page);
}

static void check_hash(const char *page, const char *directive, const char *tag, const char *end)
{
    unsigned char digest[SHA256_SIZE];
    struct strbuf expected = {0};
    char *content = cut(page, tag, end), *hash = cut(page, directive, "'");
    sha256(content, strlen(content), digest);
    base64_add(&expected, digest, sizeof digest);
    assert_string_equal(hash, expected.text);
    strbuf_release(&expected);
    free(content);
    free(hash);
}

TEST(standalone_policy_names_the_script_and_the_style)
{
    char *page = page_of(&job);
    check_hash(page, "script-src 'sha256-", "<script type=\"module\">", "</script>");
    check_hash(page, "style-src 'sha256-", "<style>", "</style>");
    assert_int_equal(count_of(page, "<style>"), 1);
    assert_true(strstr(page, "Content-Security-Policy") < strstr(page, "<style>"));
    free(page);
}

TEST(standalone_texts_cannot_become_markup)
{
    char *page = page_of(&job), *data = cut(page, "id=\"given\">", "</script>");
    for (const char *const *bad =
             (const char *const[]){"alert(1)</", "alert(2)</", "alert(3)</", NULL};
         *bad; bad++)
        assert_null(strstr(page, *bad));
    assert_non_null(strstr(page, "<title>&lt;/title&gt;&lt;script&gt;alert(2)"));
    json_t *read = json_loads(data, 0, NULL), *before = json_loads(job.data, 0, NULL);
    assert_true(json_equal(read, before));
    json_decref(read);
    json_decref(before);
    free(data);
    free(page);
}

static unsigned value_of(char digit)
{
    static const char digits[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    const char *at = strchr(digits, digit);
    assert_true(at && *at);
    return (unsigned)(at - digits);
}

TEST(standalone_part_comes_back)
{
    char *page = page_of(&job), *text = cut(page, "id=\"attend.wasm\">", "</script>");
    unsigned char packed[2 * sizeof bytes], again[2 * sizeof bytes];
    size_t size = 0;
    unsigned group = 0;
    for (size_t i = 0; text[i] && text[i] != '='; i++) {
        group = group << 6 | value_of(text[i]);
        if (i % 4 > 0)
            packed[size++] = (unsigned char)(group >> (6 - i % 4 * 2) & 0xff);
    }
    uLongf length = sizeof again;
    assert_int_equal(uncompress(again, &length, packed, size), Z_OK);
    assert_int_equal(length, sizeof bytes);
    assert_memory_equal(again, bytes, sizeof bytes);
    free(text);
    free(page);
}

TEST(standalone_page_keeps_its_title_and_needs_no_data)
{
    char *page = page_of(&(struct standalone){.page = "app.html"});
    assert_non_null(strstr(page, "<title>attend</title>"));
    assert_non_null(strstr(page, "id=\"given\">null</script>"));
    assert_non_null(strstr(page, "<script type=\"text/plain\" id=\"worker\">\nconst wasi_js"));
    free(page);
}
