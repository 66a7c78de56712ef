/* Language detection takes time linear in the texts and never runs on the HTTP thread. */
#include "routes_fixture.h"

#include "serve/detection.h"

static int detected(struct fixture *f, struct exchange *e, const char *const *text, int count,
                    bool together)
{
    struct detection *d = detection_new(e, count, 2);
    d->together = together;
    for (int i = 0; i < count; i++)
        d->text[i] = strdup(text[i]);
    const struct slice slice = {&d->task.job, 0, 1};
    work_task(f->server, &slice, 1);
    assert_int_equal(d->task.job.status, ATTEND_OK);
    const int result = d->detected;
    detection_free(d);
    return result;
}

TEST(detection_classifies_short_texts_together_and_long_ones_alone)
{
    enum { MANY = 500 };
    static const char long_text[] = "this text has more than forty characters, as anyone may count";
    const char *text[MANY];
    struct fixture f;
    open_usual(&f);
    struct exchange e = {.server = f.server, .catalog = f.server->catalog, .deadline = 1e18};
    for (int i = 0; i < MANY; i++)
        text[i] = "short";
    assert_int_equal(detected(&f, &e, text, MANY, true), 1);
    text[0] = text[7] = text[MANY - 1] = long_text;
    assert_int_equal(detected(&f, &e, text, MANY, true), 4);
    assert_int_equal(detected(&f, &e, text, MANY, false), MANY);
    close_fixture(&f);
}

static void expect_wait(struct fixture *f, const char *path, const char *body)
{
    struct exchange *e = server_begin(f->server, &(struct http_head){.method = "POST",
                                                                     .path = path,
                                                                     .query = "",
                                                                     .client = "x",
                                                                     .type = json,
                                                                     .length = -1});
    server_receive(e, body, strlen(body));
    assert_int_equal(server_proceed(e), HTTP_WAIT);
    server_submit(e);
    sem_wait(&resumed);
    assert_int_equal(server_proceed(e), HTTP_ANSWER);
    server_end(e, true);
}

TEST(detection_is_not_done_by_the_thread_that_accepts)
{
    struct fixture f;
    open_usual(&f);
    expect_wait(&f, "/detect", "{\"q\":\"a\"}");
    expect_wait(&f, "/translate", "{\"q\":[\"a\",\"b\"],\"source\":\"auto\",\"target\":\"yy\"}");
    close_fixture(&f);
}
