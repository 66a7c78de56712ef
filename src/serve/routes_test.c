#include "test.h"

#include "base/asset.h"
#include "serve/routes.h"

#include <semaphore.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* A server with two names for the golden model, which reverses up to four letters, and no sockets:
 * requests are made by calling what HTTP would call. */
static sem_t resumed;

static void resume(void *connection)
{
    (void)connection;
    sem_post(&resumed);
}

static int no_connections(const struct http *http)
{
    (void)http;
    return 7;
}

static const struct attend_http transport = {.resume = resume, .connections = no_connections};

struct fixture {
    struct attend_options *options;
    struct attend_server *server;
};

static void open_with(struct fixture *f, const char *const (*settings)[2])
{
    const char *const usual[][2] = {
        {"model", ATTEND_SOURCE "/tests/data/model-v1.safetensors"},
        {"model", ATTEND_SOURCE "/tests/data/model-v1.safetensors"},
        {"name", "xx-yy"},
        {"name", "plain"},
        {"threads", "1"},
    };
    struct attend_error err = {""};
    assert_int_equal(attend_options_new(&f->options, "serve", &err), ATTEND_OK);
    for (size_t i = 0; i < sizeof usual / sizeof *usual; i++)
        assert_int_equal(attend_options_set(f->options, usual[i][0], usual[i][1], &err), ATTEND_OK);
    for (; settings && (*settings)[0]; settings++)
        assert_int_equal(attend_options_set(f->options, (*settings)[0], (*settings)[1], &err),
                         ATTEND_OK);
    if (attend_server_open(&f->server, f->options, NULL, &err))
        fail_msg("%s", err.message);
    f->server->http = &transport;
    sem_init(&resumed, 0, 0);
}

static void open_usual(struct fixture *f) { open_with(f, NULL); }

static void close_fixture(struct fixture *f)
{
    assert_int_equal(atomic_load(&f->server->active), 0);
    attend_server_close(f->server);
    attend_options_free(f->options);
    sem_destroy(&resumed);
}

struct reply {
    int code;
    char *body;
};

static const char *json = "application/json";

static const char *field_of(const struct http_answer *a, const char *name)
{
    for (int i = 0; i < a->fields; i++)
        if (strcmp(a->field[i].name, name) == 0)
            return a->field[i].value;
    return NULL;
}

static struct exchange *ask_head(struct fixture *f, const struct http_head *head, const char *body)
{
    struct exchange *e = server_begin(f->server, head);
    assert_non_null(e);
    if (server_receive(e, body, strlen(body)) && server_proceed(e) == HTTP_WAIT) {
        server_submit(e);
        sem_wait(&resumed);
        assert_int_equal(server_proceed(e), HTTP_ANSWER);
    } else if (!e->answer.code) {
        assert_int_equal(server_proceed(e), HTTP_ANSWER);
    }
    return e;
}

static struct reply ask(struct fixture *f, const char *method, const char *path, const char *type,
                        const char *body)
{
    struct http_head head = {.method = method,
                             .path = path,
                             .query = "",
                             .client = "1.2.3.4",
                             .type = type,
                             .length = (long long)strlen(body)};
    struct exchange *e = ask_head(f, &head, body);
    const struct http_answer *a = server_answer(e);
    const struct reply reply = {a->code, strndup(a->body, a->size)};
    assert_string_equal(field_of(a, "Access-Control-Allow-Origin"), "*");
    server_end(e, true);
    return reply;
}

static void expect(struct fixture *f, const char *path, const char *body, int code,
                   const char *want)
{
    struct reply r = ask(f, "POST", path, json, body);
    assert_string_equal(r.body, want);
    assert_int_equal(r.code, code);
    free(r.body);
}

static void expect_part(struct fixture *f, const char *path, const char *body, int code,
                        const char *want)
{
    struct reply r = ask(f, "POST", path, json, body);
    if (!strstr(r.body, want))
        fail_msg("'%s' is not in '%s'", want, r.body);
    assert_int_equal(r.code, code);
    free(r.body);
}

#define REQUEST(members) "{\"source\":\"xx\",\"target\":\"yy\"," members "}"
#define ERROR(text) "{\"error\":\"" text "\"}"

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

