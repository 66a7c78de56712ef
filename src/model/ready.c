#include "model/ready.h"

#include "base/io.h"
#include "base/threads.h"
#include "model/weights.h"

#include <stdatomic.h>
#include <stddef.h>

/* Starting a thread takes as long as checking about this many bytes. */
enum { TWO_THREADS_FROM = 1 << 20, TEAM = 2 };

struct making {
    const struct ready *ready;
    bool sound; /* no weight is NaN, infinite or out of range */
    struct outcome {
        enum attend_status status;
        struct attend_error error;
    } file, rest;
    atomic_int taken; /* see struct compute */
};

/* ---- Checking ---- */

static const struct param *param_of(const struct param_set *set, const struct file_tensor *t)
{
    for (int i = 0; i < set->count; i++) {
        const struct param *p = set->item[i];
        if (t->bytes == (p->int8 ? (const void *)p->int8 : p->value) || t->bytes == p->scales)
            return p;
    }
    return NULL;
}

/* The rows of a table are looked up later, few of them, so its pages need not stay. */
static void look_at(void *context, const struct file_tensor *t, const void *bytes, size_t size)
{
    struct making *m = context;
    const struct param *p = param_of(&m->ready->net->params, t);
    if (!p)
        return;
    m->sound = m->sound && weights_sound(p, t, bytes, size);
    if (p->table)
        io_map_spent(m->ready->map, bytes, size);
}

static void verify(struct making *m)
{
    const struct ready *r = m->ready;
    m->sound = true;
    m->file.status = file_verify(r->file, look_at, m, &m->file.error);
    if (!m->file.status && !m->sound) /* once more, for the message */
        m->file.status = weights_check(&r->net->params, r->path, &m->file.error);
}

/* ---- Both threads ---- */

/* Member 0 need not wait for the file to be verified: what it packs is not used before. */
static void make(struct worker *w, void *job)
{
    struct making *m = job;
    const struct ready *r = m->ready;
    struct compute compute = {.worker = w, .spent = r->map, .taken = &m->taken};
    if (w->index == w->count - 1)
        verify(m);
    if (w->index == 0)
        m->rest.status = r->rest(r->context, &m->rest.error);
    seq2seq_pack(r->net, &compute);
    if (w->index == 0) /* all have met: what one still read when another gave it back */
        io_map_spent(r->map, r->map->bytes, r->map->size);
}

static struct team *helpers(const struct ready *r)
{
    struct team *team = NULL;
    if (r->map->size >= TWO_THREADS_FROM && threads_allowed() >= TEAM)
        (void)team_new(&team, TEAM, NULL); /* one thread can do it, too */
    return team;
}

enum attend_status ready_make(const struct ready *r, struct attend_error *err)
{
    struct making m = {.ready = r};
    struct worker alone = worker_alone();
    struct team *team = helpers(r);
    if (team)
        team_run(team, make, &m);
    else
        make(&alone, &m);
    team_free(team);
    const struct outcome *o = m.file.status ? &m.file : &m.rest;
    if (o->status && err)
        *err = o->error;
    return o->status;
}
