#include "explain/trace.h"

#include "base/error.h"
#include "base/stop.h"
#include "nn/pool.h"
#include "tensor/vec.h"
#include "text/vocab.h"

/* The memory of the steps. */
struct work {
    struct compute compute;
    struct batch batch;
    struct encoder_tape encoder;
    struct decoder_memory memory;
    struct decoder_begin begin;
    real *record, *next; /* (1, record) */
    struct logits logits;
    real *step;
    int record_width;
};

static void bind_work(struct work *w, struct arena *arena, const struct seq2seq *net,
                      const struct batch_text *text)
{
    const struct decoder *d = &net->decoder;
    gemm_scratch_bind(&w->compute.gemm, arena);
    batch_bind(&w->batch, arena, text, 1, net->config.pyramid);
    encoder_tape_bind(&w->encoder, arena, &net->encoder, &w->batch, 1, false);
    w->record_width = decoder_record_width(d, w->batch.S);
    decoder_begin_bind(&w->begin, arena, d, &w->batch);
    w->record = arena_take(arena, sizeof(real), (size_t)w->record_width);
    w->next = arena_take(arena, sizeof(real), (size_t)w->record_width);
    logits_bind(&w->logits, arena, 1, d->output.V);
    w->step = arena_take(arena, sizeof(real),
                         decoder_step_work(d, 1, decoder_memory_span(d, w->batch.S)));
}

static void bind(struct trace *t, struct work *w, struct arena *arena, const struct trace_job *job,
                 const struct batch_text *text)
{
    const struct decoder *d = &job->net->decoder;
    bind_work(w, arena, job->net, text);
    t->heads = d->attention.dims.heads;
    t->S = decoder_memory_span(d, w->batch.S);
    t->T = job->target_length + 1;
    t->top = job->top < d->output.V ? job->top : d->output.V;
    const size_t steps = (size_t)t->T, width = (size_t)decoder_weight_width(d, w->batch.S);
    t->score = arena_take(arena, sizeof(real), steps * width);
    t->weight = arena_take(arena, sizeof(real), steps * width);
    t->state = arena_take(arena, sizeof(real), steps * (size_t)d->H);
    t->query = arena_take(arena, sizeof(real), steps * (size_t)d->attention.Q);
    t->context = arena_take(arena, sizeof(real), steps * (size_t)d->C);
    t->gates = arena_take(arena, sizeof(real), steps * (size_t)(d->cell->slots * d->H));
    t->word = arena_take(arena, sizeof *t->word, steps);
    t->best = arena_take(arena, sizeof *t->best, steps * (size_t)t->top);
}

static void begin(struct work *w, const struct seq2seq *net, const struct batch_text *text)
{
    const struct dropouts none = {0};
    batch_fill(&w->batch, text);
    encoder_forward(&net->encoder, &w->encoder, &w->compute, &w->batch, &none);
    decoder_begin(&net->decoder, &w->compute, &w->begin, &w->batch, &w->encoder, &w->memory,
                  view_of(w->record, 1, w->record_width));
}

/* ---- One step ---- */

/* The likeliest words, best first; of equal ones, the smaller id first. */
static void rank_words(struct trace_word *best, int top, const real *logits, int V, double norm)
{
    int count = 0;
    for (int k = 0; k < V && top > 0; k++) {
        const double log_probability = (double)logits[k] - norm;
        if (count == top && !(log_probability > best[top - 1].log_probability))
            continue;
        int at = count < top ? count++ : top - 1;
        for (; at > 0 && log_probability > best[at - 1].log_probability; at--)
            best[at] = best[at - 1];
        best[at] = (struct trace_word){k, log_probability};
    }
}

/* c = sum_j a_j h_j, each head for its own columns. */
static void make_context(const struct trace *t, const struct work *w, int C, int step)
{
    const int width = t->heads * t->S, sentence = 0;
    const struct attention_rows rows = {.start = w->memory.start,
                                        .length = w->memory.length,
                                        .sentence = &sentence,
                                        .weight = view_of(t->weight + step * width, 1, width)};
    const struct view context = view_of(t->context + (ptrdiff_t)step * C, 1, C);
    vec_zero(context.at, (size_t)C);
    pool_forward(&rows, t->heads, w->memory.annotation, context);
}

static void make_step(struct trace *t, struct work *w, const struct trace_job *job, int step)
{
    const struct decoder *d = &job->net->decoder;
    const int token = step ? job->target[step - 1] : VOCAB_BOS, sentence = 0;
    const int width = t->heads * t->S, V = d->output.V, Q = d->attention.Q;
    const int slots = d->cell->slots * d->H;
    const int word = step < job->target_length ? job->target[step] : VOCAB_EOS;
    const struct decoder_seen seen = {
        .score = view_of(t->score + step * width, 1, width),
        .state = view_of(t->state + (ptrdiff_t)step * d->H, 1, d->H),
        .query = view_of(Q ? t->query + (ptrdiff_t)step * Q : NULL, 1, Q),
        .gates = view_of(t->gates + (ptrdiff_t)step * slots, 1, slots)};
    decoder_step(d, &w->compute, &w->memory,
                 &(struct decoder_step){
                     .rows = 1,
                     .states = 1,
                     .state = &sentence,
                     .token = &token,
                     .sentence = &sentence,
                     .state_sentence = &sentence,
                     .previous = view_of(w->record, 1, w->record_width),
                     .next = view_of(w->next, 1, w->record_width),
                     .weight = view_of(t->weight + step * width, 1, width),
                     .logits = w->logits,
                     .work = w->step,
                     .focus = step < job->focus_steps ? &job->focus[step] : NULL,
                     .seen = &seen,
                 });
    const double norm = (double)w->logits.norm[0];
    decoder_see_word(d, &w->memory, sentence, w->next, word, t->weight + step * width);
    make_context(t, w, d->C, step);
    rank_words(t->best + step * t->top, t->top, w->logits.at.at, V, norm);
    t->word[step] = (struct trace_word){word, (double)w->logits.at.at[word] - norm};
    t->log_probability += t->word[step].log_probability;
}

/* ---- All steps ---- */

enum attend_status trace_run(struct trace *t, const struct trace_job *job, struct attend_error *err)
{
    size_t start[] = {0, (size_t)job->source_length};
    union {
        const int *in;
        int *out;
    } ids = {.in = job->source}; /* the ids are only read */
    const struct sequences source = {.count = 1, .start = start, .ids = ids.out};
    const int item = 0;
    const struct batch_text text = {.source = &source, .item = &item, .count = 1};
    struct worker alone = worker_alone();
    struct work w = {.compute = {.worker = &alone}};
    struct arena count = {0};
    *t = (struct trace){0};
    bind(t, &w, &count, job, &text);
    enum attend_status status = arena_reserve(&t->arena, count.used, err);
    if (status)
        return status;
    bind(t, &w, &t->arena, job, &text);
    begin(&w, job->net, &text);
    for (int step = 0; step < t->T; step++) {
        status = stop_check(job->stop, err);
        if (status)
            return status;
        make_step(t, &w, job, step);
        real *swap = w.record;
        w.record = w.next;
        w.next = swap;
    }
    return ATTEND_OK;
}

void trace_release(struct trace *t) { arena_release(&t->arena); }
