#include "serve/work.h"

#include "attend/frames.h"
#include "base/clock.h"
#include "base/error.h"
#include "base/threads.h"
#include "base/utf8.h"
#include "serve/server.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* ---- Jobs ---- */

/* job->finished: resumes the exchange in job->owner when all of its jobs are done. */
static void finished(struct batch_job *job)
{
    struct exchange *e = job->owner;
    loader_done(e->server->loader, job);
    if (job->status) /* a message may cut the text that it quotes inside a character */
        utf8_repair(job->error.message);
    /* This was the last job. The exchange may be freed as soon as its connection resumes. */
    if (atomic_fetch_sub(&e->waiting, 1) == 1)
        e->server->http->resume(e->connection);
}

struct batch_job work_job(struct exchange *e, int lines)
{
    return (struct batch_job){.lines = lines,
                              .deadline = e->deadline,
                              .abandoned = &e->abandoned,
                              .finished = finished,
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
    t->constraint = calloc((size_t)lines, sizeof *t->constraint);
    t->result = calloc((size_t)lines, sizeof *t->result);
    for (int i = 0; t->constraint && served_is_view(served) && i < lines; i++) {
        t->constraint[i].from = served->source;
        t->constraint[i].to = served->target;
    }
    if (t->line && t->constraint && t->result && (t->target || !forced))
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
        if (t->markup)
            attend_markup_free(t->markup[i]);
    }
    free(t->markup);
    free(t->line);
    free(t->target);
    free(t->constraint);
    free(t->result);
    served_release(t->served);
    free(t);
}

bool work_failed(struct exchange *e, const struct batch_job *job)
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

/* The jobs of the current batch. */
struct running {
    const struct slice *slice;
    int count;
};

/* A batch is stopped only when nobody waits for any of its jobs. */
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

/* Frames that are searched with others. The memory of a search grows with the square of their
 * number. */
enum { FEW_FRAMES = 256 };

static bool takes_company(const struct text_job *t)
{
    return !t->frames || t->frames->rows <= FEW_FRAMES;
}

bool work_together(const struct batch_job *a, const struct batch_job *b)
{
    const struct text_job *x = (const struct text_job *)a, *y = (const struct text_job *)b;
    /* Each line to translate has its own languages; lines to score share those of the translator. */
    return takes_company(x) && takes_company(y) && !x->frames == !y->frames &&
           x->served->core == y->served->core && (x->served == y->served || !x->target) &&
           !x->target == !y->target && x->search.beam == y->search.beam &&
           x->search.nbest == y->search.nbest && x->search.each_head == y->search.each_head &&
           x->search.spans == y->search.spans;
}

/* Lines of several jobs in one array. */
struct bundle {
    const struct text_job *first;
    const char **line, **target;
    struct attend_frames *frames; /* NULL: lines of text */
    struct attend_constraint *constraint;
    struct attend_translation *result;
    int count;
};

static void release_bundle(struct bundle *b)
{
    free(b->line);
    free(b->target);
    free(b->frames);
    free(b->constraint);
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
                         .constraint = calloc(lines, sizeof *b->constraint),
                         .result = calloc(lines, sizeof *b->result)};
    b->frames = b->first->frames ? calloc((size_t)lines + 1, sizeof *b->frames) : NULL;
    if (!b->line || !b->target || !b->constraint || !b->result || (b->first->frames && !b->frames))
        return false;
    for (int i = 0; i < count; i++) {
        const struct text_job *t = (const struct text_job *)slice[i].job;
        for (int k = slice[i].from; k < slice[i].from + slice[i].count; k++, b->count++) {
            b->line[b->count] = t->line[k];
            b->target[b->count] = t->target ? t->target[k] : NULL;
            if (t->frames)
                b->frames[b->count] = *t->frames;
            b->constraint[b->count] = t->constraint[k];
        }
    }
    return true;
}

static enum attend_status translator_of(struct attend_server *s, struct attend_translator **out,
                                        const struct served *served, struct attend_error *err)
{
    const struct attend_model *const model = served->load.model;
    return *out ? ATTEND_OK : attend_translator_new(out, &model, 1, &s->search, err);
}

/* After its work: the translator goes if the models take too much memory. */
static void measure(struct attend_server *s, struct served *core, enum loader_work work,
                    struct attend_translator **translator)
{
    if (!core->load.home || !*translator ||
        !loader_measure(s->loader, core, work, attend_translator_memory(*translator)))
        return;
    attend_translator_free(*translator);
    *translator = NULL;
    loader_measure(s->loader, core, work, 0);
}

static void set_languages(struct attend_search *search, const struct served *served)
{
    search->from = served_is_view(served) ? served->source : NULL;
    search->to = served_is_view(served) ? served->target : NULL;
}

