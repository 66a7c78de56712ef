#include "explain/variants.h"

#include "base/error.h"
#include "base/stop.h"

#include <stdlib.h>
#include <string.h>

/* Rows of both sides in one batch: enough for fast products, few enough for the caches. */
enum { ROWS = 4096, MOST = 128 };

int variants_batch(int words)
{
    const int fit = ROWS / (words > 1 ? words : 1);
    return fit < 1 ? 1 : fit > MOST ? MOST : fit;
}

/* The memory that all batches use. */
struct variants_run {
    const struct variants_job *job;
    struct sequences target; /* one copy of the target per sentence of a batch */
    int *item;               /* (batch) */
    double *row_loss;
    struct arena arena;
};

static void bind(struct variants_run *r, struct seq2seq_tape *tape, struct gemm_scratch *gemm,
                 struct arena *arena, const struct batch_text *text)
{
    gemm_scratch_bind(gemm, arena);
    seq2seq_tape_bind(tape, arena, r->job->net, text, 1);
    r->row_loss = arena_take(arena, sizeof *r->row_loss, (size_t)tape->batch.target_rows);
}

/* All targets have the same length, so row t B + b is step t of sentence b. */
static void collect(const struct variants_run *r, const struct batch *b, int T, double *out)
{
    for (int t = 0; t < T; t++)
        for (int i = 0; i < b->B; i++)
            out[(size_t)b->item[i] * (size_t)T + (size_t)t] =
                -r->row_loss[b->target[0].start[t] + i];
}

/* Runs variants [from, from + count). */
static enum attend_status run_batch(struct variants_run *r, int from, int count, double *out,
                                    struct attend_error *err)
{
    const struct variants_job *job = r->job;
    struct worker alone = worker_alone();
    struct compute compute = {.worker = &alone};
    struct seq2seq_tape tape;
    struct arena counted = {0};
    struct sequences source = *job->source;
    source.count = count;
    source.start += from;
    const struct batch_text text = {
        .source = &source, .target = &r->target, .item = r->item, .count = count};
    const int T = job->target_length + 1;
    bind(r, &tape, &compute.gemm, &counted, &text);
    const enum attend_status status = arena_reserve(&r->arena, counted.used, err);
    if (status)
        return status;
    bind(r, &tape, &compute.gemm, &r->arena, &text);
    batch_fill(&tape.batch, &text);
    seq2seq_run(job->net, &tape, &compute,
                &(struct seq2seq_job){.loss = {.scale = 1, .row_loss = r->row_loss}});
    collect(r, &tape.batch, T, out + (size_t)from * (size_t)T);
    return ATTEND_OK;
}

/* `count` copies of the target. */
static bool copy_target(struct variants_run *r, int count)
{
    const size_t length = (size_t)r->job->target_length, copies = (size_t)count;
    r->target = (struct sequences){.count = count,
                                   .start = malloc((copies + 1) * sizeof(size_t)),
                                   .ids = malloc((copies * length + 1) * sizeof(int))};
    r->item = malloc(copies * sizeof *r->item);
    if (!r->target.start || !r->target.ids || !r->item)
        return false;
    r->target.start[0] = 0;
    for (size_t i = 0; i < copies; i++) {
        r->item[i] = (int)i;
        r->target.start[i + 1] = (i + 1) * length;
        for (size_t t = 0; t < length; t++)
            r->target.ids[i * length + t] = r->job->target[t];
    }
    return true;
}

enum attend_status variants_score(const struct variants_job *job, double *out,
                                  struct attend_error *err)
{
    struct variants_run r = {.job = job};
    const int batch = variants_batch(sequences_longest(job->source) + job->target_length + 2);
    enum attend_status status = ATTEND_OK;
    if (!copy_target(&r, batch))
        status = error_set(err, ATTEND_NO_MEMORY, "out of memory for %d variants", batch);
    for (int from = 0; from < job->source->count && !status; from += batch) {
        const int left = job->source->count - from;
        status = stop_check(job->stop, err);
        if (!status)
            status = run_batch(&r, from, left < batch ? left : batch, out, err);
    }
    sequences_release(&r.target);
    free(r.item);
    arena_release(&r.arena);
    return status;
}
