/* Hostile input: headers, names and keys. */
#include "routes_fixture.h"

#include "base/utf8.h"
#include "serve/access_log.h"

#include <unistd.h>

static struct http_head head_of(const char *method, const char *path)
{
    return (struct http_head){.method = method,
                              .path = path,
                              .query = "",
                              .client = "1.2.3.4",
                              .type = json,
                              .length = -1};
}

/* The status of the answer to a request with this header. Fields of the answer are checked
 * first. */
static int code_of(struct fixture *f, const struct http_head *head, const char *body)
{
    struct exchange *e = ask_head(f, head, body);
    const int code = server_answer(e)->code;
    server_end(e, true);
    return code;
}

TEST(border_a_header_that_cannot_be_trusted_ends_the_connection)
{
    struct fixture f;
    open_usual(&f);
    struct http_head head = head_of("POST", "/translate");
    head.fault = "Content-Length and Transfer-Encoding cannot be combined";
    struct exchange *e = server_begin(f.server, &head);
    assert_false(server_receive(e, "", 0)); /* the body is not read */
    assert_int_equal(server_proceed(e), HTTP_ANSWER);
    const struct http_answer *a = server_answer(e);
    assert_int_equal(a->code, 400);
    assert_string_equal(field_of(a, "Connection"), "close");
    assert_string_equal(a->body, ERROR("Invalid request: Content-Length and Transfer-Encoding "
                                       "cannot be combined"));
    server_end(e, true);
    close_fixture(&f);
}

/* ---- Other origins ---- */

/* Expects a status and the origin that may read the answer. */
static void expect_page(struct fixture *f, const char *method, const char *origin, int code,
                        const char *reader)
{
    struct http_head head = head_of(method, "/translate");
    head.origin = origin;
    head.host = "localhost:5000";
    struct exchange *e = ask_head(f, &head, REQUEST("\"q\":\"a\""));
    const char *may_read = field_of(server_answer(e), "Access-Control-Allow-Origin");
    assert_int_equal(server_answer(e)->code, code);
    assert_string_equal(may_read ? may_read : "nobody", reader);
    const char *vary = field_of(server_answer(e), "Vary");
    assert_string_equal(vary ? vary : "nothing", strcmp(reader, "*") == 0 ? "nothing" : "Origin");
    server_end(e, true);
}

TEST(border_pages_of_others_get_nothing_unless_they_are_allowed)
{
    static const char *const named[][2] = {{"allow-origin", "https://a.org"},
                                           {"allow-origin", "https://b.org"},
                                           {NULL, NULL}},
                             *const any[][2] = {{"allow-origin", "*"}, {NULL, NULL}};
    static const char own[] = "http://localhost:5000";
    struct fixture f;
    open_usual(&f);
    expect_page(&f, "POST", NULL, 200, "nobody");
    expect_page(&f, "POST", own, 200, own);
    expect_page(&f, "POST", "https://a.org", 403, "nobody");
    expect_page(&f, "OPTIONS", "https://a.org", 403, "nobody");
    expect_page(&f, "PUT", "https://a.org", 403, "nobody");
    expect_page(&f, "GET", "https://a.org", 405, "nobody");
    expect_page(&f, "OPTIONS", NULL, 204, "nobody");
    close_fixture(&f);
    open_with(&f, named);
    expect_page(&f, "POST", "https://b.org", 200, "https://b.org");
    expect_page(&f, "OPTIONS", "https://a.org", 204, "https://a.org");
    expect_page(&f, "POST", "https://c.org", 403, "nobody");
    close_fixture(&f);
    open_with(&f, any);
    expect_page(&f, "POST", "https://c.org", 200, "*");
    expect_page(&f, "OPTIONS", "null", 204, "*");
    expect_page(&f, "POST", NULL, 200, "*");
    close_fixture(&f);
}

TEST(border_a_name_of_others_is_refused_before_anything_is_read)
{
    struct fixture f;
    open_usual(&f);
    f.server->origins.loopback = true;
    struct http_head head = head_of("GET", "/models");
    head.host = "rebound.evil.org:5000";
    struct exchange *e = server_begin(f.server, &head);
    assert_false(server_receive(e, "", 0));
    assert_int_equal(server_proceed(e), HTTP_ANSWER);
    assert_int_equal(server_answer(e)->code, 403);
    assert_non_null(strstr(server_answer(e)->body, "allowed hosts"));
    server_end(e, true);
    head.host = "localhost:5000";
    assert_int_equal(code_of(&f, &head, ""), 200);
    close_fixture(&f);
}

/* ---- Errors are JSON ---- */

