/* A server without a network: requests go in and answers come out, for tests of the routes. */
#ifndef ATTEND_TESTS_ROUTES_FIXTURE_H
#define ATTEND_TESTS_ROUTES_FIXTURE_H

#include "test.h"

#include "base/asset.h"
#include "attend/settings.h"
#include "serve/routes.h"

#include <semaphore.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* A server with two names for the golden model, which reverses up to four letters, and no sockets:
 * requests are made by calling what HTTP would call. */
static sem_t resumed;

static inline void resume(void *connection)
{
    (void)connection;
    sem_post(&resumed);
}

static inline int no_connections(const struct http *http)
{
    (void)http;
    return 7;
}

static const struct attend_http transport = {.resume = resume, .connections = no_connections};

struct fixture {
    struct attend_serve_options options;
    struct attend_translator_options search;
    struct attend_settings *settings; /* over both */
    struct attend_server *server;
};

static inline void open_with(struct fixture *f, const char *const (*settings)[2])
{
    const char *const usual[][2] = {
        {"model", ATTEND_SOURCE "/tests/data/model-v1.safetensors"},
        {"model", ATTEND_SOURCE "/tests/data/model-v1.safetensors"},
        {"name", "xx-yy"},
        {"name", "plain"},
        {"threads", "1"},
    };
    struct attend_error err = {.message = ""};
    f->options = attend_serve_defaults();
    f->search = attend_translator_defaults();
    assert_int_equal(attend_settings_new(&f->settings, &err), ATTEND_OK);
    attend_settings_add(f->settings, "", ATTEND_TABLE_SERVE_MODELS, &f->options, &err);
    attend_settings_add(f->settings, "", ATTEND_TABLE_SERVE, &f->options, &err);
    attend_settings_add(f->settings, "", ATTEND_TABLE_SERVE_LIMITS, &f->options, &err);
    attend_settings_add(f->settings, "", ATTEND_TABLE_SEARCH, &f->search, &err);
    attend_settings_add(f->settings, "", ATTEND_TABLE_SPEED, &f->search, &err);
    for (size_t i = 0; i < sizeof usual / sizeof *usual; i++)
        assert_int_equal(attend_settings_set(f->settings, usual[i][0], usual[i][1], &err),
                         ATTEND_OK);
    for (; settings && (*settings)[0]; settings++)
        assert_int_equal(attend_settings_set(f->settings, (*settings)[0], (*settings)[1], &err),
                         ATTEND_OK);
    if (attend_server_open(&f->server, &f->options, &f->search, NULL, &err))
        fail_msg("%s", err.message);
    f->server->http = &transport;
    sem_init(&resumed, 0, 0);
}

static inline void open_usual(struct fixture *f) { open_with(f, NULL); }

static inline void close_fixture(struct fixture *f)
{
    assert_int_equal(atomic_load(&f->server->active), 0);
    attend_server_close(f->server);
    attend_settings_free(f->settings);
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

static inline struct exchange *ask_head(struct fixture *f, const struct http_head *head,
                                        const char *body)
{
    struct exchange *e = server_begin(f->server, head);
    assert_non_null(e);
    server_receive(e, body, strlen(body));
    while (server_proceed(e) == HTTP_WAIT) {
        server_submit(e);
        sem_wait(&resumed);
    }
    return e;
}

static inline struct reply ask(struct fixture *f, const char *method, const char *path,
                               const char *type, const char *body)
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
    assert_null(field_of(a, "Access-Control-Allow-Origin")); /* no page asked */
    assert_string_equal(field_of(a, "Vary"), "Origin");
    server_end(e, true);
    return reply;
}

static inline void expect(struct fixture *f, const char *path, const char *body, int code,
                          const char *want)
{
    struct reply r = ask(f, "POST", path, json, body);
    assert_string_equal(r.body, want);
    assert_int_equal(r.code, code);
    free(r.body);
}

static inline void expect_part(struct fixture *f, const char *path, const char *body, int code,
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

#endif
