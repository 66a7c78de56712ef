#include "train/trainer.h"

#include "base/clock.h"
#include "base/error.h"
#include "base/rng.h"
#include "train/schedule.h"
#include "train/validate.h"

#include <math.h>

static const char *optimizer_name(int i) { return optimizers[i] ? optimizers[i]->name : NULL; }
static const char *schedule_name(int i) { return schedules[i] ? schedules[i]->name : NULL; }

#define FIELD(name) offsetof(struct train_options, name)
const struct option_row train_rows[] = {
    {.name = "batch-tokens",
     .kind = OPTION_INT,
     .offset = FIELD(batch_tokens),
     .fallback = "1000",
     .min = 1,
     .max = 10000000,
     .value = "N",
     .help = "words of either side in a batch, at most; padding does not exist"},
    {.name = "batch-sentences",
     .kind = OPTION_INT,
     .offset = FIELD(batch_sentences),
     .fallback = "0",
     .min = 0,
     .max = 1000000,
     .value = "N",
     .help = "pairs in a batch, at most; 0: as many as the words allow"},
    {.name = "dropout",
     .kind = OPTION_REAL,
     .offset = FIELD(dropout),
     .fallback = "0.2",
     .min = 0,
     .max = 0.95,
     .value = "P",
     .help = "on embeddings, annotations and readout"},
    {.name = "recurrent-dropout",
     .kind = OPTION_REAL,
     .offset = FIELD(recurrent_dropout),
     .fallback = "0",
     .min = 0,
     .max = 0.95,
     .value = "P",
     .help = "on the recurrence, one mask a sentence (Gal and Ghahramani 2016)"},
    {.name = "label-smoothing",
     .kind = OPTION_REAL,
     .offset = FIELD(label_smoothing),
     .fallback = "0.1",
     .min = 0,
     .max = 0.95,
     .value = "EPS",
     .help = "share of the target spread over the vocabulary"},
    {.name = "optimizer",
     .kind = OPTION_CHOICE,
     .offset = FIELD(optimizer),
     .fallback = "adam",
     .value = "NAME",
     .help = "how weights follow gradients",
     .choices = optimizer_name},
    {.name = "lr",
     .kind = OPTION_REAL,
     .offset = FIELD(lr),
     .fallback = "0",
     .min = 0,
     .max = 100,
     .value = "X",
     .help = "learning rate; 0: the optimizer's own (sgd 0.3, adadelta 1, adam and adamw 0.001)"},
    {.name = "weight-decay",
     .kind = OPTION_REAL,
     .offset = FIELD(weight_decay),
     .fallback = "0",
     .min = 0,
     .max = 100,
     .value = "X",
     .help = "pull of weights to 0: decoupled in adamw, added to the gradient (L2) in others"},
    {.name = "momentum",
     .kind = OPTION_REAL,
     .offset = FIELD(momentum),
     .fallback = "0.9",
     .min = 0,
     .max = 0.9999,
     .value = "X",
     .help = "of sgd; 0: plain gradient descent"},
    {.name = "schedule",
     .kind = OPTION_CHOICE,
     .offset = FIELD(schedule),
     .fallback = "constant",
     .value = "NAME",
     .help = "how the learning rate moves as training goes on",
     .choices = schedule_name},
    {.name = "warmup",
     .kind = OPTION_INT,
     .offset = FIELD(warmup),
     .fallback = "0",
     .min = 0,
     .max = 1000000000,
     .value = "N",
     .help = "updates in which the rate rises to --lr; 0: 4000 for warmup-invsqrt, else none"},
    {.name = "decay",
     .kind = OPTION_REAL,
     .offset = FIELD(decay),
     .fallback = "0.7",
     .min = 0.001,
     .max = 1,
     .value = "X",
     .help = "factor on the rate: exponential each epoch, plateau each validation not better"},
    {.name = "decay-from",
     .kind = OPTION_INT,
     .offset = FIELD(decay_from),
     .fallback = "5",
     .min = 1,
     .max = 1000000,
     .value = "N",
     .help = "first epoch that exponential makes slower"},
    {.name = "clip",
     .kind = OPTION_REAL,
     .offset = FIELD(clip),
     .fallback = "1",
     .min = 0,
     .max = 1e9,
     .value = "X",
     .help = "largest norm of the gradient; 0: any"},
    {.name = "max-epochs",
     .kind = OPTION_INT,
     .offset = FIELD(max_epochs),
     .fallback = "30",
     .min = 1,
     .max = 1000000,
     .value = "N",
     .help = "passes over the training pairs, at most"},
    {.name = "max-updates",
     .kind = OPTION_INT,
     .offset = FIELD(max_updates),
     .fallback = "0",
     .min = 0,
     .max = 2000000000,
     .value = "N",
     .help = "updates, at most; 0: as many as the epochs take"},
    {.name = "patience",
     .kind = OPTION_INT,
     .offset = FIELD(patience),
     .fallback = "5",
     .min = 0,
     .max = 1000000,
     .value = "N",
     .help = "validations without improvement before training ends; 0: never"},
    {.name = "seed",
     .kind = OPTION_INT,
     .offset = FIELD(seed),
     .fallback = "1",
     .min = 0,
     .max = 2147483647,
     .value = "N",
     .help = "of every random choice"},
    {.name = "threads",
     .kind = OPTION_INT,
     .offset = FIELD(threads),
     .fallback = "0",
     .min = 0,
     .max = BATCH_LANES,
     .value = "N",
     .help = "threads; 0: one for each core"},
    {0},
};
#undef FIELD

