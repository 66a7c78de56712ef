#include "serve/work.h"

#include "base/clock.h"
#include "base/error.h"
#include "base/threads.h"
#include "base/utf8.h"
#include "serve/server.h"

#include <stdlib.h>
#include <string.h>

/* ---- Jobs ---- */

struct job work_job(struct exchange *e, int lines)
{
    return (struct job){.lines = lines,
                        .deadline = e->deadline,
                        .abandoned = &e->abandoned,
                        .finished = work_finished,
                        .owner = e};
}

struct text_job *text_job_new(struct exchange *e, struct served *served, int lines, bool forced)
{
    struct text_job *t = calloc(1, sizeof *t);
    if (!t)
        return NULL;
    t->job = work_job(e, lines);
    t->served = served_hold(served);
    t->line = calloc((size_t)lines, sizeof *t->line);
    t->target = forced ? calloc((size_t)lines, sizeof *t->target) : NULL;
    t->wish = calloc((size_t)lines, sizeof *t->wish);
    t->result = calloc((size_t)lines, sizeof *t->result);
    if (t->line && t->wish && t->result && (t->target || !forced))
        return t;
    text_job_free(t);
    return NULL;
}

void text_job_free(struct text_job *t)
{
    if (!t)
        return;
    for (int i = 0; i < t->job.lines; i++) {
        if (t->line)
            free(t->line[i]);
        if (t->target)
            free(t->target[i]);
        if (t->result)
            attend_translation_release(&t->result[i]);
    }
    free(t->line);
    free(t->target);
    free(t->wish);
    free(t->result);
    served_release(t->served);
    free(t);
}

void work_finished(struct job *job)
{
    struct exchange *e = job->owner;
    if (job->status) /* messages quote texts, and cut them anywhere */
        utf8_repair(job->error.message);
    /* The last one: the exchange may be gone as soon as its connection goes on. */
    if (atomic_fetch_sub(&e->waiting, 1) == 1)
        e->server->http->resume(e->connection);
}

bool work_failed(struct exchange *e, const struct job *job)
{
    if (job->late) {
        exchange_error(e, 504, "Cannot translate text: it took longer than %g seconds",
                       e->server->limits.timeout);
        return true;
    }
    const bool mine = job->status == ATTEND_USAGE || job->status == ATTEND_DATA;
    if (job->status)
        exchange_error(e, mine ? 400 : 500, "%s%s",
                       mine ? "Invalid request: " : "Cannot translate text: ", job->error.message);
    return job->status;
}

/* ---- Stopping ---- */

/* The jobs of a batch that is being worked on. */
struct running {
    const struct slice *slice;
    int count;
};

/* Somebody who still waits keeps the whole batch going. */
static bool nobody_waits(void *context)
{
    const struct running *r = context;
    const double now = clock_seconds();
    for (int i = 0; i < r->count; i++)
        if (r->slice[i].count > 0 && !job_is_over(r->slice[i].job, now))
            return false;
    return true;
}

static void set_late(const struct slice *slice, int count)
{
    for (int i = 0; i < count; i++) {
        slice[i].job->late = true;
        slice[i].job->status = ATTEND_STOPPED;
    }
}

/* ---- Translating ---- */

bool work_together(const struct job *a, const struct job *b)
{
    const struct text_job *x = (const struct text_job *)a, *y = (const struct text_job *)b;
    return x->served == y->served && !x->target == !y->target && x->search.beam == y->search.beam &&
           x->search.nbest == y->search.nbest && x->search.each_head == y->search.each_head;
}

/* Lines of several jobs side by side. */
struct bundle {
    const struct text_job *first;
    const char **line, **target;
    struct attend_wish *wish;
    struct attend_translation *result;
    int count;
};

static void release_bundle(struct bundle *b)
{
    free(b->line);
    free(b->target);
    free(b->wish);
    free(b->result);
}

static bool make_bundle(struct bundle *b, const struct slice *slice, int count)
{
    size_t lines = 1;
    for (int i = 0; i < count; i++)
        lines += (size_t)slice[i].count;
    *b = (struct bundle){.first = (const struct text_job *)slice[0].job,
                         .line = calloc(lines, sizeof *b->line),
                         .target = calloc(lines, sizeof *b->target),
                         .wish = calloc(lines, sizeof *b->wish),
                         .result = calloc(lines, sizeof *b->result)};
    if (!b->line || !b->target || !b->wish || !b->result)
        return false;
    for (int i = 0; i < count; i++) {
        const struct text_job *t = (const struct text_job *)slice[i].job;
        for (int k = slice[i].from; k < slice[i].from + slice[i].count; k++, b->count++) {
            b->line[b->count] = t->line[k];
            b->target[b->count] = t->target ? t->target[k] : NULL;
            b->wish[b->count] = t->wish[k];
        }
    }
    return true;
}

static enum attend_status translator_of(struct attend_server *s, struct attend_translator **out,
                                        const struct served *served, struct attend_error *err)
{
    const struct attend_model *const model = served->model;
    return *out ? ATTEND_OK : attend_translator_new(out, &model, 1, s->options, err);
}

static enum attend_status run_search(struct attend_translator *t, const struct bundle *b,
                                     struct attend_error *err)
{
    return b->first->target
               ? attend_force(t, b->line, b->target, b->count, b->result, err)
               : attend_translate_wishes(t, b->line, b->wish, b->count, b->result, err);
}

