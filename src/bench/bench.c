#include "bench/bench.h"

#include "base/clock.h"
#include "base/error.h"
#include "base/rng.h"
#include "base/usage.h"
#include "bench/peak.h"
#include "corpus/dataset.h"
#include "corpus/store.h"
#include "text/vocab.h"
#include "train/plan.h"
#include "train/precision.h"
#include "train/update.h"

#include <stdlib.h>

/* Updates before the timing starts; random pairs. */
enum { WARMUP = 3, RANDOM_PAIRS = 64 };

/* ---- Data ---- */

static enum attend_status random_side(struct sequences *out, int count,
                                      const struct attend_bench_options *o, uint64_t key,
                                      struct attend_error *err)
{
    const size_t longest = 2 * (size_t)o->length;
    *out = (struct sequences){.count = count,
                              .start = malloc(((size_t)count + 1) * sizeof *out->start),
                              .ids = malloc((size_t)count * longest * sizeof *out->ids)};
    if (!out->start || !out->ids)
        return error_set(err, ATTEND_NO_MEMORY, "out of memory for %d random sentences", count);
    size_t at = 0;
    for (int i = 0; i < count; i++) {
        out->start[i] = at;
        const int length = 1 + (int)rng_below(key, (uint64_t)i, (uint32_t)(2 * o->length - 1));
        for (int k = 0; k < length; k++, at++)
            out->ids[at] = VOCAB_SPECIALS + (int)rng_below(rng_key(key, 1), at,
                                                           (uint32_t)(o->vocab - VOCAB_SPECIALS));
    }
    out->start[count] = at;
    return ATTEND_OK;
}

/* Both sides of a pair have the same length, as is nearly true of translations. */
static enum attend_status random_corpus(struct corpus *c, const struct attend_bench_options *o,
                                        struct attend_error *err)
{
    const int count = RANDOM_PAIRS * o->batch_sentences;
    c->line = calloc((size_t)count, sizeof *c->line);
    if (!c->line)
        return error_set(err, ATTEND_NO_MEMORY, "out of memory for %d random sentences", count);
    const enum attend_status status = random_side(&c->source, count, o, 1, err);
    return status ? status : random_side(&c->target, count, o, 1, err);
}

/* Read the pairs that training would use. The text is taken as tokens separated by spaces. */
static enum attend_status read_corpus(struct corpus *c, const struct attend_bench_options *o,
                                      struct attend_error *err)
{
    const struct attend_data_options options = {.train_src = o->src,
                                                .train_tgt = o->tgt,
                                                .tokenizer = "spaces",
                                                .vocab_size = o->vocab,
                                                .max_length = SEQUENCES_MAX_LENGTH};
    struct dataset data = {0};
    enum attend_status status =
        dataset_load(&data, &(struct dataset_job){.options = &options}, err);
    if (!status)
        status = store_read_all(data.train, c, err);
    dataset_release(&data);
    return status;
}

/* ---- Arithmetic ---- */

/* Multiply-adds of the source and, below, of a target word, for the direct form (pool contexts, then
 * project), whichever form the engine chooses. */
static double source_products(const struct seq2seq *net, const struct batch *b)
{
    const struct encoder *e = &net->encoder;
    return e->ops->products(e, b) +
           (double)b->memory_rows * e->C * net->decoder.attention.W_key.cols;
}

/* Multiply-adds of a row with W; 0 if the model has no such matrix. */
static double param_products(const struct param *W) { return (double)W->rows * W->cols; }

static double target_products(const struct seq2seq *net)
{
    const struct decoder *d = &net->decoder;
    double sum = (double)d->H * d->attention.Q + (double)d->R * d->output.V;
    for (int l = 0; l < d->layers; l++)
        sum += param_products(&d->layer[l].W_input) + param_products(&d->layer[l].U_state) +
               param_products(&d->layer[l].W_context) + param_products(&d->layer[l].W_word) +
               param_products(&d->layer[l].R_below);
    return sum + param_products(&d->W_feed) + param_products(&d->R_state) +
           param_products(&d->R_context) + param_products(&d->R_input);
}

static double start_products(const struct decoder *d)
{
    double sum = 0;
    for (int l = 0; l < d->layers; l++)
        sum += (double)d->W_start[l].rows * d->W_start[l].cols;
    return sum;
}

/* Floating-point operations of one update on real words only. A multiply-add counts 2, and backward
 * costs twice forward. */