TEST(routes_translate_refuses_with_the_words_clients_know)
{
    static const char *const wrong[][2] = {
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
        {REQUEST("\"q\":17"),
         ERROR("Invalid request: q parameter is not a text or a list of texts")},
        {REQUEST("\"q\":[\"a\",3]"),
         ERROR("Invalid request: q parameter is not a text or a list of texts")},
        {"{\"q\":\"a\",\"source\":5,\"target\":\"yy\"}",
         ERROR("Invalid request: source and target parameters are texts")},
        {"{\"q\":\"a\",\"model\":\"none\"}",
         ERROR("none is not supported: there is no such model")},
        {"{\"q\":\"a\",\"source\":\"auto\",\"target\":\"yy\"}", ERROR("auto is not supported")},
        {"{\"q\":", ERROR("Invalid JSON format")},
        {"", ERROR("Invalid JSON format")},
        {"{\"q\":\"\\u0000\"}", ERROR("Invalid JSON format")},
        {"{\"q\":\"\xff\"}", ERROR("Invalid JSON format")},
        {"[1]", ERROR("Invalid request: missing q parameter")},
        {"7", ERROR("Invalid request: missing q parameter")},
    };
    struct fixture f;
    open_usual(&f);
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++)
        expect(&f, "/translate", wrong[i][0], 400, wrong[i][1]);
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

/* ---- The others ---- */

TEST(routes_attention_shows_where_the_model_looked)
{
    struct fixture f;
    struct json *all;
    open_usual(&f);
    struct reply r = ask(&f, "POST", "/attention", json, "{\"q\":\"a b c\",\"alternatives\":2}");
    assert_int_equal(r.code, 200);
    assert_int_equal(json_parse(&all, r.body, strlen(r.body), "reply", NULL), ATTEND_OK);
    assert_string_equal(json_text(json_member(all, "model")), "xx-yy");
    assert_string_equal(json_text(json_member(all, "text")), "c b a");
    assert_int_equal(json_length(json_member(all, "source")), 4);
    assert_int_equal(json_length(json_member(all, "target")), 4);
    assert_int_equal(json_length(json_member(all, "attention")), 4);
    assert_int_equal(json_length(json_at(json_member(all, "attention"), 0)), 4);
    assert_int_equal(json_length(json_member(all, "alternatives")), 2);
    assert_int_equal(json_length(json_member(all, "token_scores")), 4);
    assert_true(json_flag(json_member(all, "complete")));
    assert_true(json_number(json_member(all, "milliseconds")) >= 0);
    json_free(all);
    free(r.body);
    expect_part(&f, "/attention", "{\"q\":\"a b c\",\"model\":\"plain\"}", 200,
                "\"alternatives\":[],\"complete\":true");
    close_fixture(&f);
}

TEST(routes_attention_does_as_it_is_told)
{
    struct fixture f;
    open_usual(&f);
    expect_part(&f, "/attention", "{\"q\":\"a b c\",\"target\":\"a a\"}", 200,
                "\"target\":[\"a\",\"a\",\"</s>\"]");
    expect_part(&f, "/attention", "{\"q\":\"a b c\",\"prefix\":\"a\"}", 200, "\"target\":[\"a\"");
    expect_part(&f, "/attention",
                "{\"q\":\"a b c\",\"attend\":[{\"step\":0,\"source\":0,\"weight\":1}]}", 200,
                "\"attention\":[[1,0,0,0]");
    expect_part(&f, "/attention", "{\"q\":\"a b c\",\"words\":true}", 200, "\"text\":\"c b a\"");
    expect_part(&f, "/attention", "{\"q\":\"a b c\",\"beam\":1}", 200, "\"text\":\"c b a\"");
    expect_part(&f, "/attention", "{\"q\":\"a\",\"source\":\"xx\",\"target_language\":\"yy\"}", 200,
                "\"text\":\"a\"");
    close_fixture(&f);
}

TEST(routes_attention_refuses_what_makes_no_sense)
{
    static const char *const wrong[][2] = {
        {"{}", "missing q parameter"},
        {"{\"q\":[\"a\"]}", "q parameter is not a text"},
        {"{\"q\":\"a\\nb\"}", "a text holds a line end"},
        {"{\"q\":\"a\",\"beam\":0}", "beam parameter must be a number from 1 to 11"},
        {"{\"q\":\"a\",\"beam\":1000}", "beam parameter must be a number from 1 to 11"},
        {"{\"q\":\"a\",\"model\":\"none\"}", "none is not supported"},
        {"{\"q\":\"a\",\"source\":\"de\"}", "de is not supported"},
        {"{\"q\":\"a\",\"attend\":7}", "attend parameter is not a list"},
        {"{\"q\":\"a\",\"attend\":[{\"step\":-1,\"source\":0,\"weight\":1}]}",
         "attend parameter is not a list"},
        {"{\"q\":\"a\",\"attend\":[{\"step\":0,\"source\":9,\"weight\":1}]}", "Invalid request: "},
        {"{\"q\":\"a\",\"attend\":[{\"step\":0,\"source\":0,\"weight\":3}]}", "Invalid request: "},
        {"{\"q\":\"a\",\"prefix\":\"z\"}", "has a token that the model does not know"},
        {"{\"q\":\"a\",\"target\":\"b\",\"prefix\":\"b\"}", "nothing is left to choose"},
        {"{\"q\":\"a\",\"target\":3}", "target parameter is not a text"},
    };
    struct fixture f;
    open_usual(&f);
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++)
        expect_part(&f, "/attention", wrong[i][0], 400, wrong[i][1]);
    close_fixture(&f);
}

