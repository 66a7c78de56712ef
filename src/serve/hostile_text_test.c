/* Hostile texts through the routes: an answer has one column for each word that the model saw. */
#include "base/json_writer.h"
#include "hostile_texts.h"
#include "routes_fixture.h"

/* The parsed answer to a request that must succeed. */
static struct json *answer_to(struct fixture *f, const char *path, const char *body)
{
    struct reply r = ask(f, "POST", path, json, body);
    struct json *answer;
    struct attend_error err = {.message = ""};
    if (r.code != 200)
        fail_msg("%s %s: %d %s", path, body, r.code, r.body);
    if (json_parse(&answer, r.body, strlen(r.body), "answer", &err))
        fail_msg("%s: %s", err.message, r.body);
    free(r.body);
    return answer;
}

static void assert_fits(const struct json *answer)
{
    const struct json *rows = json_member(answer, "attention");
    const int source = json_length(json_member(answer, "source"));
    assert_int_equal(json_length(rows), json_length(json_member(answer, "target")));
    for (int i = 0; i < json_length(rows); i++) {
        double sum = 0;
        assert_int_equal(json_length(json_at(rows, i)), source);
        for (int j = 0; j < source; j++)
            sum += json_number(json_at(json_at(rows, i), j));
        assert_near(sum, 1, 1e-4);
    }
}

static void assert_words(struct fixture *f, const char *body, int source)
{
    struct json *answer = answer_to(f, "/attention", body);
    assert_fits(answer);
    assert_int_equal(json_length(json_member(answer, "source")), source);
    json_free(answer);
}

TEST(attention_of_a_text_with_a_byte_order_mark_has_no_foreign_column)
{
    struct fixture f;
    open_usual(&f);
    assert_words(&f, "{\"q\":\"\\ufeff a b c\"}", 4);
    assert_words(&f, "{\"q\":\"\\ufeffa b c\",\"words\":true}", 4);
    assert_words(&f, "{\"q\":\"\\ufeff a\",\"target\":\"\\ufeff a b c d e f g h i j k\"}", 2);
    assert_words(&f, "{\"q\":\"a \\ufeff b\",\"alternatives\":2}", 4);
    close_fixture(&f);
}

TEST(attention_takes_no_weight_for_a_word_that_is_not_there)
{
    struct fixture f;
    open_usual(&f);
    assert_words(
        &f, "{\"q\":\"\\ufeff a b c\",\"attend\":[{\"step\":0,\"source\":3,\"weight\":1.0}]}", 4);
    expect_part(&f, "/attention",
                "{\"q\":\"\\ufeff a b c\",\"attend\":[{\"step\":0,\"source\":4,\"weight\":1.0}]}",
                400, "there is no source token 5 (counted from 1)");
    close_fixture(&f);
}

/* Laying out the weights once took time (weights x steps), 5e9 operations for this request. */
TEST(attention_takes_thousands_of_weights_for_late_steps)
{
    struct fixture f;
    struct strbuf body = {0};
    open_usual(&f);
    strbuf_adds(&body, "{\"q\":\"a b c\",\"attend\":[");
    for (int i = 0; i < 5000; i++)
        strbuf_addf(&body, "%s{\"step\":%d,\"source\":%d,\"weight\":0.25}", i ? "," : "",
                    999999 - i / 2, 3 - i % 2);
    strbuf_adds(&body, "]}");
    assert_words(&f, body.text, 4);
    strbuf_release(&body);
    close_fixture(&f);
}

static void add_words(struct strbuf *out, int count)
{
    for (int i = 0; i < count; i++)
        strbuf_adds(out, "a ");
}

static int code_of_matrix(struct fixture *f, int source, int target)
{
    struct strbuf body = {0};
    strbuf_adds(&body, "{\"q\":\"");
    add_words(&body, source);
    strbuf_adds(&body, "\",\"target\":\"");
    add_words(&body, target);
    strbuf_adds(&body, "\"}");
    struct reply r = ask(f, "POST", "/attention", json, body.text);
    if (r.code == 400)
        assert_non_null(strstr(r.body, "the attention has more than 4194304 weights"));
    free(r.body);
    strbuf_release(&body);
    return r.code;
}