static double flop(const struct seq2seq *net, const struct batch *b)
{
    const struct decoder *d = &net->decoder;
    const bool additive = d->attention.ops == &attention_additive;
    double pairs = 0;
    for (int lane = 0; lane < b->lanes; lane++)
        for (int t = 0; t < b->target[lane].count; t++)
            for (int i = 0; i < b->target[lane].active[t]; i++)
                pairs += b->memory_length[b->target[lane].first + i];
    const double products = 2 * (source_products(net, b) + b->target_rows * target_products(net) +
                                 (double)b->B * start_products(d));
    /* Scores: an addition, tanh and a dot product with v, or a single dot product. Then the
     * pooling, and the gradients. */
    const double scores = additive ? 3.0 * d->attention.D : 2.0 * d->attention.D;
    const double scores_back = additive ? 7.0 * d->attention.D : 4.0 * d->attention.D;
    return 3 * products + pairs * (scores + 2 * d->C) + pairs * (scores_back + 4 * d->C);
}

/* ---- Timing ---- */

enum { STAGES = 7 };

struct training_run {
    struct updater updater;
    double stage[STAGES]; /* seconds, measured by member 0 */
    double encoder_cpu;   /* seconds of CPU time of the whole process */
};

/* The work of an update, timed stage by stage. */
static void work(struct worker *w, void *argument)
{
    struct training_run *run = argument;
    struct updater *u = &run->updater;
    const struct seq2seq *net = u->parts.net;
    const struct batch *b = &u->tape.batch;
    const struct dropouts dropout = {.plain = {.rate = 0.2, .key = 1}};
    const struct decoder_loss loss = {
        .smoothing = 0.1, .scale = 1.0 / b->target_rows, .gradient = true};
    struct compute *c = &u->compute[w->index];
    double at[STAGES + 1] = {clock_seconds()};
    c->worker = w;
    c->gemm.bf16 = u->parts.bf16;
    seq2seq_pack(u->parts.net, c);
    at[1] = clock_seconds();
    const double before = usage_cpu_seconds();
    encoder_forward(&net->encoder, &u->tape.encoder, c, b, &dropout);
    at[2] = clock_seconds();
    const double between = usage_cpu_seconds();
    decoder_forward(&net->decoder, &u->tape.decoder, c, b, &u->tape.encoder, &dropout);
    at[3] = clock_seconds();
    decoder_loss(&net->decoder, &u->tape.decoder, c, b, &loss);
    at[4] = clock_seconds();
    decoder_backward(&net->decoder, &u->tape.decoder, c, b, &u->tape.encoder, &dropout);
    at[5] = clock_seconds();
    const double again = usage_cpu_seconds();
    encoder_backward(&net->encoder, &u->tape.encoder, c, b, &dropout,
                     net->decoder.start == START_COPY);
    at[6] = clock_seconds();
    if (w->index == 0)
        run->encoder_cpu += between - before + usage_cpu_seconds() - again;
    optimizer_step(&u->optimizer, w, u->parts.values, u->parts.grads, 1e-3, 1);
    at[7] = clock_seconds();
    for (int i = 0; i < STAGES && w->index == 0; i++)
        run->stage[i] += at[i + 1] - at[i];
}

static enum attend_status reserve(struct training_run *run, const struct corpus *corpus,
                                  const struct plan *plan, struct attend_error *err)
{
    size_t largest = 0;
    for (int i = 0; i < plan->batches; i++) {
        const struct batch_text text = plan_batch(plan, corpus, plan->order[i % plan->batches]);
        const size_t bytes = updater_measure(&run->updater, &text);
        largest = bytes > largest ? bytes : largest;
    }
    return updater_reserve(&run->updater, largest, err);
}

static void fill_stages(struct attend_bench *out, const double *stage, int updates)
{
    double *const field[STAGES] = {&out->pack,  &out->encoder_forward,  &out->decoder_forward,
                                   &out->loss,  &out->decoder_backward, &out->encoder_backward,
                                   &out->update};
    for (int i = 0; i < STAGES; i++)
        *field[i] = stage[i] / updates;
}

static void start_clocks(struct training_run *run)
{
    for (int s = 0; s < STAGES; s++)
        run->stage[s] = 0;
    run->encoder_cpu = 0;
}

static void time_updates(struct training_run *run, const struct corpus *corpus,
                         const struct plan *plan, int updates, struct attend_bench *out)
{
    double words = 0, target_words = 0, source_rows = 0, seconds = 0;
    for (int i = 0; i < WARMUP + updates; i++) {
        const struct batch_text text = plan_batch(plan, corpus, plan->order[i % plan->batches]);
        const struct batch *b = &run->updater.tape.batch;
        const double start = clock_seconds();
        updater_lay(&run->updater, &text);
        if (i == WARMUP)
            start_clocks(run);
        team_run(run->updater.parts.team, work, run);
        if (i < WARMUP)
            continue;
        seconds += clock_seconds() - start;
        words += b->source_rows + b->target_rows - 2 * b->B;
        target_words += b->target_rows - b->B;
        source_rows += b->source_rows;
        out->gflop += 1e-9 * flop(run->updater.parts.net, b) / updates;
    }
    out->updates_per_second = updates / seconds;
    out->tokens_per_second = words / seconds;
    out->target_tokens_per_second = target_words / seconds;
    out->gflops = out->gflop * out->updates_per_second;
    out->encoder_words_per_cpu_second = run->encoder_cpu > 0 ? source_rows / run->encoder_cpu : 0;
    fill_stages(out, run->stage, updates);
}