/* Progress is reported about this often. */
static const double REPORT_SECONDS = 0.25;

struct trainer {
    const struct trainer_job *job;
    struct team *team;
    struct updater updater;
    struct schedule schedule;
    struct crew *crew;
    struct plan valid_plan;
    struct attend_train_report report;
    double started, reported; /* seconds on the clock */
    double tokens;            /* since the last report */
    double epoch_loss, epoch_words;
    struct validation best;
    size_t largest; /* batch, in bytes */
    long per_epoch; /* updates */
};

static void report(struct trainer *t, enum attend_train_event event)
{
    const struct attend_train_hooks *hooks = t->job->hooks;
    t->report.event = event;
    t->report.seconds = clock_seconds() - t->started;
    if (hooks && hooks->report)
        hooks->report(hooks->context, &t->report);
}

static bool stop_wanted(const struct trainer *t)
{
    const struct attend_train_hooks *hooks = t->job->hooks;
    return hooks && hooks->stop && hooks->stop(hooks->context);
}

/* ---- Memory: the largest batch of a plan is known before its first update ---- */

static void measure(struct trainer *t, const struct corpus *corpus, const struct plan *plan)
{
    for (int i = 0; i < plan->batches; i++) {
        const struct batch_text text = plan_batch(plan, corpus, i);
        const size_t bytes = updater_measure(&t->updater, &text);
        t->largest = bytes > t->largest ? bytes : t->largest;
    }
}

static enum attend_status plan_epoch(struct trainer *t, struct plan *plan, int epoch,
                                     struct attend_error *err)
{
    const struct train_options *o = t->job->options;
    const struct plan_rule rule = {o->batch_tokens, o->batch_sentences, (uint64_t)o->seed, true};
    enum attend_status status = plan_make(plan, t->job->train, &rule, epoch, err);
    if (status)
        return status;
    t->per_epoch = plan->batches;
    measure(t, t->job->train, plan);
    status = updater_reserve(&t->updater, t->largest, err);
    if (status)
        plan_release(plan);
    return status;
}

/* ---- Updates ---- */

static enum attend_status diverged(const struct trainer *t, const struct batch_text *text,
                                   double loss, struct attend_error *err)
{
    return error_set(err, ATTEND_DIVERGED,
                     "training diverged at update %ld, epoch %d (loss %g, gradient norm %g; the "
                     "batch's first pair is "
                     "line %d); try a smaller --lr or --clip%s%s",
                     t->report.update + 1, t->report.epoch, loss, t->updater.optimizer.norm,
                     t->job->train->line[text->item[0]],
                     t->report.best_epoch ? "; the best model so far is in " : "",
                     t->report.best_epoch ? t->job->model : "");
}

