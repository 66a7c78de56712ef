#include "serve/loader.h"

#include "base/error.h"
#include "serve/batcher.h"
#include "serve/catalog.h"

#include <errno.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

/* A job that waits for its model. */
struct ticket {
    struct ticket *next;
    struct served *core; /* held by the job */
    struct batcher *to;
    struct batch_job *job;
};

struct loader {
    struct loader_setup setup;
    pthread_t thread;
    bool started; /* it runs */
    pthread_mutex_t lock;
    pthread_cond_t changed;       /* a job came or went, a model is idle, or the loader is to end */
    struct ticket *first, **last; /* the queue */
    struct served *loaded;        /* models in memory, in any order */
    long clock;                   /* counts jobs */
    bool hungry;                  /* the first job waits for room */
    bool ending;
    struct loader_figures now;
};

/* ---- The queue ---- */

static bool enqueue(struct loader *l, const struct ticket *ticket)
{
    const int lines = ticket->job->lines;
    struct ticket *t = NULL;
    if (!l->first || l->now.waiting + lines <= l->setup.queue_lines)
        t = malloc(sizeof *t);
    if (!t)
        return false;
    *t = *ticket;
    t->next = NULL;
    *l->last = t;
    l->last = &t->next;
    l->now.waiting += lines;
    pthread_cond_broadcast(&l->changed);
    return true;
}

/* Unlink *place from the queue and put it in front of `list`. Returns the longer list. */
static struct ticket *move_out(struct loader *l, struct ticket **place, struct ticket *list)
{
    struct ticket *t = *place;
    *place = t->next;
    if (!t->next)
        l->last = place;
    l->now.waiting -= t->job->lines;
    t->next = list;
    return t;
}

/* Without the lock: the owner of a finished job may free it at once. */
static void finish_all(struct ticket *list)
{
    while (list) {
        struct ticket *t = list;
        list = t->next;
        t->job->finished(t->job);
        free(t);
    }
}

static void use(struct loader *l, struct served *core, struct batch_job *job)
{
    job->uses = core;
    core->load.jobs++;
    core->load.used = ++l->clock;
}

/* All jobs for a model that is in memory go on, in their order. */
static void hand_over(struct loader *l, struct served *core)
{
    for (struct ticket **place = &l->first; *place;) {
        if ((*place)->core != core) {
            place = &(*place)->next;
            continue;
        }
        struct ticket *t = move_out(l, place, NULL);
        use(l, core, t->job);
        batcher_push(t->to, t->job);
        free(t);
    }
}

/* All jobs for a model that cannot be loaded. */
static struct ticket *take_failed(struct loader *l, const struct served *core,
                                  enum attend_status status)
{
    struct ticket *list = NULL;
    for (struct ticket **place = &l->first; *place;) {
        struct batch_job *job = (*place)->job;
        if ((*place)->core != core) {
            place = &(*place)->next;
            continue;
        }
        job->status = status == ATTEND_NO_MEMORY ? status : ATTEND_IO;
        error_set(&job->error, job->status, "the model cannot be loaded now");
        list = move_out(l, place, list);
    }
    return list;
}

/* ---- Models ---- */

static size_t bytes_of(const struct loadable *load)
{
    size_t bytes = load->weights;
    for (int i = 0; i < LOADER_WORKS; i++)
        bytes += load->working[i];
    return bytes;
}

/* Take a model out of the list and its bytes out of the sum. */
static void unlist(struct loader *l, struct served *core)
{
    struct served **place = &l->loaded;
    while (*place && *place != core)
        place = &(*place)->load.next;
    if (!*place)
        return;
    *place = core->load.next;
    l->now.bytes -= bytes_of(&core->load);
    l->now.models--;
}

static void unload(struct loader *l, struct served *core)
{
    unlist(l, core);
    attend_translator_free(core->translator);
    attend_translator_free(core->explainer);
    attend_model_free(core->load.model);
    core->translator = core->explainer = NULL;
    core->load.model = NULL;
    memset(core->load.working, 0, sizeof core->load.working);
    l->now.unloads++;
}

