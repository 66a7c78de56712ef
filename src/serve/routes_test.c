/* POST /translate: the API of LibreTranslate, and its limits. */
#include "routes_fixture.h"

/* ---- /translate ---- */

TEST(routes_translate_takes_texts_and_lists)
{
    struct fixture f;
    open_usual(&f);
    expect(&f, "/translate", REQUEST("\"q\":\"a b c\""), 200, "{\"translatedText\":\"c b a\"}");
    expect(&f, "/translate", REQUEST("\"q\":[\"a b c\",\"d e\"]"), 200,
           "{\"translatedText\":[\"c b a\",\"e d\"]}");
    expect(&f, "/translate", REQUEST("\"q\":[\"a b\"],\"format\":\"text\",\"api_key\":null"), 200,
           "{\"translatedText\":[\"b a\"]}");
    expect(&f, "/translate", REQUEST("\"q\":\"a b\\n\\n  \\r\\nc d\\n\""), 200,
           "{\"translatedText\":\"b a\\n\\n\\r\\nd c\\n\"}");
    expect(&f, "/translate", "{\"q\":\"a b\",\"model\":\"plain\"}", 200,
           "{\"translatedText\":\"b a\"}");
    expect(&f, "/translate", REQUEST("\"q\":\"   \""), 200, "{\"translatedText\":\"\"}");
    close_fixture(&f);
}

TEST(routes_translate_takes_forms_and_queries)
{
    struct fixture f;
    open_usual(&f);
    struct reply r =
        ask(&f, "POST", "/translate", "application/x-www-form-urlencoded; charset=utf-8",
            "q=a+b%0D%0Ac+d&source=xx&target=yy");
    assert_string_equal(r.body, "{\"translatedText\":\"b a\\nd c\"}");
    free(r.body);
    struct http_head head = {.method = "POST",
                             .path = "/translate",
                             .client = "1.2.3.4",
                             .query = "q=a+b&source=xx&target=yy",
                             .length = -1};
    struct exchange *e = ask_head(&f, &head, "");
    assert_string_equal(server_answer(e)->body, "{\"translatedText\":\"b a\"}");
    server_end(e, true);
    close_fixture(&f);
}

TEST(routes_translate_gives_alternatives)
{
    struct fixture f;
    open_usual(&f);
    struct reply r =
        ask(&f, "POST", "/translate", json, REQUEST("\"q\":\"a b c\",\"alternatives\":2"));
    struct json *all;
    const char *text[8];
    assert_int_equal(json_parse(&all, r.body, strlen(r.body), "reply", NULL), ATTEND_OK);
    assert_string_equal(json_text(json_member(all, "translatedText")), "c b a");
    assert_int_equal(json_texts(json_member(all, "alternatives"), text, 8), 2);
    assert_string_not_equal(text[0], text[1]);
    json_free(all);
    free(r.body);
    expect_part(&f, "/translate", REQUEST("\"q\":[\"a b\",\"c\"],\"alternatives\":\"1\""), 200,
                "\"alternatives\":[[\"");
    close_fixture(&f);
}

/* The fixture's model is not calibrated: its confidence is the probability. */
TEST(routes_translate_gives_confidence_when_asked)
{
    struct fixture f;
    open_usual(&f);
    struct reply r =
        ask(&f, "POST", "/translate", json, REQUEST("\"q\":[\"a b c\",\"\"],\"confidence\":true"));
    struct json *all;
    assert_int_equal(json_parse(&all, r.body, strlen(r.body), "reply", NULL), ATTEND_OK);
    const struct json *list = json_member(all, "confidence");
    assert_int_equal(json_length(list), 2);
    const double confidence = json_number(json_at(list, 0));
    assert_true(confidence > 0 && confidence < 1);
    assert_near(json_number(json_at(list, 1)), 1, 0);
    json_free(all);
    free(r.body);
    expect_part(&f, "/translate", REQUEST("\"q\":\"a b c\",\"confidence\":true"), 200,
                "{\"confidence\":0.");
    close_fixture(&f);
}

