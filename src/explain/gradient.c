#include "explain/gradient.h"

#include "base/error.h"
#include "base/stop.h"
#include "explain/variants.h"
#include "tensor/vec.h"

#include <stdlib.h>
#include <string.h>

/* ---- The training form ---- */

enum attend_status gradient_net_init(struct gradient_net *g, const struct seq2seq *runs,
                                     struct attend_error *err)
{
    struct worker alone = worker_alone();
    struct compute compute = {.worker = &alone};
    *g = (struct gradient_net){0};
    if (runs->int8)
        return error_set(err, ATTEND_USAGE,
                         "the model's weights are int8, which have no gradients; use the model "
                         "that it was converted from");
    enum attend_status status = seq2seq_init(&g->net, &runs->config, PACKING_TRAIN, err);
    g->net.decoder.copy.target_of = runs->decoder.copy.target_of;
    g->grads = calloc(g->net.params.size + 1, sizeof *g->grads);
    if (!status && !g->grads)
        status = error_set(err, ATTEND_NO_MEMORY, "out of memory for gradients");
    if (status)
        return status;
    param_bind(&g->net.params, g->grads, g->grads);
    for (int i = 0; i < g->net.params.count; i++)
        g->net.params.item[i]->value = runs->params.item[i]->value;
    seq2seq_pack(&g->net, &compute);
    return ATTEND_OK;
}

void gradient_net_release(struct gradient_net *g)
{
    seq2seq_release(&g->net);
    free(g->grads);
    *g = (struct gradient_net){0};
}

/* ---- Copies of the pair ---- */

/* A copy: its last target word, and its point on the path. */
struct probe {
    int word;
    double at; /* factor of the embeddings */
};

/* A batch of copies. */
struct gradient_run {
    const struct gradient_job *job;
    struct probe *copy; /* (batch) */
    struct sequences source, target;
    int *item;   /* (batch) */
    real *scale; /* (batch) */
    struct arena arena;
    struct seq2seq_tape tape;
    struct compute compute;
    real *o, *d_o;                    /* (batch, R) of the last target words */
    int *word;                        /* (batch) their ids */
    double *loss;                     /* (batch) their losses */
    struct cross_entropy_tape output; /* of (batch) rows */
    struct copy_tape mixture;         /* the same, if the model copies */
    real *weight;                     /* (batch, G S) */
    double *share, *row_loss;         /* (target rows) hard attention */
};

static bool run_init(struct gradient_run *r, int batch)
{
    const size_t B = (size_t)batch, S = (size_t)r->job->source_length,
                 T = (size_t)r->job->target_length;
    r->copy = malloc(B * sizeof *r->copy);
    r->item = malloc(B * sizeof *r->item);
    r->scale = malloc(B * sizeof *r->scale);
    r->source = (struct sequences){.start = malloc((B + 1) * sizeof(size_t)),
                                   .ids = malloc((B * S + 1) * sizeof(int))};
    r->target = (struct sequences){.start = malloc((B + 1) * sizeof(size_t)),
                                   .ids = malloc((B * T + 1) * sizeof(int))};
    return r->copy && r->item && r->scale && r->source.start && r->source.ids && r->target.start &&
           r->target.ids;
}

static void run_release(struct gradient_run *r)
{
    free(r->copy);
    free(r->item);
    free(r->scale);
    sequences_release(&r->source);
    sequences_release(&r->target);
    arena_release(&r->arena);
}

static void append(struct sequences *s, const int *ids, int count)
{
    const size_t from = s->start[s->count];
    for (int i = 0; i < count; i++)
        s->ids[from + (size_t)i] = ids[i];
    s->start[++s->count] = from + (size_t)count;
}

static void lay_copies(struct gradient_run *r, int count)
{
    r->source.count = r->target.count = 0;
    r->source.start[0] = r->target.start[0] = 0;
    for (int i = 0; i < count; i++) {
        append(&r->source, r->job->source, r->job->source_length);
        append(&r->target, r->job->target, r->copy[i].word);
        r->item[i] = i;
        r->scale[i] = (real)r->copy[i].at;
    }
}