TEST(routes_explain_and_picture_have_their_own_thread)
{
    struct fixture f;
    open_usual(&f);
    expect_part(&f, "/explain", "{\"q\":\"a b c\"}", 200, "\"leave_one_out\":[[");
    expect_part(&f, "/explain", "{\"q\":\"a b c\",\"target\":\"c\"}", 200,
                "\"target\":[\"c\",\"</s>\"]");
    expect_part(&f, "/explain", "{}", 400, "missing q parameter");
    expect_part(&f, "/explain", "{\"q\":\" \"}", 400, "the sentence has no words");
    expect_part(&f, "/picture",
                "{\"matrix\":{\"source\":[\"a\",\"b\"],\"target\":[\"x\"],"
                "\"attention\":[[0.2,0.8]]},\"view\":\"links\",\"dark\":true}",
                200, "<svg");
    static const char *const wrong[] = {
        "{}",
        "{\"matrix\":3}",
        "{\"matrix\":{\"source\":[\"a\"],\"target\":[\"b\"]}}",
        "{\"matrix\":{\"source\":[\"a\"],\"target\":[\"b\"],\"attention\":[[1,2]]}}",
        "{\"matrix\":{\"source\":[\"a\"],\"target\":[\"b\"],\"attention\":[[\"x\"]]}}",
        "{\"matrix\":{\"source\":[],\"target\":[],\"attention\":[]}}",
        "{\"matrix\":{\"source\":[\"a\"],\"target\":[\"b\"],\"attention\":[[1]]},\"view\":\"x\"}",
        ("{\"matrix\":{\"source\":[\"a\"],\"target\":[\"b\"],\"attention\":[[1]]},"
         "\"format\":\"png\"}")};
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++)
        expect_part(&f, "/picture", wrong[i], 400, "\"error\":");
    close_fixture(&f);
}

TEST(routes_opennmt_answers_a_list_for_each_rank)
{
    struct fixture f;
    open_usual(&f);
    expect_part(&f, "/translator/translate", "[{\"src\":\" a b \"},{\"src\":\"c\"}]", 200,
                "[[{\"src\":\" a b \",\"tgt\":\" b a \",\"n_best\":1,\"pred_score\":");
    expect_part(&f, "/translator/translate", "[{\"src\":\"a b\",\"withAttn\":true,\"id\":1}]", 200,
                "\"src_tokens\":[\"a\",\"b\",\"</s>\"],\"tgt_tokens\":[\"b\",\"a\",\"</s>\"],"
                "\"attn\":[[");
    expect_part(&f, "/translator/translate", "[{\"src\":\"a b\",\"ref\":\"a\"}]", 200,
                "\"tgt\":\"a");
    expect_part(&f, "/translator/translate", "[{\"src\":\"\"}]", 200, "\"tgt\":\"\"");
    static const char *const wrong[] = {"[]",
                                        "{}",
                                        "[{}]",
                                        "[{\"src\":3}]",
                                        "[{\"src\":\"a\",\"id\":9}]",
                                        "[{\"src\":\"a\",\"id\":\"none\"}]",
                                        "[{\"src\":\"a\",\"ref\":\"z\"}]"};
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++)
        expect_part(&f, "/translator/translate", wrong[i], 200, "\"status\":\"error\"}");
    close_fixture(&f);
}

static void expect_get(struct fixture *f, const char *path, const char *want)
{
    struct reply r = ask(f, "GET", path, NULL, "");
    assert_int_equal(r.code, 200);
    if (!strstr(r.body, want))
        fail_msg("'%s' is not in '%s'", want, r.body);
    free(r.body);
}