/* The model without jobs whose last one came longest ago; NULL: all have jobs. */
static struct served *find_idle(const struct loader *l)
{
    struct served *oldest = NULL;
    for (struct served *s = l->loaded; s; s = s->load.next)
        if (s->load.jobs == 0 && (!oldest || s->load.used < oldest->load.used))
            oldest = s;
    return oldest;
}

/* Unload idle models until `more` bytes fit; false if the models with jobs leave no room. */
static bool fits(struct loader *l, size_t more)
{
    struct served *idle;
    while (l->now.bytes + more > l->setup.limit && (idle = find_idle(l)))
        unload(l, idle);
    return l->now.bytes + more <= l->setup.limit;
}

/* Wait until the model of the first job fits. False if that job has gone. */
static bool wait_for_room(struct loader *l, const struct served *core)
{
    while (l->first && l->first->core == core) {
        if (fits(l, core->load.weights))
            return true;
        l->hungry = true;
        pthread_cond_wait(&l->changed, &l->lock);
        l->hungry = false;
    }
    return false;
}

static bool same_file(const struct file_identity *a, const struct file_identity *b)
{
    return a->device == b->device && a->number == b->number && a->size == b->size &&
           a->changed.tv_sec == b->changed.tv_sec && a->changed.tv_nsec == b->changed.tv_nsec;
}

enum attend_status loader_identify(struct file_identity *out, const char *path,
                                   struct attend_error *err)
{
    struct stat s;
    if (stat(path, &s))
        return error_set(err, ATTEND_IO, "%s: cannot be opened: %s", path, strerror(errno));
    *out = (struct file_identity){s.st_dev, s.st_ino, s.st_size, s.st_mtim};
    return ATTEND_OK;
}

/* A file that was replaced has other vocabularies, maybe. It is served after a reload, which reads
 * these too. */
static enum attend_status load_file(struct attend_model **out, const struct served *core,
                                    struct attend_error *err)
{
    struct file_identity file = {.size = 0};
    enum attend_status status = attend_model_load_copy(out, core->path, err);
    if (!status)
        status = loader_identify(&file, core->path, err);
    if (!status && !same_file(&file, &core->load.file))
        status = error_set(err, ATTEND_IO, "%s has changed; reload to serve the new file (SIGHUP)",
                           core->path);
    if (status) {
        attend_model_free(*out);
        *out = NULL;
    }
    return status;
}

/* Load a model for which there is room. Its bytes count from the start. */
static enum attend_status bring_in(struct loader *l, struct served *core, struct attend_error *err)
{
    struct attend_model *model = NULL;
    l->now.bytes += core->load.weights;
    pthread_mutex_unlock(&l->lock);
    const enum attend_status status = load_file(&model, core, err);
    pthread_mutex_lock(&l->lock);
    if (status) {
        l->now.bytes -= core->load.weights;
        return status;
    }
    core->load.model = model;
    core->load.next = l->loaded;
    l->loaded = core;
    l->now.models++;
    l->now.loads++;
    return ATTEND_OK;
}

/* ---- The thread ---- */

/* See to the first job: afterwards it has gone on, or has failed, or it was over. */
static void serve_first(struct loader *l, struct served *core)
{
    struct attend_error err;
    enum attend_status status = ATTEND_OK;
    if (!core->load.model && !wait_for_room(l, core))
        return;
    if (!core->load.model)
        status = bring_in(l, core, &err);
    if (!status) {
        hand_over(l, core);
        return;
    }
    struct ticket *failed = take_failed(l, core, status);
    pthread_mutex_unlock(&l->lock);
    l->setup.note(l->setup.context, err.message);
    finish_all(failed);
    pthread_mutex_lock(&l->lock);
}

static void *work(void *context)
{
    struct loader *l = context;
    pthread_mutex_lock(&l->lock);
    for (;;) {
        while (!l->first && !l->ending)
            pthread_cond_wait(&l->changed, &l->lock);
        if (!l->first)
            break;
        struct served *core = served_hold(l->first->core);
        serve_first(l, core);
        pthread_mutex_unlock(&l->lock);
        served_release(core); /* may be the last one, and then takes the lock */
        pthread_mutex_lock(&l->lock);
    }
    pthread_mutex_unlock(&l->lock);
    return NULL;
}