TEST(routes_translate_keeps_html)
{
    struct fixture f;
    open_usual(&f);
    expect(&f, "/translate", REQUEST("\"q\":\"<p>a b</p> c d <br>\",\"format\":\"html\""), 200,
           "{\"translatedText\":\"<p>b a</p> d c <br>\"}");
    close_fixture(&f);
}

TEST(routes_translate_into_its_own_language_changes_nothing)
{
    struct fixture f;
    open_usual(&f);
    expect(&f, "/translate", "{\"q\":\"a b\",\"source\":\"xx\",\"target\":\"xx\"}", 200,
           "{\"translatedText\":\"a b\"}");
    close_fixture(&f);
}

/* Requests for a translation that are refused, and the answers. */
static const char *const refused[][2] = {
    {"{\"source\":\"xx\",\"target\":\"yy\"}", ERROR("Invalid request: missing q parameter")},
    {"{\"q\":\"\",\"source\":\"xx\",\"target\":\"yy\"}",
     ERROR("Invalid request: missing q parameter")},
    {"{\"q\":[],\"source\":\"xx\",\"target\":\"yy\"}",
     ERROR("Invalid request: missing q parameter")},
    {"{\"q\":null,\"source\":\"xx\",\"target\":\"yy\"}",
     ERROR("Invalid request: missing q parameter")},
    {"{\"q\":\"a\",\"target\":\"yy\"}", ERROR("Invalid request: missing source parameter")},
    {"{\"q\":\"a\",\"source\":\"xx\"}", ERROR("Invalid request: missing target parameter")},
    {"{\"q\":\"a\",\"source\":\"de\",\"target\":\"yy\"}", ERROR("de is not supported")},
    {"{\"q\":\"a\",\"source\":\"xx\",\"target\":\"de\"}", ERROR("de is not supported")},
    {"{\"q\":\"a\",\"source\":\"yy\",\"target\":\"xx\"}",
     ERROR("xx (xx) is not available as a target language from yy (yy)")},
    {REQUEST("\"q\":\"a\",\"format\":\"pdf\""), ERROR("pdf format is not supported")},
    {REQUEST("\"q\":\"a\",\"alternatives\":\"x\""),
     ERROR("Invalid request: alternatives parameter is not a number")},
    {REQUEST("\"q\":\"a\",\"alternatives\":1.5"),
     ERROR("Invalid request: alternatives parameter is not a number")},
    {REQUEST("\"q\":\"a\",\"alternatives\":11"),
     ERROR("Invalid request: alternatives parameter must be <= 10")},
    {REQUEST("\"q\":\"a\",\"alternatives\":-1"),
     ERROR("Invalid request: alternatives parameter must be <= 10")},
    {REQUEST("\"q\":17"), ERROR("Invalid request: q parameter is not a text or a list of texts")},
    {REQUEST("\"q\":[\"a\",3]"),
     ERROR("Invalid request: q parameter is not a text or a list of texts")},
    {"{\"q\":\"a\",\"source\":5,\"target\":\"yy\"}",
     ERROR("Invalid request: source and target parameters must be texts")},
    {"{\"q\":\"a\",\"model\":\"none\"}", ERROR("none is not supported: there is no such model")},
    {"{\"q\":\"a\",\"source\":\"auto\",\"target\":\"yy\"}", ERROR("auto is not supported")},
    {"{\"q\":", ERROR("Invalid JSON format")},
    {"", ERROR("Invalid JSON format")},
    {"{\"q\":\"\\u0000\"}", ERROR("Invalid JSON format")},
    {"{\"q\":\"\xff\"}", ERROR("Invalid JSON format")},
    {"[1]", ERROR("Invalid request: missing q parameter")},
    {"7", ERROR("Invalid request: missing q parameter")},
};