TEST(routes_server_tells_about_itself)
{
    struct fixture f;
    open_usual(&f);
    expect_get(&f, "/languages",
               "[{\"code\":\"xx\",\"name\":\"xx\",\"targets\":[\"xx\",\"yy\"]},"
               "{\"code\":\"yy\",\"name\":\"yy\",\"targets\":[\"yy\"]}]");
    expect_get(
        &f, "/models",
        "{\"models\":[{\"name\":\"xx-yy\",\"source\":\"xx\",\"target\":\"yy\","
        "\"attention\":\"additive\",\"placement\":\"bahdanau\",\"cell\":\"gru\",\"heads\":1,");
    expect_get(&f, "/models", "{\"name\":\"plain\",\"source\":null,\"target\":null,");
    expect_get(&f, "/health", "{\"status\":\"ok\"}");
    expect_get(&f, "/frontend/settings", "\"charLimit\":5000,");
    expect_get(&f, "/spec", "\"swagger\":\"2.0\",\"info\":{\"title\":\"attend\"");
    expect_get(&f, "/metrics", "attend_requests_total{route=\"/health\",code=\"200\"} 1\n");
    expect_get(&f, "/metrics", "attend_connections 7\n");
    expect_get(&f, "/translator/models", "\"model_id\":1,\"models\":[\"plain\"]");
    expect_get(&f, "/", "<!doctype html>");
    expect(&f, "/detect", "{\"q\":\"a\"}", 200,
           "[{\"confidence\":0.0,\"language\":\"xx\"},{\"confidence\":0.0,\"language\":\"yy\"}]");
    expect(&f, "/detect", "{}", 400, ERROR("Invalid request: missing q parameter"));
    expect(&f, "/suggest", "{}", 403, ERROR("Suggestions are disabled on this server."));
    close_fixture(&f);
}

TEST(routes_every_row_is_described)
{
    struct fixture f;
    open_usual(&f);
    struct reply r = ask(&f, "GET", "/spec", NULL, "");
    struct json *spec;
    assert_int_equal(json_parse(&spec, r.body, strlen(r.body), "spec", NULL), ATTEND_OK);
    for (int i = 0; route_at(i); i++)
        assert_false(json_absent(json_member(json_member(spec, "paths"), route_path(i))));
    json_free(spec);
    free(r.body);
    close_fixture(&f);
}

TEST(routes_other_methods_and_paths_are_told)
{
    static const struct {
        const char *method, *path;
        int code;
    } cases[] = {
        {"GET", "/none", 404},          {"POST", "/none", 404},    {"GET", "/translate", 405},
        {"PUT", "/translate", 405},     {"POST", "/health", 405},  {"HEAD", "/health", 200},
        {"OPTIONS", "/translate", 204}, {"OPTIONS", "/none", 204}, {"GET", "/../x", 404}};
    struct fixture f;
    open_usual(&f);
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct reply r = ask(&f, cases[i].method, cases[i].path, NULL, "");
        assert_int_equal(r.code, cases[i].code);
        free(r.body);
    }
    close_fixture(&f);
}

TEST(routes_files_of_the_page_are_served_with_tags)
{
    struct fixture f;
    open_usual(&f);
    const struct asset *file = asset_get("attention.js");
    struct http_head head = {
        .method = "GET", .path = "/attention.js", .query = "", .client = "x", .length = -1};
    struct exchange *e = ask_head(&f, &head, "");
    const struct http_answer *a = server_answer(e);
    char tag[64];
    assert_int_equal(a->code, 200);
    assert_int_equal(a->size, file->size);
    assert_string_equal(field_of(a, "Content-Type"), "text/javascript; charset=utf-8");
    snprintf(tag, sizeof tag, "%s", field_of(a, "ETag"));
    server_end(e, true);
    head.if_none_match = tag;
    e = ask_head(&f, &head, "");
    assert_int_equal(server_answer(e)->code, 304);
    assert_int_equal(server_answer(e)->size, 0);
    assert_string_equal(field_of(server_answer(e), "ETag"), tag);
    server_end(e, true);
    close_fixture(&f);
}

TEST(routes_rate_is_by_client)
{
    static const char *const settings[][2] = {{"rate", "2"}, {NULL, NULL}};
    struct fixture f;
    open_with(&f, settings);
    for (int i = 0; i < 2; i++)
        expect_part(&f, "/translate", REQUEST("\"q\":\"a\""), 200, "translatedText");
    expect(&f, "/translate", REQUEST("\"q\":\"a\""), 429, ERROR("Slowdown: 2 per 1 minute"));
    expect_get(&f, "/health", "ok");
    close_fixture(&f);
}