/* Names of every length up to 1200 bytes: characters of three bytes after 0 to 2 ASCII ones. */
TEST(border_errors_are_valid_json_whatever_they_repeat)
{
    static const char *const form[][2] = {
        {"/translate", "{\"q\":\"a\",\"model\":\"%s\"}"},
        {"/translate", "{\"q\":\"a\",\"source\":\"xx\",\"target\":\"%s\"}"},
        {"/translate", "{\"q\":\"a\",\"model\":\"plain\",\"format\":\"%s\"}"},
        {"/attention", "{\"q\":\"a\",\"source\":\"%s\"}"},
        {"/attention", "{\"q\":\"a\",\"prefix\":\"%s\"}"},
        {"/picture", "{\"matrix\":{},\"format\":\"%s\"}"},
        {"/translator/translate", "[{\"src\":\"a\",\"ref\":\"%s\"}]"},
    };
    static const char *const settings[][2] = {{"max-line", "5000"}, {NULL, NULL}};
    struct fixture f;
    char name[1300], body[1400];
    open_with(&f, settings);
    for (size_t i = 0; i < sizeof form / sizeof *form; i++)
        for (size_t length = 3; length < 1200; length += length < 150 ? 23 : 67) {
            const size_t ahead = length % 3;
            memset(name, 'x', ahead);
            for (size_t at = ahead; at < length; at += 3)
                memcpy(name + at, "\u20ac", 4);
            snprintf(body, sizeof body, form[i][1], name);
            struct reply r = ask(&f, "POST", form[i][0], json, body);
            assert_true(r.code >= 200);
            if (!strstr(r.body, "\"error\":") || !utf8_valid(r.body, strlen(r.body), NULL))
                fail_msg("%s: '%s'", form[i][0], r.body);
            assert_null(strstr(r.body, "\ufffd"));
            free(r.body);
        }
    close_fixture(&f);
}

/* ---- Keys and clients ---- */

static void expect_client(struct fixture *f, const char *forwarded, const char *want)
{
    struct http_head head = head_of("GET", "/health");
    head.forwarded = forwarded;
    struct exchange *e = ask_head(f, &head, "");
    assert_string_equal(e->client, want);
    server_end(e, true);
}

TEST(border_the_client_is_whom_the_proxy_names_last)
{
    static const char *const settings[][2] = {{"behind-proxy", "true"}, {NULL, NULL}};
    char longest[64], name[4096];
    struct fixture f;
    open_with(&f, settings);
    memset(name, 'x', sizeof name);
    name[sizeof name - 1] = '\0';
    memcpy(longest, name, sizeof longest);
    longest[sizeof longest - 1] = '\0';
    expect_client(&f, NULL, "1.2.3.4");
    expect_client(&f, "made.up, 10.0.0.7", "10.0.0.7");
    expect_client(&f, "made.up,\t2001:db8::1 ", "2001:db8::1");
    expect_client(&f, "10.0.0.7, ", "1.2.3.4");
    expect_client(&f, "a\x80\xff\"b", "a");
    expect_client(&f, name, longest);
    close_fixture(&f);
}

TEST(border_the_log_has_short_lines_of_clean_text)
{
    struct fixture f;
    struct strbuf line = {0};
    struct json *all;
    char name[4096];
    for (size_t i = 0; i + 3 < sizeof name; i += 3)
        memcpy(name + i, "\u20ac", 4);
    open_usual(&f);
    struct http_head head = head_of("GET", name);
    head.client = name;
    struct exchange *e = ask_head(&f, &head, "");
    e->model = name;
    access_log_write(&line, e, true, 1, &(struct timespec){0});
    assert_true(line.length < 1024);
    assert_int_equal(json_parse(&all, line.text, line.length, "line", NULL), ATTEND_OK);
    json_free(all);
    strbuf_release(&line);
    server_end(e, true);
    close_fixture(&f);
}

TEST(border_wrong_keys_use_up_the_patience_with_their_address)
{
    enum { PATIENCE = 10 };
    static char path[] = "/tmp/attend-keys-XXXXXX";
    const int file = mkstemp(path);
    assert_int_equal(write(file, "secret\n", 7), 7);
    close(file);
    const char *const settings[][2] = {{"api-keys", path}, {NULL, NULL}};
    struct fixture f;
    open_with(&f, settings);
    struct http_head head = head_of("POST", "/translate");
    const char right[] = REQUEST("\"q\":\"a\",\"api_key\":\"secret\""),
               wrong[] = REQUEST("\"q\":\"a\",\"api_key\":\"guess\"");
    for (int i = 0; i < 2 * PATIENCE; i++)
        assert_int_equal(code_of(&f, &head, right), 200);
    for (int i = 0; i < PATIENCE; i++)
        assert_int_equal(code_of(&f, &head, wrong), 403);
    assert_int_equal(code_of(&f, &head, wrong), 429);
    assert_int_equal(code_of(&f, &head, right), 429); /* 200 would tell that the key is right */
    head.client = "4.3.2.1";
    assert_int_equal(code_of(&f, &head, right), 200);
    close_fixture(&f);
    unlink(path);
}
