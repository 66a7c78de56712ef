#include "explain/encoder_heads.h"

#include "base/error.h"
#include "base/stop.h"

#include <stdlib.h>

bool encoder_heads_known(const struct seq2seq *net)
{
    return net->encoder.ops == &encoder_transformer;
}

/* The memory of one forward pass, in which every layer keeps what its heads read. */
struct work {
    struct compute compute;
    struct batch batch;
    struct encoder_tape tape;
    real *weight; /* (S, S) A of one head */
};

static void bind(struct work *w, struct arena *arena, const struct seq2seq *net,
                 const struct batch_text *text)
{
    const bool every_layer_keeps = true;
    gemm_scratch_bind(&w->compute.gemm, arena);
    batch_bind(&w->batch, arena, text, 1, net->config.pyramid);
    encoder_tape_bind(&w->tape, arena, &net->encoder, &w->batch, 1, every_layer_keeps);
    w->weight = arena_take(arena, sizeof(real), (size_t)w->batch.S * (size_t)w->batch.S);
}

/* ---- Groups ---- */

static int group_of(const struct encoder_heads_job *job, int word)
{
    return job->group ? job->group[word] : word;
}

/* out: (n, n), zero before. */
static void pool(const struct encoder_heads_job *job, const real *A, int S, int n, float *out)
{
    for (int i = 0, end; i < S; i = end) {
        const int g = group_of(job, i);
        int counted = 0;
        for (end = i; end < S && group_of(job, end) == g; end++)
            counted += !job->silent || !job->silent[end];
        for (int row = i; row < end; row++)
            for (int j = 0; j < S && (!job->silent || !job->silent[row]); j++)
                out[(size_t)g * (size_t)n + (size_t)group_of(job, j)] +=
                    (float)A[(size_t)row * (size_t)S + (size_t)j] / (float)counted;
    }
}

/* ---- All heads ---- */

static enum attend_status pool_all(struct encoder_heads *out, struct work *w,
                                   const struct encoder_heads_job *job, struct attend_error *err)
{
    const struct dropouts none = {0};
    const int S = w->batch.S, n = out->count;
    const struct view A = view_of(w->weight, S, S);
    enum attend_status status = ATTEND_OK;
    for (int i = 0; i < out->layers * out->heads && !status; i++) {
        const struct self_attention layer =
            encoder_self_attention(&job->net->encoder, &w->tape, &w->batch, i / out->heads, &none);
        self_attention_weights(&layer, &w->compute, 0, i % out->heads, A);
        pool(job, A.at, S, n, out->weight + (size_t)i * (size_t)n * (size_t)n);
        status = stop_check(job->stop, err);
    }
    return status;
}

static enum attend_status make_room(struct encoder_heads *out, const struct encoder_heads_job *job,
                                    int S, struct attend_error *err)
{
    out->layers = job->net->encoder.transformer.layers;
    out->heads = job->net->encoder.transformer.layer[0].heads;
    out->count = group_of(job, S - 1) + 1;
    const size_t n = (size_t)out->count, all = (size_t)(out->layers * out->heads) * n * n;
    out->weight = calloc(all, sizeof *out->weight);
    return out->weight ? ATTEND_OK
                       : error_set(err, ATTEND_NO_MEMORY, "out of memory for %zu weights", all);
}

enum attend_status encoder_heads_run(struct encoder_heads *out, const struct encoder_heads_job *job,
                                     struct attend_error *err)
{
    const int item = 0;
    const struct dropouts none = {0};
    const struct batch_text text = {.source = job->source, .item = &item, .count = 1};
    struct worker alone = worker_alone();
    struct work w = {.compute = {.worker = &alone}};
    struct arena count = {0}, arena = {0};
    *out = (struct encoder_heads){0};
    bind(&w, &count, job->net, &text);
    enum attend_status status = make_room(out, job, w.batch.S, err);
    if (!status)
        status = arena_reserve(&arena, count.used, err);
    if (!status) {
        bind(&w, &arena, job->net, &text);
        batch_fill(&w.batch, &text);
        encoder_forward(&job->net->encoder, &w.tape, &w.compute, &w.batch, &none);
        status = pool_all(out, &w, job, err);
    }
    arena_release(&arena);
    return status;
}

void encoder_heads_release(struct encoder_heads *h)
{
    free(h->weight);
    *h = (struct encoder_heads){0};
}