static enum attend_status stopped(const struct trainer *t, struct attend_error *err)
{
    const struct attend_train_report *r = &t->report;
    return r->best_epoch
               ? error_set(err, ATTEND_STOPPED,
                           "stopped at update %ld, epoch %d; the model of epoch %d is in %s",
                           r->update, r->epoch, r->best_epoch, t->job->model)
               : error_set(err, ATTEND_STOPPED,
                           "stopped at update %ld, before a first model was saved", r->update);
}

static void count_progress(struct trainer *t, double loss, double done)
{
    const struct batch *b = &t->updater.tape.batch;
    t->epoch_loss += loss;
    t->epoch_words += b->target_rows;
    t->tokens += b->source_rows + b->target_rows - 2 * b->B;
    t->report.update++;
    t->report.epoch_done = done;
    t->report.loss = t->epoch_loss / t->epoch_words;
    const double time = clock_seconds(), passed = time - t->reported;
    if (passed < REPORT_SECONDS && done < 1)
        return;
    const struct train_options *o = t->job->options;
    double whole = (double)t->per_epoch * o->max_epochs;
    whole = o->max_updates && o->max_updates < whole ? o->max_updates : whole;
    t->report.tokens_per_second = t->tokens / passed;
    t->report.eta = (time - t->started) * (whole / (double)t->report.update - 1);
    t->reported = time;
    t->tokens = 0;
    report(t, ATTEND_TRAIN_PROGRESS);
}

static struct dropouts dropouts(const struct train_options *o, uint64_t update)
{
    const uint64_t key = rng_key(rng_key(rng_seed((uint64_t)o->seed), 0x64726f70), update);
    return (struct dropouts){.plain = {.rate = o->dropout, .key = key},
                             .recurrent = {.rate = o->recurrent_dropout, .key = key}};
}

static bool last_update(const struct trainer *t)
{
    return t->job->options->max_updates && t->report.update >= t->job->options->max_updates;
}

static enum attend_status run_batches(struct trainer *t, const struct plan *plan,
                                      struct attend_error *err)
{
    const struct train_options *o = t->job->options;
    for (int i = 0; i < plan->batches && !last_update(t); i++) {
        if (stop_wanted(t))
            return stopped(t, err);
        const struct batch_text text = plan_batch(plan, t->job->train, plan->order[i]);
        const double lr = schedule_rate(&t->schedule, t->report.update + 1, t->report.epoch);
        const struct update_settings settings = {
            .dropout = dropouts(o, (uint64_t)t->report.update),
            .smoothing = o->label_smoothing,
            .lr = lr,
            .clip = o->clip,
        };
        const double loss = updater_update(&t->updater, &text, &settings);
        if (!isfinite(loss) || !isfinite(t->updater.optimizer.norm))
            return diverged(t, &text, loss, err);
        t->report.lr = lr;
        count_progress(t, loss, (i + 1.0) / plan->batches);
    }
    return ATTEND_OK;
}

/* ---- Validation and the best model ---- */

static enum attend_status save(struct trainer *t, struct attend_error *err)
{
    const struct trainer_job *job = t->job;
    t->report.best_epoch = t->report.epoch;
    return model_save(job->model, job->net, job->source, job->target, err);
}

/* More sentences right is better; among equals the lower loss. */
static bool better(const struct validation *new, const struct validation *old)
{
    return new->accuracy != old->accuracy ? new->accuracy > old->accuracy : new->loss < old->loss;
}

static enum attend_status validate_epoch(struct trainer *t, struct attend_error *err)
{
    struct validation result;
    enum attend_status status =
        validate(&t->updater, t->crew, t->job->valid, &t->valid_plan, &result, err);
    if (status)
        return status;
    t->report.best = t->report.best_epoch == 0 || better(&result, &t->best);
    schedule_validated(&t->schedule, t->report.best);
    t->report.valid_loss = result.loss;
    t->report.valid_accuracy = result.accuracy;
    t->report.patience_left =
        t->report.best ? t->job->options->patience : t->report.patience_left - 1;
    if (t->report.best) {
        t->best = result;
        status = save(t, err);
    }
    report(t, ATTEND_TRAIN_VALIDATED);
    return status;
}

static enum attend_status run_epoch(struct trainer *t, int epoch, struct attend_error *err)
{
    struct plan plan;
    enum attend_status status = plan_epoch(t, &plan, epoch, err);
    if (status)
        return status;
    t->report.epoch = epoch;
    t->epoch_loss = t->epoch_words = 0;
    status = run_batches(t, &plan, err);
    plan_release(&plan);
    if (status)
        return status;
    return t->job->valid ? validate_epoch(t, err) : save(t, err);
}

