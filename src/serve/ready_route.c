/* GET /ready: whether a load balancer should send requests here. /health only says that the process
 * is alive. */
#include "base/json_writer.h"
#include "serve/routes.h"

static bool all_can(const struct catalog *c)
{
    for (int i = 0; i < c->cores; i++)
        if (!loader_can(c->core[i]))
            return false;
    return true;
}

/* The first reason not to send requests here; NULL: there is none. Files are named in the log
 * only. */
static const char *reason(const struct exchange *e)
{
    struct attend_server *s = e->server;
    const struct loader_figures memory = loader_figures(s->loader);
    const struct {
        bool applies;
        const char *text;
    } rows[] = {
        {atomic_load(&s->draining), "the server is stopping"},
        {atomic_load(&s->stale), "the last reload failed; the log of the server says why"},
        {!all_can(e->catalog), "the file of a model has changed or is gone, and it is not loaded"},
        {batcher_waiting(s->translating) + memory.waiting >= s->options.queue,
         "too many texts are waiting"},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        if (rows[i].applies)
            return rows[i].text;
    return NULL;
}

void ready_begin(struct exchange *e, const struct params *p)
{
    struct strbuf out = {0};
    struct json_writer w = {.out = &out};
    const char *why = reason(e);
    (void)p;
    json_begin_object(&w, NULL);
    json_put_text(&w, "status", why ? "not ready" : "ready");
    if (why)
        json_put_text(&w, "reason", why);
    json_end(&w);
    exchange_json(e, why ? 503 : 200, strbuf_detach(&out));
}
