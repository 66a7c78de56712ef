#include "train/update.h"

#include "base/bug.h"
#include "base/error.h"

#include <math.h>
#include <stdlib.h>

static void bind_scratch(const struct updater *u, struct gemm_scratch *s, struct arena *arena)
{
    gemm_scratch_bind(s, arena);
    if (u->parts.bf16)
        gemm_scratch_bind_bf16(s, arena);
}

static void bind_state(struct updater *u, struct arena *arena)
{
    for (int i = 0; i < team_size(u->parts.team); i++)
        bind_scratch(u, &u->compute[i].gemm, arena);
    optimizer_bind(&u->optimizer, arena, u->parts.optimizer, u->parts.net->params.size);
    if (u->parts.average_decay > 0)
        optimizer_bind_average(&u->optimizer, arena, u->parts.average_decay);
}

enum attend_status updater_init(struct updater *u, const struct updater_parts *parts,
                                struct attend_error *err)
{
    struct arena count = {0};
    const int team = team_size(parts->team);
    *u = (struct updater){.parts = *parts};
    u->compute = calloc((size_t)team, sizeof *u->compute);
    if (!u->compute)
        return error_set(err, ATTEND_NO_MEMORY, "out of memory for %d threads", team);
    bind_state(u, &count);
    const enum attend_status status = arena_reserve(&u->state, count.used, err);
    if (status)
        return status;
    bind_state(u, &u->state);
    optimizer_reset(&u->optimizer, parts->values);
    return ATTEND_OK;
}

void updater_release(struct updater *u)
{
    arena_release(&u->state);
    arena_release(&u->batch);
    free(u->compute);
    *u = (struct updater){0};
}

size_t updater_measure(const struct updater *u, const struct batch_text *text)
{
    struct arena count = {0};
    struct seq2seq_tape tape;
    seq2seq_tape_bind(&tape, &count, u->parts.net, text, team_size(u->parts.team));
    return count.used;
}

enum attend_status updater_reserve(struct updater *u, size_t bytes, struct attend_error *err)
{
    return arena_reserve(&u->batch, bytes, err);
}

void updater_lay(struct updater *u, const struct batch_text *text)
{
    u->batch.used = 0;
    seq2seq_tape_bind(&u->tape, &u->batch, u->parts.net, text, team_size(u->parts.team));
    batch_fill(&u->tape.batch, text);
}

/* ---- Other processes ---- */

/* Gradients [from, to) are final in this process: start summing them over all processes. */
static void sum_gradients(void *context, size_t from, size_t to)
{
    const struct updater *u = context;
    const struct attend_comm *comm = u->parts.comm;
    BUG_ON(sizeof(real) != sizeof(float));
    if (comm && to > from)
        comm->begin_sum(comm->context, (float *)(void *)(u->parts.grads + from), to - from);
}

static double sum_loss(const struct updater *u, double loss)
{
    const struct attend_comm *comm = u->parts.comm;
    if (!comm)
        return loss;
    comm->sum(comm->context, &loss, 1);
    comm->finish(comm->context);
    return loss;
}

/* ---- The team's work ---- */

struct update_job {
    struct updater *u;
    const struct update_settings *settings; /* NULL: only the loss */
    struct seq2seq_job run;
    bool first, last; /* position among the update's batches */
    double loss;      /* summed over the batches so far */
};

static void step(struct update_job *job, struct worker *w)
{
    struct updater *u = job->u;
    if (w->index == 0)
        job->loss = sum_loss(u, job->loss);
    worker_meet(w);
    if (isfinite(job->loss))
        optimizer_step(&u->optimizer, w, u->parts.values, u->parts.grads, job->settings->lr,
                       job->settings->clip);
}

static void work(struct worker *w, void *argument)
{
    struct update_job *job = argument;
    struct updater *u = job->u;
    struct compute *c = &u->compute[w->index];
    c->worker = w;
    c->gemm.bf16 = u->parts.bf16 && job->settings;
    if (job->first)
        seq2seq_pack(u->parts.net, c);
    const double loss = seq2seq_run(u->parts.net, &u->tape, c, &job->run);
    if (w->index == 0)
        job->loss += loss;
    if (job->last)
        step(job, w);
}

/* A process without a share of the last batch already has its gradients. */
static void work_without_batch(struct worker *w, void *argument)
{
    struct update_job *job = argument;
    const struct seq2seq *net = job->u->parts.net;
    if (w->index == 0) {
        sum_gradients(job->u, net->decoder_from, net->params.size);
        sum_gradients(job->u, 0, net->decoder_from);
    }
    step(job, w);
}

double updater_update(struct updater *u, const struct batch_text *text, int count,
                      const struct update_settings *settings)
{
    struct update_job job = {.u = u,
                             .settings = settings,
                             .first = true,
                             .run = {.dropout = settings->dropout,
                                     .masks = settings->masks,
                                     .sampling = settings->sampling,
                                     .sampling_key = settings->sampling_key,
                                     .context = u,
                                     .loss = {.smoothing = settings->smoothing,
                                              .guide = settings->guide,
                                              .scale = 1.0 / settings->words,
                                              .gradient = true}}};
    for (int i = 0; i < count; i++) {
        job.last = i + 1 == count;
        job.run.ready = job.last && u->parts.comm ? sum_gradients : NULL;
        if (text[i].count == 0 && !job.last)
            continue;
        if (text[i].count)
            updater_lay(u, &text[i]);
        team_run(u->parts.team, text[i].count ? work : work_without_batch, &job);
        job.first = false;
    }
    return job.loss;
}

double updater_loss(struct updater *u, const struct batch_text *text)
{
    updater_lay(u, text);
    struct update_job job = {.u = u, .first = true};
    team_run(u->parts.team, work, &job);
    return job.loss;
}