TEST(attention_of_too_many_weights_is_refused)
{
    const char *const settings[][2] = {
        {"max-line", "100000"}, {"max-characters", "100000"}, {NULL, NULL}};
    struct fixture f;
    open_with(&f, settings);
    assert_int_equal(code_of_matrix(&f, 1023, 4095), 200); /* </s> counts as a word on both sides */
    assert_int_equal(code_of_matrix(&f, 1023, 4096), 400);
    expect_part(&f, "/attention", "{\"q\":\"a b\"}", 200, "\"text\":\"b a\"");
    assert_int_equal(atomic_load(&f.server->answers), 0);
    close_fixture(&f);
}

/* Answers that no client reads: they are kept up to a limit, after which large ones are refused. */
TEST(answers_of_all_clients_together_are_bounded)
{
    struct fixture f;
    struct reply r;
    open_usual(&f);
    atomic_store(&f.server->answers, (size_t)1 << 29);
    r = ask(&f, "GET", "/health", json, "");
    assert_int_equal(r.code, 200);
    free(r.body);
    assert_int_equal(code_of_matrix(&f, 400, 400) == 503, true);
    assert_int_equal(atomic_load(&f.server->answers), (size_t)1 << 29);
    close_fixture(&f);
}

/* Every cell names its two words: 160 words of 2 kB on each side would make a picture of 100 MB. */
TEST(picture_of_long_words_is_refused)
{
    struct fixture f;
    struct strbuf body = {0}, words = {0}, row = {0};
    char word[2001];
    memset(word, 'a', sizeof word - 1);
    word[sizeof word - 1] = '\0';
    for (int i = 0; i < 160; i++) {
        strbuf_addf(&words, "%s\"%s\"", i ? "," : "", word);
        strbuf_addf(&row, "%s0.1", i ? "," : "");
    }
    strbuf_addf(&body, "{\"matrix\":{\"source\":[%s],\"target\":[%s],\"attention\":[", words.text,
                words.text);
    for (int i = 0; i < 160; i++)
        strbuf_addf(&body, "%s[%s]", i ? "," : "", row.text);
    strbuf_adds(&body, "]}}");
    open_usual(&f);
    expect_part(&f, "/picture", body.text, 400, "words are too long to be drawn");
    close_fixture(&f);
    strbuf_release(&body);
    strbuf_release(&words);
    strbuf_release(&row);
}

static void make_request(struct strbuf *out, const char *q, const char *target)
{
    struct json_writer w = {.out = out};
    strbuf_clear(out);
    json_begin_object(&w, NULL);
    json_put_text(&w, "q", q);
    if (target)
        json_put_text(&w, "target", target);
    json_end(&w);
}

/* A route takes one line without a carriage return; those at the end of a text are dropped. */
static bool is_line(const char *text) { return !strchr(text, '\r'); }

TEST(routes_answer_hostile_texts_with_matrices_that_fit)
{
    const int wanted = hostile_texts_wanted(3000) / 100;
    struct fixture f;
    struct hostile_texts texts;
    struct strbuf q = {0}, target = {0}, body = {0};
    open_usual(&f);
    hostile_texts_init(&texts, 5);
    for (int i = 0; i < wanted; i++) {
        hostile_text(&texts, &q);
        hostile_text(&texts, &target);
        if (!*q.text || !is_line(q.text) || !is_line(target.text))
            continue;
        make_request(&body, q.text, i % 2 ? target.text : NULL);
        struct json *answer = answer_to(&f, "/attention", body.text);
        if (json_length(json_member(answer, "target")) > 0)
            assert_fits(answer);
        json_free(answer);
        make_request(&body, q.text, NULL);
        struct reply r = ask(&f, "POST", "/explain", json, body.text);
        assert_true(r.code == 200 || r.code == 400); /* 400: the text has no words */
        free(r.body);
    }
    strbuf_release(&q);
    strbuf_release(&target);
    strbuf_release(&body);
    hostile_texts_release(&texts);
    close_fixture(&f);
}