TEST(routes_translate_refuses_with_the_words_clients_know)
{
    struct fixture f;
    open_usual(&f);
    for (size_t i = 0; i < sizeof refused / sizeof *refused; i++)
        expect(&f, "/translate", refused[i][0], 400, refused[i][1]);
    close_fixture(&f);
}

TEST(routes_limits_hold)
{
    static const char *const settings[][2] = {{"max-body", "1024"},      {"max-characters", "20"},
                                              {"max-line", "10"},        {"max-lines", "3"},
                                              {"max-alternatives", "1"}, {NULL, NULL}};
    static const char *const wrong[][2] = {
        {"\"a b c\\nd e f\\ng h a\\nb c d\"", "request (23) exceeds text limit (20)"},
        {"[\"a b c d e\",\"a b c d e\",\"a b c\"]", "request (23) exceeds text limit (20)"},
        {"\"a b c d e f\"", "a line of the request (11) exceeds text limit (10)"},
        {"\"a\\nb\\nc\\nd\"", "request (4) exceeds text limit (3)"},
        {"[\"a\",\"b\",\"c\",\"d\"]", "request (4) exceeds text limit (3)"},
    };
    struct fixture f;
    char body[2048], want[256];
    open_with(&f, settings);
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        snprintf(body, sizeof body, REQUEST("\"q\":%s"), wrong[i][0]);
        snprintf(want, sizeof want, ERROR("Invalid request: %s"), wrong[i][1]);
        expect(&f, "/translate", body, 400, want);
    }
    /* Characters, not bytes. */
    expect_part(&f, "/translate", REQUEST("\"q\":\"\xc3\xa4 \xc3\xa4 \xc3\xa4 \xc3\xa4 \xc3\xa4\""),
                200, "translatedText");
    expect_part(&f, "/translate", REQUEST("\"q\":\"a\",\"alternatives\":2"), 400, "must be <= 1");
    snprintf(body, sizeof body, "{\"q\":\"%01100d\"}", 1);
    expect(&f, "/translate", body, 413,
           ERROR("Invalid request: the body exceeds the limit (1024 bytes)"));
    close_fixture(&f);
}

TEST(routes_a_body_that_does_not_say_its_length_is_limited_too)
{
    static const char *const settings[][2] = {{"max-body", "1024"}, {NULL, NULL}};
    struct fixture f;
    open_with(&f, settings);
    struct exchange *e = server_begin(f.server, &(struct http_head){.method = "POST",
                                                                    .path = "/translate",
                                                                    .query = "",
                                                                    .client = "x",
                                                                    .type = json,
                                                                    .length = -1});
    assert_true(server_receive(e, "", 0));
    char block[512] = {0};
    assert_true(server_receive(e, block, sizeof block));
    assert_true(server_receive(e, block, sizeof block));
    assert_false(server_receive(e, block, 1));
    assert_int_equal(server_proceed(e), HTTP_ANSWER);
    assert_int_equal(server_answer(e)->code, 413);
    server_end(e, true);
    close_fixture(&f);
}

TEST(routes_bodies_together_are_limited)
{
    static const char *const settings[][2] = {{"max-body", "1024"}, {NULL, NULL}};
    enum { MANY = 70 };
    struct fixture f;
    struct exchange *e[MANY];
    char block[1024] = {0};
    int busy = 0;
    open_with(&f, settings);
    for (int i = 0; i < MANY; i++) {
        e[i] = server_begin(f.server, &(struct http_head){.method = "POST",
                                                          .path = "/detect",
                                                          .query = "",
                                                          .client = "x",
                                                          .type = json,
                                                          .length = -1});
        server_receive(e[i], block, sizeof block);
    }
    for (int i = 0; i < MANY; i++) {
        assert_int_equal(server_proceed(e[i]), HTTP_ANSWER);
        busy += server_answer(e[i])->code == 503;
        server_end(e[i], true);
    }
    assert_int_equal(busy, MANY - 64);
    assert_int_equal(atomic_load(&f.server->held), 0);
    close_fixture(&f);
}
