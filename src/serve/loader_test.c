/* Models under a limit of memory: loaded on first use, unloaded when idle, kept while they work. */
#include "routes_fixture.h"

#include "base/clock.h"
#include "base/io.h"
#include "serve/work.h"

#include <time.h>
#include <unistd.h>

static const char *const golden = ATTEND_SOURCE "/tests/data/model-v1.safetensors";

static size_t weights(void)
{
    struct attend_model *model;
    assert_int_equal(attend_model_load_outline(&model, golden, NULL), ATTEND_OK);
    const size_t bytes = attend_model_info(model).memory;
    attend_model_free(model);
    return bytes;
}

/* The fixture's two models, of which one fits. */
static void open_narrow(struct fixture *f)
{
    char limit[32];
    snprintf(limit, sizeof limit, "%zu", weights() * 3 / 2);
    const char *const settings[][2] = {{"memory-limit", limit}, {"max-explain", "4000"},
                                       {"max-line", "4000"},    {"max-characters", "10000"},
                                       {"timeout", "3600"},     {NULL, NULL}};
    open_with(f, settings);
}

static void expect_figures(struct fixture *f, int models, long loads, long unloads)
{
    const struct loader_figures now = loader_figures(f->server->loader);
    assert_int_equal(now.models, models);
    assert_int_equal(now.loads, loads);
    assert_int_equal(now.unloads, unloads);
    assert_true(now.bytes <= now.limit);
    assert_int_equal(now.waiting, 0);
}

TEST(loader_outline_has_all_but_the_weights)
{
    struct attend_model *outline, *whole;
    struct attend_translator *translator = NULL;
    struct attend_error err = {.message = ""};
    assert_int_equal(attend_model_load_outline(&outline, golden, NULL), ATTEND_OK);
    assert_int_equal(attend_model_load_copy(&whole, golden, NULL), ATTEND_OK);
    char *texts[] = {attend_model_describe(outline), attend_model_describe(whole)};
    assert_string_equal(texts[0], texts[1]);
    assert_true(attend_model_info(outline).memory == attend_model_info(whole).memory);
    assert_true(attend_model_info(outline).memory > attend_model_info(outline).parameters * 4);
    assert_int_equal(attend_translator_new(
                         &translator, (const struct attend_model *const *)&outline, 1, NULL, &err),
                     ATTEND_USAGE);
    assert_string_equal(err.message, "the model was loaded without its weights");
    attend_text_free(texts[0]);
    attend_text_free(texts[1]);
    attend_model_free(outline);
    attend_model_free(whole);
}

TEST(loader_loads_on_first_use_and_unloads_the_idle)
{
    struct fixture f;
    open_narrow(&f);
    expect_figures(&f, 0, 0, 0);
    expect(&f, "/translate", REQUEST("\"q\":\"a b\""), 200, "{\"translatedText\":\"b a\"}");
    expect(&f, "/translate", REQUEST("\"q\":\"a c\""), 200, "{\"translatedText\":\"c a\"}");
    expect_figures(&f, 1, 1, 0);
    expect(&f, "/translate", "{\"q\":\"a b\",\"model\":\"plain\"}", 200,
           "{\"translatedText\":\"b a\"}");
    expect_figures(&f, 1, 2, 1);
    expect_part(&f, "/explain", "{\"q\":\"a b c\"}", 200, "\"leave_one_out\":[[");
    expect_figures(&f, 1, 3, 2);
    close_fixture(&f);
}

/* What needs no weights is answered without them. */
TEST(loader_describes_models_that_are_not_in_memory)
{
    struct fixture f;
    open_narrow(&f);
    struct reply r = ask(&f, "GET", "/models", NULL, "");
    assert_non_null(strstr(r.body, "\"name\":\"xx-yy\""));
    assert_non_null(strstr(r.body, "\"name\":\"plain\""));
    assert_non_null(strstr(r.body, "\"loaded\":false"));
    assert_null(strstr(r.body, "\"loaded\":true"));
    free(r.body);
    expect_part(&f, "/vocabulary", "{\"model\":\"plain\"}", 200, "\"tokens\":[");
    expect_part(&f, "/detect", "{\"q\":\"a b\"}", 200, "\"language\"");
    expect_figures(&f, 0, 0, 0);
    close_fixture(&f);
}

/* ---- Waiting for room ---- */

static struct exchange *begin(struct fixture *f, const char *path, const char *body)
{
    const struct http_head head = {
        .method = "POST", .path = path, .query = "", .client = "x", .type = json, .length = -1};
    struct exchange *e = server_begin(f->server, &head);
    server_receive(e, body, strlen(body));
    assert_int_equal(server_proceed(e), HTTP_WAIT);
    server_submit(e);
    return e;
}