static enum attend_status run_search(struct attend_translator *t, const struct bundle *b,
                                     struct attend_error *err)
{
    if (b->frames)
        return b->first->target
                   ? attend_force_frames(t, b->frames, b->target, b->count, b->result, err)
                   : attend_translate_frames_constrained(t, b->frames, b->constraint, b->count,
                                                         b->result, err);
    return b->first->target
               ? attend_force(t, b->line, b->target, b->count, b->result, err)
               : attend_translate_constrained(t, b->line, b->constraint, b->count, b->result, err);
}

/* A recording has many more frames than words: an answer to frames has no more tokens than a line has
 * characters. */
static double longest_answer(const struct attend_server *s, const struct bundle *b)
{
    int longest = 1;
    for (int i = 0; i < b->count; i++)
        longest = b->frames[i].rows > longest ? b->frames[i].rows : longest;
    return fmin(s->search.max_length, (double)s->limits.line / longest);
}

/* The batch size is reduced so that every thread gets work. */
static enum attend_status run_bundle(struct attend_server *s, struct bundle *b,
                                     const struct attend_stop *stop, struct attend_error *err)
{
    struct served *served = b->first->served->core;
    const int threads = s->search.threads;
    const int team = threads ? threads : threads_available();
    const int most = s->search.batch_sentences;
    struct attend_search search = b->first->search;
    search.max_tokens = s->limits.line;
    const int each = (b->count + team - 1) / team;
    search.batch_sentences = each < most ? each : most;
    set_languages(&search, b->first->served);
    if (b->frames)
        search.max_length = longest_answer(s, b);
    enum attend_status status = translator_of(s, &served->translator, served, err);
    if (!status)
        status = attend_translator_search(served->translator, &search, err);
    if (status)
        return status;
    attend_translator_stop(served->translator, stop);
    status = run_search(served->translator, b, err);
    attend_translator_stop(served->translator, NULL);
    measure(s, served, LOADER_TRANSLATING, &served->translator);
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

/* A result is kept until its request is answered. Matrices grow with the square of the line's
 * length: those that are not shown are freed at once, and a job with too many cells fails. */
static void keep_result(struct text_job *t, int k, const struct attend_translation *result)
{
    t->result[k] = *result;
    if (t->markup && !t->job.status)
        t->job.status = attend_markup_apply(t->markup[k], &t->result[k], &t->job.error);
    t->cells += t->shows ? count_cells(result) : 0;
    const bool many = t->cells > TEXT_JOB_CELLS;
    if (!t->shows || many)
        drop_matrices(&t->result[k]);
    if (many && !t->job.status)
        t->job.status = error_set(&t->job.error, ATTEND_DATA,
                                  "the attention has more than %d weights; shorten the text or ask "
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

/* Run each slice on its own. */
static void translate_alone(struct attend_server *s, const struct slice *slice, int count)
{
    for (int i = 0; i < count; i++) {
        struct batch_job *job = slice[i].job;
        const enum attend_status status = translate(s, &slice[i], 1, &job->error);
        if (status == ATTEND_STOPPED)
            set_late(&slice[i], 1);
        else if (status)
            job->status = status;
    }
}

void work_translate(void *server, const struct slice *slice, int count)
{
    struct batch_job *const first = slice->job;
    const enum attend_status status = translate(server, slice, count, &first->error);
    if (status == ATTEND_STOPPED)
        set_late(slice, count);
    else if (status && count == 1)
        first->status = status;
    else if (status) /* the error concerns one job; retry each alone so that the others succeed */
        translate_alone(server, slice, count);
}

/* ---- Other work ---- */

bool work_alone(const struct batch_job *a, const struct batch_job *b)
{
    (void)a, (void)b;
    return false;
}

void work_task(void *server, const struct slice *slice, int count)
{
    struct task *task = (struct task *)slice->job;
    /* A model that writes by hand has no translator. */
    struct served *served = task->served && !task->served->writes ? task->served->core : NULL;
    struct attend_search search = {.max_tokens = ((struct attend_server *)server)->limits.line};
    struct running running = {slice, count};
    const struct attend_stop stop = {nobody_waits, &running};
    if (count == 0 || slice->count == 0)
        return;
    enum attend_status status =
        served ? translator_of(server, &served->explainer, served, &task->job.error) : ATTEND_OK;
    if (served)
        set_languages(&search, task->served);
    if (!status && served)
        status = attend_translator_search(served->explainer, &search, &task->job.error);
    if (!status && served)
        attend_translator_stop(served->explainer, &stop);
    if (!status)
        status = task->run(task, served ? served->explainer : NULL, &task->job.error);
    if (served && served->explainer) {
        attend_translator_stop(served->explainer, NULL);
        measure(server, served, LOADER_EXPLAINING, &served->explainer);
    }
    task->job.status = status;
    if (status == ATTEND_STOPPED)
        set_late(slice, count);
}
