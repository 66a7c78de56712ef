#include "decode/force.h"

#include "base/error.h"
#include "base/stop.h"

#include <stdatomic.h>
#include <stdlib.h>

struct forcing {
    const struct force_job *job;
    atomic_int next;
    struct member {
        enum attend_status status;
        struct attend_error error;
    } * member; /* (team) */
};

/* The memory for one pair. */
struct tape {
    struct seq2seq_tape net;
    double *row_loss; /* (T) */
    float *share;     /* (T) if the model copies */
};

static void bind(struct tape *tape, struct gemm_scratch *gemm, struct arena *arena,
                 const struct seq2seq *net, const struct batch_text *text)
{
    gemm_scratch_bind(gemm, arena);
    seq2seq_tape_bind(&tape->net, arena, net, text, 1);
    const size_t T = (size_t)tape->net.batch.target_rows;
    tape->row_loss = arena_take(arena, sizeof *tape->row_loss, T);
    tape->share = net->decoder.copy.used ? arena_take(arena, sizeof *tape->share, T) : NULL;
}

/* The share of copying in each word. */
static void find_shares(const struct tape *tape)
{
    const struct batch *b = &tape->net.batch;
    const struct copy_tape *copy = &tape->net.decoder.copy;
    for (int t = 0; tape->share && t < b->target_rows; t++)
        tape->share[t] = (float)copy_share(
            &copy->source, &(struct copy_choice){.word = b->target_out[t],
                                                 .weight = tape->net.decoder.weight +
                                                           (ptrdiff_t)t * copy->heads * copy->S,
                                                 .heads = copy->heads,
                                                 .S = copy->S,
                                                 .gate = (double)copy->gate[t],
                                                 .log_probability = -tape->row_loss[t]});
}

static enum attend_status force_pair(const struct force_job *job, int item, struct arena *arena,
                                     struct attend_error *err)
{
    const struct batch_text text = {
        .source = job->source, .target = job->target, .item = &item, .count = 1};
    struct worker alone = worker_alone();
    struct compute compute = {.worker = &alone};
    struct tape tape;
    struct arena count = {0};
    bind(&tape, &compute.gemm, &count, job->net, &text);
    const enum attend_status status = arena_reserve(arena, count.used, err);
    if (status)
        return status;
    bind(&tape, &compute.gemm, arena, job->net, &text);
    batch_fill(&tape.net.batch, &text);
    const struct seq2seq_job plain = {.loss = {.scale = 1, .row_loss = tape.row_loss}};
    const double loss = seq2seq_run(job->net, &tape.net, &compute, &plain);
    /* There is one sentence in one lane, so row t of the slab is step t. */
    find_shares(&tape);
    job->emit(job->context, &(struct forced){.item = item,
                                             .log_probability = -loss,
                                             .row_loss = tape.row_loss,
                                             .S = tape.net.batch.S,
                                             .T = tape.net.batch.target_rows,
                                             .weight = tape.net.decoder.weight,
                                             .heads = job->net->decoder.attention.dims.heads,
                                             .share = tape.share});
    return ATTEND_OK;
}

static void work(struct worker *w, void *argument)
{
    struct forcing *run = argument;
    struct member *member = &run->member[w->index];
    struct arena arena = {0};
    for (int i = atomic_fetch_add(&run->next, 1); i < run->job->source->count && !member->status;
         i = atomic_fetch_add(&run->next, 1)) {
        member->status = stop_check(run->job->stop, &member->error);
        if (!member->status)
            member->status = force_pair(run->job, i, &arena, &member->error);
    }
    arena_release(&arena);
}

enum attend_status force_pairs(struct team *team, const struct force_job *job,
                               struct attend_error *err)
{
    struct forcing run = {.job = job,
                          .member = calloc((size_t)team_size(team), sizeof *run.member)};
    if (!run.member)
        return error_set(err, ATTEND_NO_MEMORY, "out of memory for %d threads", team_size(team));
    team_run(team, work, &run);
    enum attend_status status = ATTEND_OK;
    for (int i = 0; i < team_size(team) && !status; i++) {
        status = run.member[i].status;
        if (status && err)
            *err = run.member[i].error;
    }
    free(run.member);
    return status;
}