/* Random weights and zero gradients; the caller frees both. */
static enum attend_status start_weights(struct seq2seq *net, real **values, real **grads,
                                        struct attend_error *err)
{
    *values = calloc(net->params.size, sizeof **values);
    *grads = calloc(net->params.size, sizeof **grads);
    if (!*values || !*grads)
        return error_set(err, ATTEND_NO_MEMORY, "out of memory for %zu parameters",
                         net->params.size);
    param_bind(&net->params, *values, *grads);
    return param_initialize(&net->params, 1, err);
}

static struct attend_network_options config_of(const struct attend_bench_options *o,
                                               const struct attend_network_options *network,
                                               const struct corpus *corpus)
{
    struct attend_network_options config = *network;
    config.source_vocab = config.target_vocab = o->vocab;
    if (config.positions == 0)
        config.positions = sequences_longest(&corpus->source) + 1;
    model_config_complete(&config);
    return config;
}

static enum attend_status bench_training(const struct attend_bench_options *o,
                                         const struct attend_network_options *network,
                                         const struct corpus *corpus, struct team *team,
                                         struct attend_bench *out, struct attend_error *err)
{
    const struct attend_network_options config = config_of(o, network, corpus);
    const struct plan_rule rule = {.sentences = o->batch_sentences, .seed = 1, .shuffle = true};
    struct seq2seq net = {0};
    struct training_run run = {0};
    struct plan plan = {0};
    enum attend_status status = model_config_check(&config, err);
    if (!status)
        status = seq2seq_init(&net, &config, PACKING_TRAIN, err);
    real *values = NULL, *grads = NULL;
    if (!status)
        status = start_weights(&net, &values, &grads, err);
    if (!status)
        status = updater_init(&run.updater,
                              &(struct updater_parts){.net = &net,
                                                      .team = team,
                                                      .values = values,
                                                      .grads = grads,
                                                      .optimizer = &optimizer_adam,
                                                      .bf16 = precision_is_bf16(o->precision)},
                              err);
    if (!status)
        status = plan_make(&plan, corpus, &rule, 1, err);
    if (!status)
        status = reserve(&run, corpus, &plan, err);
    if (!status)
        time_updates(&run, corpus, &plan, o->updates, out);
    out->peak_mb = usage_peak_mb();
    plan_release(&plan);
    updater_release(&run.updater);
    seq2seq_release(&net);
    free(values);
    free(grads);
    return status;
}

/* The peak is measured before and after, because clock rates and other load change. */
static enum attend_status bench_all(const struct attend_bench_options *o,
                                    const struct attend_network_options *network,
                                    const struct corpus *corpus, struct team *team,
                                    struct attend_bench *out, struct attend_error *err)
{
    struct peak before = {0}, after = {0};
    enum attend_status status = o->no_peak ? ATTEND_OK : peak_measure(&before, team, err);
    if (!status)
        status = bench_training(o, network, corpus, team, out, err);
    if (!status && !o->no_peak)
        status = peak_measure(&after, team, err);
    if (status || o->no_peak)
        return status;
    out->peak_blas = before.blas > after.blas ? before.blas : after.blas;
    out->peak_own = before.own > after.own ? before.own : after.own;
    out->share = out->gflops / (before.best > after.best ? before.best : after.best);
    return ATTEND_OK;
}

enum attend_status bench_team(struct team **out, const struct attend_bench_options *o,
                              struct attend_error *err)
{
    const int threads = o->threads ? o->threads : threads_available();
    return team_new(out, threads < BATCH_LANES ? threads : BATCH_LANES, err);
}

enum attend_status bench_run(const struct attend_bench_options *o,
                             const struct attend_network_options *network, struct attend_bench *out,
                             struct attend_error *err)
{
    struct corpus corpus = {0};
    struct team *team = NULL;
    if (!o->src != !o->tgt)
        return error_set(err, ATTEND_USAGE, "`src` and `tgt` must be given together");
    enum attend_status status = precision_check(o->precision, err);
    if (!status)
        status = o->src ? read_corpus(&corpus, o, err) : random_corpus(&corpus, o, err);
    if (!status)
        status = bench_team(&team, o, err);
    if (!status) {
        *out = (struct attend_bench){.threads = team_size(team)};
        status = bench_all(o, network, &corpus, team, out, err);
    }
    team_free(team);
    corpus_release(&corpus);
    return status;
}