static void bind(struct gradient_run *r, struct arena *arena, const struct batch_text *text)
{
    const struct seq2seq *net = r->job->net;
    const size_t B = (size_t)text->count, R = (size_t)net->decoder.R;
    gemm_scratch_bind(&r->compute.gemm, arena);
    seq2seq_tape_bind(&r->tape, arena, net, text, 1);
    r->o = arena_take(arena, sizeof(real), B * R);
    r->d_o = arena_take(arena, sizeof(real), B * R);
    r->word = arena_take(arena, sizeof(int), B);
    r->loss = arena_take(arena, sizeof(double), B);
    cross_entropy_tape_bind(&r->output, arena, &net->decoder.output, text->count, 1);
    if (net->decoder.copy.used) {
        const int S = r->tape.batch.S, heads = net->decoder.attention.dims.heads;
        r->mixture.source = r->tape.decoder.copy.source;
        copy_tape_bind(&r->mixture, arena, text->count, S, heads);
        r->weight = arena_take(arena, sizeof(real), B * (size_t)(heads * S));
    }
    if (net->decoder.hard) {
        const size_t M = (size_t)r->tape.batch.target_rows;
        r->share = arena_take(arena, sizeof(double), M);
        r->row_loss = arena_take(arena, sizeof(double), M);
    }
    r->tape.encoder.embedding_scale = r->scale;
}

/* ---- One batch ---- */

/* The row of the last target word of sentence b in the batch. */
static int last_row(const struct gradient_run *r, int b)
{
    const struct batch *batch = &r->tape.batch;
    return batch->target[0].start[r->copy[batch->item[b]].word] + b;
}

/* Gather the attention of the last words, for copying. */
static void gather_mixture(struct gradient_run *r, struct view o)
{
    const struct decoder *d = &r->job->net->decoder;
    const int width = decoder_weight_width(d, r->tape.batch.S);
    for (int i = 0; i < o.rows; i++) {
        r->mixture.sentence[i] = i;
        memcpy(r->weight + (ptrdiff_t)i * width,
               r->tape.decoder.weight + (ptrdiff_t)last_row(r, i) * width,
               (size_t)width * sizeof(real));
    }
    copy_forward(&d->copy, &r->mixture, &r->compute, o, view_of(r->weight, o.rows, width));
}

/* Add the gradients of copying to d_o and to the tape's attention. */
static void scatter_mixture(struct gradient_run *r, struct view o)
{
    const struct decoder *d = &r->job->net->decoder;
    const struct batch *b = &r->tape.batch;
    const struct copy_tape *to = &r->tape.decoder.copy;
    copy_backward(&d->copy, &r->mixture, &r->compute, o, view_of(r->d_o, o.rows, d->R));
    vec_zero(to->d_mixed.at, (size_t)b->target_rows * (size_t)b->S);
    for (int i = 0; i < o.rows; i++)
        memcpy(to->d_mixed.at + last_row(r, i) * to->d_mixed.row,
               r->mixture.d_mixed.at + i * r->mixture.d_mixed.row, (size_t)b->S * sizeof(real));
}

/* The loss of the last words of a hard attention, which depends on those before them also through
 * the alignment. */
static void hard_losses(struct gradient_run *r, bool gradient)
{
    const struct batch *b = &r->tape.batch;
    const struct decoder_loss loss = {
        .scale = 1, .gradient = gradient, .row_loss = r->row_loss, .share = r->share};
    for (int i = 0; i < b->target_rows; i++)
        r->share[i] = 0;
    for (int i = 0; i < b->B; i++)
        r->share[last_row(r, i)] = 1;
    decoder_loss(&r->job->net->decoder, &r->tape.decoder, &r->compute, b, &loss);
    for (int i = 0; i < b->B; i++)
        r->loss[i] = r->row_loss[last_row(r, i)];
}

/* Only the last words have a loss: their rows of o are gathered, and their gradients are scattered
 * into zeros. */
static void losses(struct gradient_run *r, bool gradient)
{
    const struct decoder *d = &r->job->net->decoder;
    const struct batch *b = &r->tape.batch;
    const size_t R = (size_t)d->R, bytes = R * sizeof(real);
    for (int i = 0; i < b->B; i++) {
        const int t = r->copy[b->item[i]].word, row = last_row(r, i);
        memcpy(r->o + (size_t)i * R, r->tape.decoder.o + (size_t)row * R, bytes);
        r->word[i] = t < r->job->target_length ? r->job->target[t] : b->target_out[row];
    }
    const struct view o = view_of(r->o, b->B, d->R);
    if (d->copy.used)
        gather_mixture(r, o);
    const struct cross_entropy_job job = {.o = o,
                                          .target = r->word,
                                          .scale = 1,
                                          .d_o = gradient ? view_of(r->d_o, b->B, d->R)
                                                          : (struct view){0},
                                          .row_loss = r->loss,
                                          .copy = d->copy.used ? &r->mixture : NULL};
    cross_entropy_run(&d->output, &r->output, &r->compute, &job);
    if (!gradient)
        return;
    if (d->copy.used)
        scatter_mixture(r, o);
    vec_zero(r->tape.decoder.d_o, (size_t)b->target_rows * R);
    for (int i = 0; i < b->B; i++)
        memcpy(r->tape.decoder.d_o + (size_t)last_row(r, i) * R, r->d_o + (size_t)i * R, bytes);
}