TEST(routes_a_batch_with_one_bad_request_serves_the_others)
{
    struct fixture f;
    open_usual(&f);
    struct exchange *e[3];
    static const char *const body[] = {"{\"q\":\"a b\"}", "{\"q\":\"a b\",\"prefix\":\"z\"}",
                                       "{\"q\":\"c d\"}"};
    for (int i = 0; i < 3; i++) {
        e[i] = server_begin(f.server, &(struct http_head){.method = "POST",
                                                          .path = "/attention",
                                                          .query = "",
                                                          .client = "x",
                                                          .type = json,
                                                          .length = -1});
        server_receive(e[i], body[i], strlen(body[i]));
        assert_int_equal(server_proceed(e[i]), HTTP_WAIT);
    }
    for (int i = 0; i < 3; i++)
        server_submit(e[i]);
    for (int i = 0; i < 3; i++)
        sem_wait(&resumed);
    for (int i = 0; i < 3; i++) {
        assert_int_equal(server_proceed(e[i]), HTTP_ANSWER);
        assert_int_equal(server_answer(e[i])->code, i == 1 ? 400 : 200);
        server_end(e[i], true);
    }
    close_fixture(&f);
}

/* Requests of both kinds that come together get what they would get alone. */
TEST(routes_requests_for_different_searches_do_not_mix)
{
    static const char *const body[] = {REQUEST("\"q\":\"a b c\",\"alternatives\":1"),
                                       REQUEST("\"q\":\"a b c\",\"alternatives\":2")};
    enum { MANY = 40 };
    struct fixture f;
    struct exchange *e[MANY];
    struct reply want[2];
    open_usual(&f);
    for (int i = 0; i < 2; i++)
        want[i] = ask(&f, "POST", "/translate", json, body[i]);
    for (int i = 0; i < MANY; i++) {
        e[i] = server_begin(f.server, &(struct http_head){.method = "POST",
                                                          .path = "/translate",
                                                          .query = "",
                                                          .client = "x",
                                                          .type = json,
                                                          .length = -1});
        server_receive(e[i], body[i % 2], strlen(body[i % 2]));
        assert_int_equal(server_proceed(e[i]), HTTP_WAIT);
    }
    for (int i = 0; i < MANY; i++)
        server_submit(e[i]);
    for (int i = 0; i < MANY; i++)
        sem_wait(&resumed);
    for (int i = 0; i < MANY; i++) {
        assert_int_equal(server_proceed(e[i]), HTTP_ANSWER);
        assert_string_equal(server_answer(e[i])->body, want[i % 2].body);
        server_end(e[i], true);
    }
    free(want[0].body);
    free(want[1].body);
    close_fixture(&f);
}

TEST(routes_a_full_queue_says_when_to_come_back)
{
    static const char *const settings[][2] = {{"queue", "1"}, {NULL, NULL}};
    struct fixture f;
    open_with(&f, settings);
    enum { MANY = 40 };
    struct exchange *e[MANY];
    int busy = 0, good = 0;
    for (int i = 0; i < MANY; i++) {
        const char body[] = REQUEST("\"q\":\"a b c d\"");
        e[i] = server_begin(f.server, &(struct http_head){.method = "POST",
                                                          .path = "/translate",
                                                          .query = "",
                                                          .client = "x",
                                                          .type = json,
                                                          .length = -1});
        server_receive(e[i], body, sizeof body - 1);
        assert_int_equal(server_proceed(e[i]), HTTP_WAIT);
    }
    for (int i = 0; i < MANY; i++)
        server_submit(e[i]);
    for (int i = 0; i < MANY; i++)
        sem_wait(&resumed);
    for (int i = 0; i < MANY; i++) {
        assert_int_equal(server_proceed(e[i]), HTTP_ANSWER);
        const struct http_answer *a = server_answer(e[i]);
        good += a->code == 200;
        busy += a->code == 503 && strcmp(field_of(a, "Retry-After"), "1") == 0;
        server_end(e[i], true);
    }
    assert_int_equal(good + busy, MANY);
    assert_true(good >= 1 && busy >= 1);
    close_fixture(&f);
}

TEST(routes_every_answer_of_a_request_that_breaks_off_is_freed)
{
    struct fixture f;
    open_usual(&f);
    struct exchange *e = server_begin(f.server, &(struct http_head){.method = "POST",
                                                                    .path = "/translate",
                                                                    .query = "",
                                                                    .client = "x",
                                                                    .type = json,
                                                                    .length = 100});
    server_receive(e, "{\"q\":", 5);
    server_end(e, false);
    assert_int_equal(atomic_load(&f.server->metrics.broken), 1);
    close_fixture(&f);
}