/* ---- Public functions ---- */

enum attend_status loader_new(struct loader **out, const struct loader_setup *setup,
                              struct attend_error *err)
{
    struct loader *l = calloc(1, sizeof *l);
    if (!l)
        return error_set(err, ATTEND_NO_MEMORY, "out of memory for a queue");
    l->setup = *setup;
    l->now.limit = setup->limit;
    l->last = &l->first;
    pthread_mutex_init(&l->lock, NULL);
    pthread_cond_init(&l->changed, NULL);
    *out = l;
    return ATTEND_OK;
}

enum attend_status loader_start(struct loader *l, struct attend_error *err)
{
    l->started = pthread_create(&l->thread, NULL, work, l) == 0;
    return l->started ? ATTEND_OK : error_set(err, ATTEND_NO_MEMORY, "a thread cannot be started");
}

void loader_free(struct loader *l)
{
    if (!l)
        return;
    pthread_mutex_lock(&l->lock);
    l->ending = true;
    pthread_cond_broadcast(&l->changed);
    pthread_mutex_unlock(&l->lock);
    if (l->started)
        pthread_join(l->thread, NULL);
    pthread_cond_destroy(&l->changed);
    pthread_mutex_destroy(&l->lock);
    free(l);
}

bool loader_submit(struct loader *l, struct served *core, struct batcher *to, struct batch_job *job)
{
    if (!l || !core)
        return batcher_add(to, job);
    pthread_mutex_lock(&l->lock);
    const bool here = core->load.model && !l->hungry;
    if (here)
        use(l, core, job);
    const bool good = here ? batcher_add(to, job)
                           : enqueue(l, &(struct ticket){.core = core, .to = to, .job = job});
    if (here && !good) {
        job->uses = NULL;
        core->load.jobs--;
    }
    pthread_mutex_unlock(&l->lock);
    return good;
}

void loader_done(struct loader *l, struct batch_job *job)
{
    if (!job->uses)
        return;
    pthread_mutex_lock(&l->lock);
    if (--job->uses->load.jobs == 0)
        pthread_cond_broadcast(&l->changed);
    job->uses = NULL;
    pthread_mutex_unlock(&l->lock);
}

bool loader_measure(struct loader *l, struct served *core, enum loader_work work, size_t bytes)
{
    if (!l)
        return false;
    pthread_mutex_lock(&l->lock);
    l->now.bytes += bytes - core->load.working[work];
    core->load.working[work] = bytes;
    const bool much = !fits(l, 0);
    pthread_mutex_unlock(&l->lock);
    return much;
}

void loader_forget(struct loader *l, struct served *core)
{
    if (!l)
        return;
    pthread_mutex_lock(&l->lock);
    unlist(l, core);
    pthread_mutex_unlock(&l->lock);
}

void loader_expire(struct loader *l, double now)
{
    struct ticket *late = NULL;
    if (!l)
        return;
    pthread_mutex_lock(&l->lock);
    for (struct ticket **place = &l->first; *place;) {
        struct batch_job *job = (*place)->job;
        if (job_is_over(job, now)) {
            job->late = true;
            late = move_out(l, place, late);
        } else {
            place = &(*place)->next;
        }
    }
    if (late)
        pthread_cond_broadcast(&l->changed);
    pthread_mutex_unlock(&l->lock);
    finish_all(late);
}

struct loader_figures loader_figures(struct loader *l)
{
    struct loader_figures now = {0};
    if (!l)
        return now;
    pthread_mutex_lock(&l->lock);
    now = l->now;
    pthread_mutex_unlock(&l->lock);
    return now;
}

bool loader_has(struct served *core)
{
    struct loader *l = core->load.home;
    if (!l)
        return true;
    pthread_mutex_lock(&l->lock);
    const bool has = core->load.model;
    pthread_mutex_unlock(&l->lock);
    return has;
}

bool loader_can(struct served *core)
{
    struct file_identity file = {.size = 0};
    return loader_has(core) || (loader_identify(&file, core->path, NULL) == ATTEND_OK &&
                                same_file(&file, &core->load.file));
}