static enum attend_status run_batch(struct gradient_run *r, int count, bool gradient,
                                    struct attend_error *err)
{
    const struct seq2seq *net = r->job->net;
    const struct batch_text text = {
        .source = &r->source, .target = &r->target, .item = r->item, .count = count};
    const struct dropouts none = {0};
    struct seq2seq_tape *tape = &r->tape;
    struct worker alone = worker_alone();
    struct arena counted = {0};
    r->compute.worker = &alone;
    lay_copies(r, count);
    bind(r, &counted, &text);
    const enum attend_status status = arena_reserve(&r->arena, counted.used, err);
    if (status)
        return status;
    bind(r, &r->arena, &text);
    batch_fill(&tape->batch, &text);
    encoder_forward(&net->encoder, &tape->encoder, &r->compute, &tape->batch, &none);
    decoder_forward(&net->decoder, &tape->decoder, &r->compute, &tape->batch, &tape->encoder,
                    &none);
    (net->decoder.hard ? hard_losses : losses)(r, gradient);
    if (!gradient)
        return ATTEND_OK;
    decoder_backward(&net->decoder, &tape->decoder, &r->compute, &tape->batch, &tape->encoder,
                     &none);
    encoder_backward(&net->encoder, &tape->encoder, &r->compute, &tape->batch, &none,
                     net->decoder.start == START_COPY);
    return ATTEND_OK;
}

/* ---- Attributions ---- */

/* Minus the gradient of the loss times x. The tape holds x times the factor of its point. */
static double times_input(const struct gradient_run *r, int row, double at)
{
    const size_t E = (size_t)r->job->net->encoder.embedding.table.cols, from = (size_t)row * E;
    const real *x = r->tape.encoder.x + from, *d_x = r->tape.encoder.d_x + from;
    double sum = 0;
    for (size_t e = 0; e < E; e++)
        sum -= (double)d_x[e] * (double)x[e];
    return sum / at;
}

static void add_attributions(const struct gradient_run *r, double share, double *out)
{
    const struct batch *b = &r->tape.batch;
    const size_t S = (size_t)r->job->source_length + 1;
    for (int i = 0; i < b->B; i++) {
        const struct probe *copy = &r->copy[b->item[i]];
        double *row = out + (size_t)copy->word * S;
        for (size_t j = 0; j < S; j++)
            row[j] +=
                share * times_input(r, b->memory_row[(size_t)b->memory_start[i] + j], copy->at);
    }
}

enum attend_status gradient_run(const struct gradient_job *job, double *out,
                                struct attend_error *err)
{
    struct gradient_run r = {.job = job};
    const int T = job->target_length + 1, S = job->source_length + 1;
    const int points = job->points ? job->points : 1, copies = T * points;
    const int batch = variants_batch(S + T);
    enum attend_status status = ATTEND_OK;
    if (!run_init(&r, batch))
        status = error_set(err, ATTEND_NO_MEMORY, "out of memory for %d copies", batch);
    for (int i = 0; i < T * S; i++)
        out[i] = 0;
    for (int from = 0; from < copies && !status; from += batch) {
        const int count = copies - from < batch ? copies - from : batch;
        for (int i = 0; i < count; i++)
            r.copy[i] = (struct probe){(from + i) / points,
                                       job->points ? ((from + i) % points + 0.5) / points : 1};
        status = stop_check(job->stop, err);
        if (!status)
            status = run_batch(&r, count, true, err);
        if (!status)
            add_attributions(&r, 1.0 / points, out);
    }
    run_release(&r);
    return status;
}

enum attend_status gradient_scores(const struct gradient_job *job, double scale, double *out,
                                   struct attend_error *err)
{
    struct gradient_run r = {.job = job};
    const int T = job->target_length + 1, batch = variants_batch(T + job->source_length + 1);
    enum attend_status status = ATTEND_OK;
    if (!run_init(&r, batch))
        status = error_set(err, ATTEND_NO_MEMORY, "out of memory for %d copies", batch);
    for (int from = 0; from < T && !status; from += batch) {
        const int count = T - from < batch ? T - from : batch;
        for (int i = 0; i < count; i++)
            r.copy[i] = (struct probe){from + i, scale};
        status = stop_check(job->stop, err);
        if (!status)
            status = run_batch(&r, count, false, err);
        for (int i = 0; i < count && !status; i++)
            out[r.copy[r.tape.batch.item[i]].word] = -r.loss[i];
    }
    run_release(&r);
    return status;
}