/* Batches are cut so that every thread gets one. */
static enum attend_status run_bundle(struct attend_server *s, struct bundle *b,
                                     const struct attend_stop *stop, struct attend_error *err)
{
    struct served *served = b->first->served;
    const int threads = (int)attend_options_number(s->options, "threads");
    const int team = threads ? threads : threads_available();
    const int most = (int)attend_options_number(s->options, "batch-sentences");
    struct attend_search search = b->first->search;
    const int each = (b->count + team - 1) / team;
    search.batch_sentences = each < most ? each : most;
    enum attend_status status = translator_of(s, &served->translator, served, err);
    if (!status)
        status = attend_translator_search(served->translator, &search, err);
    if (status)
        return status;
    attend_translator_stop(served->translator, stop);
    status = run_search(served->translator, b, err);
    attend_translator_stop(served->translator, NULL);
    return status;
}

static void drop_matrices(struct attend_translation *t)
{
    for (int i = -1; i < t->others; i++) {
        struct attend_translation *one = i < 0 ? t : &t->other[i];
        free(one->attention);
        free(one->head_attention);
        one->attention = one->head_attention = NULL;
        one->heads = 0;
    }
}

static long count_cells(const struct attend_translation *t)
{
    long cells = 0;
    for (int i = -1; i < t->others; i++) {
        const struct attend_translation *one = i < 0 ? t : &t->other[i];
        if (one->attention)
            cells += (long)one->target_count * one->source_count * (1 + one->heads);
    }
    return cells;
}

/* A result stays until its request is answered. Matrices grow with the square of a line: those
 * that nobody will see go at once, and a job with too many of them fails. */
static void keep_result(struct text_job *t, int k, const struct attend_translation *result)
{
    t->result[k] = *result;
    t->cells += t->shows ? count_cells(result) : 0;
    const bool many = t->cells > TEXT_JOB_CELLS;
    if (!t->shows || many)
        drop_matrices(&t->result[k]);
    if (many && !t->job.status)
        t->job.status = error_set(&t->job.error, ATTEND_DATA,
                                  "its attention has more than %d weights; shorten the text or ask "
                                  "for fewer alternatives",
                                  TEXT_JOB_CELLS);
}

static void hand_out(struct attend_server *s, const struct slice *slice, int count,
                     struct bundle *b)
{
    struct metrics *m = &s->metrics;
    int at = 0;
    for (int i = 0; i < count; i++) {
        struct text_job *t = (struct text_job *)slice[i].job;
        for (int k = slice[i].from; k < slice[i].from + slice[i].count; k++)
            keep_result(t, k, &b->result[at++]);
    }
    for (int i = 0; i < b->count; i++) {
        atomic_fetch_add(&m->source_tokens, b->result[i].source_count);
        atomic_fetch_add(&m->target_tokens, b->result[i].target_count);
    }
    atomic_fetch_add(&m->lines, b->count);
    metrics_observe(&m->batch, b->count);
}

static enum attend_status translate(struct attend_server *s, const struct slice *slice, int count,
                                    struct attend_error *err)
{
    struct bundle b;
    struct running running = {slice, count};
    const struct attend_stop stop = {nobody_waits, &running};
    enum attend_status status = make_bundle(&b, slice, count)
                                    ? ATTEND_OK
                                    : error_set(err, ATTEND_NO_MEMORY, "out of memory for a batch");
    if (!status && b.count > 0) {
        status = run_bundle(s, &b, &stop, err);
        if (!status)
            hand_out(s, slice, count, &b);
    }
    release_bundle(&b);
    return status;
}

/* Each on its own. */
static void translate_alone(struct attend_server *s, const struct slice *slice, int count)
{
    for (int i = 0; i < count; i++) {
        struct job *job = slice[i].job;
        const enum attend_status status = translate(s, &slice[i], 1, &job->error);
        if (status == ATTEND_STOPPED)
            set_late(&slice[i], 1);
        else if (status)
            job->status = status;
    }
}

void work_translate(void *server, const struct slice *slice, int count)
{
    struct job *const first = slice->job;
    const enum attend_status status = translate(server, slice, count, &first->error);
    if (status == ATTEND_STOPPED)
        set_late(slice, count);
    else if (status && count == 1)
        first->status = status;
    else if (status) /* what is wrong is wrong with one of them; the others must not suffer */
        translate_alone(server, slice, count);
}

/* ---- Other work ---- */

bool work_alone(const struct job *a, const struct job *b)
{
    (void)a, (void)b;
    return false;
}

void work_task(void *server, const struct slice *slice, int count)
{
    struct task *task = (struct task *)slice->job;
    struct served *served = task->served;
    struct running running = {slice, count};
    const struct attend_stop stop = {nobody_waits, &running};
    if (count == 0 || slice->count == 0)
        return;
    enum attend_status status =
        served ? translator_of(server, &served->explainer, served, &task->job.error) : ATTEND_OK;
    if (!status && served)
        attend_translator_stop(served->explainer, &stop);
    if (!status)
        status = task->run(task, served ? served->explainer : NULL, &task->job.error);
    if (served && served->explainer)
        attend_translator_stop(served->explainer, NULL);
    task->job.status = status;
    if (status == ATTEND_STOPPED)
        set_late(slice, count);
}
