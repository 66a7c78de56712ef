#include "train/update.h"

#include "base/error.h"

#include <stdlib.h>

static void bind_state(struct updater *u, struct arena *arena, const struct optimizer_ops *ops)
{
    for (int i = 0; i < team_size(u->team); i++)
        gemm_scratch_bind(&u->compute[i].gemm, arena);
    optimizer_bind(&u->optimizer, arena, ops, u->net->params.size);
}

enum attend_status updater_init(struct updater *u, struct seq2seq *net, struct team *team,
                                const struct optimizer_ops *ops, real *values, real *grads,
                                struct attend_error *err)
{
    struct arena count = {0};
    *u = (struct updater){.net = net, .team = team, .values = values, .grads = grads};
    u->compute = calloc((size_t)team_size(team), sizeof *u->compute);
    if (!u->compute)
        return error_set(err, ATTEND_NO_MEMORY, "out of memory for %d threads", team_size(team));
    bind_state(u, &count, ops);
    const enum attend_status status = arena_reserve(&u->state, count.used, err);
    if (status)
        return status;
    bind_state(u, &u->state, ops);
    optimizer_reset(&u->optimizer);
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
    seq2seq_tape_bind(&tape, &count, u->net, text, team_size(u->team));
    return count.used;
}

enum attend_status updater_reserve(struct updater *u, size_t bytes, struct attend_error *err)
{
    return arena_reserve(&u->batch, bytes, err);
}

struct job {
    struct updater *u;
    const struct update_settings *settings; /* NULL: only the loss */
    struct seq2seq_job run;
    double loss;
};

static void work(struct worker *w, void *argument)
{
    struct job *job = argument;
    struct updater *u = job->u;
    struct compute *c = &u->compute[w->index];
    c->worker = w;
    seq2seq_pack(u->net, c);
    const double loss = seq2seq_run(u->net, &u->tape, c, &job->run);
    if (w->index == 0)
        job->loss = loss;
    if (job->settings)
        optimizer_step(&u->optimizer, w, u->values, u->grads, job->settings->lr,
                       job->settings->clip);
}

void updater_lay(struct updater *u, const struct batch_text *text)
{
    u->batch.used = 0;
    seq2seq_tape_bind(&u->tape, &u->batch, u->net, text, team_size(u->team));
    batch_fill(&u->tape.batch, text);
}

double updater_update(struct updater *u, const struct batch_text *text,
                      const struct update_settings *settings)
{
    updater_lay(u, text);
    struct job job = {.u = u,
                      .settings = settings,
                      .run = {.dropout = settings->dropout,
                              .loss = {.smoothing = settings->smoothing,
                                       .scale = 1.0 / u->tape.batch.target_rows,
                                       .gradient = true}}};
    team_run(u->team, work, &job);
    return job.loss;
}

double updater_loss(struct updater *u, const struct batch_text *text)
{
    updater_lay(u, text);
    struct job job = {.u = u};
    team_run(u->team, work, &job);
    return job.loss;
}