/* An explanation by the first model that would take minutes, under way. */
static struct exchange *begin_endless(struct fixture *f)
{
    enum { WORDS = 1000 };
    static char body[2 * 2 * WORDS + 64];
    char words[2 * WORDS];
    for (int i = 0; i < 2 * WORDS; i++)
        words[i] = i % 2 ? ' ' : 'a';
    words[2 * WORDS - 1] = '\0';
    snprintf(body, sizeof body, "{\"q\":\"%s\",\"target\":\"%s\"}", words, words);
    struct exchange *e = begin(f, "/explain", body);
    while (loader_figures(f->server->loader).models == 0 ||
           batcher_waiting(f->server->explaining) > 0)
        nanosleep(&(struct timespec){.tv_nsec = 1000000}, NULL);
    return e;
}

static void wait_for_lines(struct fixture *f, int lines)
{
    while (loader_figures(f->server->loader).waiting != lines)
        nanosleep(&(struct timespec){.tv_nsec = 1000000}, NULL);
}

static void end(struct exchange *e, int code)
{
    assert_int_equal(server_proceed(e), HTTP_ANSWER);
    assert_int_equal(server_answer(e)->code, code);
    server_end(e, true);
}

TEST(loader_keeps_a_model_that_works_and_lets_no_job_pass_one_that_waits_for_room)
{
    struct fixture f;
    open_narrow(&f);
    struct exchange *busy = begin_endless(&f);
    struct exchange *other = begin(&f, "/translate", "{\"q\":\"a b\",\"model\":\"plain\"}");
    wait_for_lines(&f, 1);
    nanosleep(&(struct timespec){.tv_nsec = 20000000}, NULL); /* the loader sees that it is full */
    struct exchange *same = begin(&f, "/translate", REQUEST("\"q\":\"a b\""));
    wait_for_lines(&f, 2);
    assert_int_equal(loader_figures(f.server->loader).unloads, 0);
    server_abandon(busy);
    for (int i = 0; i < 3; i++)
        sem_wait(&resumed);
    end(busy, 504);
    end(other, 200);
    end(same, 200);
    expect_figures(&f, 1, 3, 2); /* the busy one, the other, and the first again */
    close_fixture(&f);
}

TEST(loader_ends_the_wait_of_a_job_that_is_over)
{
    struct fixture f;
    open_narrow(&f);
    struct exchange *busy = begin_endless(&f);
    struct exchange *other = begin(&f, "/translate", "{\"q\":\"a b\",\"model\":\"plain\"}");
    wait_for_lines(&f, 1);
    server_abandon(other);
    loader_expire(f.server->loader, clock_seconds());
    sem_wait(&resumed);
    end(other, 504);
    server_abandon(busy);
    sem_wait(&resumed);
    end(busy, 504);
    expect_figures(&f, 1, 1, 0);
    close_fixture(&f);
}

/* ---- Files that change ---- */

static void copy_model(const char *path)
{
    struct strbuf bytes = {0};
    assert_int_equal(io_read(golden, &bytes, NULL), ATTEND_OK);
    assert_int_equal(io_write(path, bytes.text, bytes.length, NULL), ATTEND_OK);
    strbuf_release(&bytes);
}

TEST(loader_serves_no_other_file_than_the_one_that_was_read)
{
    char path[64];
    struct fixture f;
    snprintf(path, sizeof path, "loader_test.%ld.model", (long)getpid());
    copy_model(path);
    open_with(&f, (const char *const[][2]){{"model", path}, {"memory-limit", "1G"}, {NULL, NULL}});
    copy_model(path); /* replaces the file by an equal one */
    char body[128];
    snprintf(body, sizeof body, "{\"q\":\"a b\",\"model\":\"%.*s\"}", (int)strlen(path) - 6, path);
    expect(&f, "/translate", body, 500,
           ERROR("Cannot translate text: the model cannot be loaded now"));
    struct reply r = ask(&f, "GET", "/ready", NULL, "");
    assert_int_equal(r.code, 503);
    free(r.body);
    server_reload(f.server);
    r = ask(&f, "GET", "/ready", NULL, "");
    assert_int_equal(r.code, 200);
    free(r.body);
    expect(&f, "/translate", body, 200, "{\"translatedText\":\"b a\"}");
    close_fixture(&f);
    unlink(path);
}

TEST(loader_refuses_a_model_larger_than_the_limit)
{
    struct attend_serve_options options = attend_serve_defaults();
    struct attend_server *server;
    struct attend_error err = {.message = ""};
    options.models = (const char *const[]){golden, NULL};
    options.memory_limit = weights() - 1;
    assert_int_equal(attend_server_open(&server, &options, NULL, NULL, &err), ATTEND_USAGE);
    assert_non_null(strstr(err.message, "model-v1.safetensors: its weights take "));
    assert_non_null(strstr(err.message, "`memory_limit` is "));
}
