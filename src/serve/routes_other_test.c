/* The other routes, and concurrent requests. */
#include "routes_fixture.h"

/* ---- The other routes ---- */

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
        {"{\"q\":\"a\\nb\"}", "a text contains a line end"},
        {"{\"q\":\"a\",\"beam\":0}", "beam parameter must be a number from 1 to 11"},
        {"{\"q\":\"a\",\"beam\":1000}", "beam parameter must be a number from 1 to 11"},
        {"{\"q\":\"a\",\"model\":\"none\"}", "none is not supported"},
        {"{\"q\":\"a\",\"source\":\"de\"}", "de is not supported"},
        {"{\"q\":\"a\",\"attend\":7}", "attend parameter must be a list"},
        {"{\"q\":\"a\",\"attend\":[{\"step\":-1,\"source\":0,\"weight\":1}]}",
         "attend parameter must be a list"},
        {"{\"q\":\"a\",\"attend\":[{\"step\":0,\"source\":9,\"weight\":1}]}", "Invalid request: "},
        {"{\"q\":\"a\",\"attend\":[{\"step\":0,\"source\":0,\"weight\":3}]}", "Invalid request: "},
        {"{\"q\":\"a\",\"prefix\":\"z\"}", "has a token that the model does not know"},
        {"{\"q\":\"a\",\"target\":\"b\",\"prefix\":\"b\"}",
         "target cannot be combined with prefix or attend"},
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
    expect_get(&f, "/models",
               "{\"models\":[{\"name\":\"xx-yy\",\"source\":\"xx\",\"target\":\"yy\","
               "\"reads\":\"text\",\"writes\":\"text\",\"attention\":\"additive\",\"placement\":"
               "\"bahdanau\",\"cell\":\"gru\",\"heads\":1,");
    expect_get(&f, "/models", "{\"name\":\"plain\",\"source\":null,\"target\":null,");
    expect_get(&f, "/models",
               "\"int8\":false,\"encoder\":\"recurrent\",\"source_tokens\":8,\"target_tokens\":8,"
               "\"loaded\":true,\"examples\":[]}");
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
    expect_part(&f, "/vocabulary", "{}", 200,
                "{\"model\":\"xx-yy\",\"examples\":[],\"source\":{\"size\":8,\"tokens\":[\"");
    expect_part(&f, "/vocabulary", "{\"model\":\"plain\"}", 200, "{\"model\":\"plain\",");
    expect(&f, "/vocabulary", "{\"model\":\"none\"}", 400,
           ERROR("none is not supported: there is no such model"));
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

/* Concurrent requests of both kinds get the same answers as alone. */
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

static void expect_ready(struct fixture *f, int code, const char *want)
{
    struct reply r = ask(f, "GET", "/ready", NULL, "");
    assert_string_equal(r.body, want);
    assert_int_equal(r.code, code);
    free(r.body);
}

TEST(ready_says_why_not)
{
    struct fixture f;
    open_usual(&f);
    expect_ready(&f, 200, "{\"status\":\"ready\"}");
    f.server->options.queue = 0; /* as if it were full */
    expect_ready(&f, 503, "{\"status\":\"not ready\",\"reason\":\"too many texts are waiting\"}");
    atomic_store(&f.server->stale, true);
    expect_ready(&f, 503,
                 "{\"status\":\"not ready\",\"reason\":\"the last reload failed; the log of the "
                 "server says why\"}");
    atomic_store(&f.server->draining, true);
    expect_ready(&f, 503, "{\"status\":\"not ready\",\"reason\":\"the server is stopping\"}");
    close_fixture(&f);
}