/* ---- Start to end ---- */

static enum attend_status prepare_schedule(struct trainer *t, struct attend_error *err)
{
    const struct train_options *o = t->job->options;
    const struct schedule_ops *ops = o->schedule ? schedule_find(o->schedule) : &schedule_constant;
    if (ops->validation && !t->job->valid)
        return error_set(err, ATTEND_USAGE,
                         "--schedule %s needs validation data (--valid-src and --valid-tgt)",
                         ops->name);
    t->schedule = (struct schedule){.ops = ops,
                                    .base = o->lr > 0 ? o->lr : optimizer_find(o->optimizer)->lr,
                                    .warmup = o->warmup,
                                    .decay = o->decay,
                                    .decay_from = o->decay_from};
    return ATTEND_OK;
}

static enum attend_status prepare_updater(struct trainer *t, struct attend_error *err)
{
    const struct trainer_job *job = t->job;
    const struct train_options *o = job->options;
    const enum attend_status status = updater_init(
        &t->updater, job->net, t->team, optimizer_find(o->optimizer), job->values, job->grads, err);
    t->updater.optimizer.weight_decay = o->weight_decay;
    t->updater.optimizer.momentum = o->momentum;
    return status;
}

static enum attend_status prepare(struct trainer *t, struct attend_error *err)
{
    const struct trainer_job *job = t->job;
    const struct train_options *o = job->options;
    const int threads = o->threads ? o->threads : threads_available();
    enum attend_status status = prepare_schedule(t, err);
    if (!status)
        status = team_new(&t->team, threads < BATCH_LANES ? threads : BATCH_LANES, err);
    if (!status)
        status = prepare_updater(t, err);
    if (!status)
        status = crew_new(&t->crew, t->team, err);
    if (status || !job->valid)
        return status;
    const struct plan_rule rule = {.tokens = o->batch_tokens, .sentences = o->batch_sentences};
    status = plan_make(&t->valid_plan, job->valid, &rule, 0, err);
    if (!status)
        measure(t, job->valid, &t->valid_plan);
    return status;
}

/* The first epoch's plan tells the memory; it is made again when the epoch begins. */
static enum attend_status announce(struct trainer *t, struct attend_error *err)
{
    const struct trainer_job *job = t->job;
    struct plan plan;
    const enum attend_status status = plan_epoch(t, &plan, 1, err);
    if (status)
        return status;
    plan_release(&plan);
    t->report = (struct attend_train_report){
        .train_pairs = job->train->source.count,
        .valid_pairs = job->valid ? job->valid->source.count : 0,
        .skipped_pairs = job->train->skipped,
        .first_skipped = job->train->first_skipped,
        .source_vocab = job->net->config.source_vocab,
        .target_vocab = job->net->config.target_vocab,
        .parameters = job->net->params.size,
        .memory = 2 * job->net->params.size * sizeof(real) + t->updater.state.size + t->largest +
                  job->net->packed.size,
        .threads = team_size(t->team),
        .max_epochs = job->options->max_epochs,
        .patience_left = job->options->patience,
    };
    report(t, ATTEND_TRAIN_STARTED);
    return ATTEND_OK;
}

static bool enough(const struct trainer *t)
{
    const struct train_options *o = t->job->options;
    return t->report.epoch == o->max_epochs || last_update(t) ||
           (t->job->valid && o->patience && t->report.patience_left == 0);
}

enum attend_status trainer_run(const struct trainer_job *job, struct attend_error *err)
{
    struct trainer t = {.job = job};
    t.started = t.reported = clock_seconds();
    enum attend_status status = prepare(&t, err);
    if (!status)
        status = announce(&t, err);
    t.started = t.reported = clock_seconds();
    for (int epoch = 1; !status; epoch++) {
        status = run_epoch(&t, epoch, err);
        if (!status && enough(&t))
            break;
    }
    if (!status)
        report(&t, ATTEND_TRAIN_FINISHED);
    plan_release(&t.valid_plan);
    crew_free(t.crew);
    updater_release(&t.updater);
    team_free(t.team);
    return status;
}
