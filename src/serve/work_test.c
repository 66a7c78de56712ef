/* Work stops when no client waits for it any more, and only then. */
#include "routes_fixture.h"

#include "base/clock.h"
#include "serve/work.h"

#include <time.h>

/* An explanation that would take minutes. */
static struct exchange *begin_endless(struct fixture *f)
{
    enum { WORDS = 1000 };
    static char body[2 * 2 * WORDS + 64];
    char words[2 * WORDS];
    for (int i = 0; i < 2 * WORDS; i++)
        words[i] = i % 2 ? ' ' : 'a';
    words[2 * WORDS - 1] = '\0';
    snprintf(body, sizeof body, "{\"q\":\"%s\",\"target\":\"%s\"}", words, words);
    struct exchange *e = server_begin(f->server, &(struct http_head){.method = "POST",
                                                                     .path = "/explain",
                                                                     .query = "",
                                                                     .client = "x",
                                                                     .type = json,
                                                                     .length = -1});
    server_receive(e, body, strlen(body));
    assert_int_equal(server_proceed(e), HTTP_WAIT);
    server_submit(e);
    return e;
}

static void wait_until_begun(struct fixture *f)
{
    while (batcher_waiting(f->server->explaining) > 0)
        nanosleep(&(struct timespec){.tv_nsec = 1000000}, NULL);
}

static const char *const room[][2] = {{"max-explain", "4000"},
                                      {"max-line", "4000"},
                                      {"max-characters", "10000"},
                                      {"timeout", "3600"},
                                      {NULL, NULL}};

TEST(work_of_a_client_that_left_ends_under_way)
{
    struct fixture f;
    open_with(&f, room);
    struct exchange *e = begin_endless(&f);
    wait_until_begun(&f);
    server_abandon(e);
    sem_wait(&resumed);
    assert_int_equal(server_proceed(e), HTTP_ANSWER);
    assert_int_equal(server_answer(e)->code, 504);
    server_end(e, false);
    expect_part(&f, "/explain", "{\"q\":\"a b c\"}", 200, "\"leave_one_out\":[[");
    close_fixture(&f);
}

TEST(work_that_waits_ends_when_its_client_leaves)
{
    struct fixture f;
    open_with(&f, room);
    struct exchange *first = begin_endless(&f);
    wait_until_begun(&f);
    struct exchange *second = begin_endless(&f);
    server_abandon(second);
    batcher_expire(f.server->explaining, clock_seconds());
    sem_wait(&resumed);
    assert_int_equal(batcher_waiting(f.server->explaining), 0);
    assert_int_equal(server_proceed(second), HTTP_ANSWER);
    server_end(second, false);
    server_abandon(first);
    sem_wait(&resumed);
    assert_int_equal(server_proceed(first), HTTP_ANSWER);
    server_end(first, false);
    close_fixture(&f);
}

TEST(work_under_way_ends_at_its_deadline)
{
    static const char *const soon[][2] = {{"max-explain", "4000"},
                                          {"max-line", "4000"},
                                          {"max-characters", "10000"},
                                          {"timeout", "0.2"},
                                          {NULL, NULL}};
    struct fixture f;
    open_with(&f, soon);
    struct exchange *e = begin_endless(&f);
    sem_wait(&resumed);
    assert_int_equal(server_proceed(e), HTTP_ANSWER);
    assert_int_equal(server_answer(e)->code, 504);
    assert_non_null(strstr(server_answer(e)->body, "it took longer than 0.2 seconds"));
    server_end(e, true);
    close_fixture(&f);
}

/* ---- Batches ---- */

static struct text_job *make_job(struct fixture *f, struct exchange *e)
{
    struct text_job *job = text_job_new(e, f->server->catalog->item[0], 1, false);
    job->line[0] = strdup("a b c");
    return job;
}

TEST(work_of_a_batch_ends_when_nobody_waits_for_any_of_it)
{
    struct fixture f;
    open_usual(&f);
    for (int gone = 0; gone <= 2; gone++) {
        struct exchange e[2] = {{.server = f.server, .deadline = 1e18},
                                {.server = f.server, .deadline = gone == 2 ? 0 : 1e18}};
        struct text_job *job[] = {make_job(&f, &e[0]), make_job(&f, &e[1])};
        const struct slice slice[] = {{&job[0]->job, 0, 1}, {&job[1]->job, 0, 1}};
        if (gone)
            server_abandon(&e[0]);
        work_translate(f.server, slice, 2);
        for (int i = 0; i < 2; i++) {
            assert_int_equal(job[i]->job.status, gone == 2 ? ATTEND_STOPPED : ATTEND_OK);
            assert_int_equal(job[i]->job.late, gone == 2);
            if (gone < 2)
                assert_string_equal(job[i]->result[0].text, "c b a");
            text_job_free(job[i]);
        }
    }
    close_fixture(&f);
}
