#include "train/trainer_parts.h"

#include "base/checksum.h"
#include "base/clock.h"
#include "base/error.h"
#include "base/strbuf.h"
#include "train/precision.h"
#include "train/validation_metric.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Seconds between progress reports, and at most between checkpoints. */
static const double REPORT_SECONDS = 0.25, SAVE_SECONDS = 300;

void trainer_report(struct trainer *t, enum attend_train_event event)
{
    const struct attend_train_hooks *hooks = t->job->hooks;
    t->report.event = event;
    t->report.seconds = clock_seconds() - t->started;
    t->report.update = t->at.update;
    t->report.epoch = t->at.epoch;
    t->report.best_epoch = t->at.best_epoch;
    t->report.best_update = t->at.best_update;
    const int left = t->job->options->patience - t->at.worse;
    t->report.patience_left = left > 0 ? left : 0;
    if (hooks && hooks->report && trainer_is_first_rank(t))
        hooks->report(hooks->context, &t->report);
}

/* All processes stop at the same update. */
static bool stop_wanted(const struct trainer *t)
{
    const struct attend_train_hooks *hooks = t->job->hooks;
    double wanted = hooks && hooks->stop && hooks->stop(hooks->context);
    if (t->comm)
        t->comm->sum(t->comm->context, &wanted, 1);
    return wanted > 0;
}

/* ---- Updates ---- */

static enum attend_status diverged(struct trainer *t, const struct feed_batch *batch, int count,
                                   double loss, struct attend_error *err)
{
    struct strbuf lines = {0};
    int pairs = 0;
    for (int i = 0; i < count; i++)
        for (int k = 0; k < batch[i].text.count; k++, pairs++)
            if (pairs < 8)
                strbuf_addf(&lines, "%s%d", pairs ? ", " : "",
                            t->feed.corpus.line[batch[i].text.item[k]]);
    /* Save the last good weights before reporting. */
    if (t->at.update > 0)
        selection_save_checkpoint(t, NULL);
    const enum attend_status status = error_set(
        err, ATTEND_DIVERGED,
        "training diverged at update %d, epoch %d (loss %g, gradient norm %g) on %d pairs, lines "
        "%s%s; %s",
        t->at.update + 1, t->at.epoch, loss, t->updater.optimizer.norm, pairs,
        lines.text ? lines.text : "", pairs > 8 ? " ..." : "",
        t->at.update > 0 ? "the weights before it are saved: resume with `resume` and a smaller "
                           "`lr` or `clip`"
                         : "try a smaller `lr` or `clip`");
    strbuf_release(&lines);
    return status;
}

static enum attend_status stopped(struct trainer *t, struct attend_error *err)
{
    const enum attend_status status = selection_save_checkpoint(t, err);
    if (status)
        return status;
    trainer_report(t, ATTEND_TRAIN_STOPPED);
    return error_set(
        err, ATTEND_STOPPED,
        "stopped at update %d, epoch %d; the state is saved in %s: continue with `resume`",
        t->at.update, t->at.epoch, t->job->checkpoint);
}

static double seconds_left(const struct trainer *t, double time)
{
    const struct attend_train_options *o = t->job->options;
    double whole = (double)t->per_epoch * o->max_epochs;
    whole = o->max_updates && o->max_updates < whole ? o->max_updates : whole;
    const double made = (double)(t->at.update - t->report.resumed);
    return made > 0 ? (time - t->started) / made * (whole - t->at.update) : 0;
}

static void count_progress(struct trainer *t, const struct feed_batch *batch, int count,
                           double loss)
{
    const struct attend_train_options *o = t->job->options;
    double words = 0;
    for (int i = 0; i < count; i++) {
        const struct batch_text *text = &batch[i].text;
        words += (double)batch[i].words;
        for (int k = 0; k < text->count; k++)
            t->tokens += sequences_length(text->source, text->item[k]) +
                         sequences_length(text->target, text->item[k]);
    }
    t->at.epoch_loss += loss;
    t->at.epoch_words += words;
    t->at.update++;
    t->report.epoch_done = feed_done(&t->feed);
    t->report.loss = t->at.epoch_loss / t->at.epoch_words;
    t->report.update_loss = loss / words;
    t->report.norm = t->updater.optimizer.norm;
    const double time = clock_seconds(), passed = time - t->reported;
    if (passed >= REPORT_SECONDS) {
        t->report.tokens_per_second = t->report.ranks * t->tokens / passed;
        t->report.eta = seconds_left(t, time);
        t->reported = time;
        t->tokens = 0;
        trainer_report(t, ATTEND_TRAIN_PROGRESS);
    }
    if (o->log_every && t->at.update % o->log_every == 0)
        trainer_report(t, ATTEND_TRAIN_UPDATED);
}

/* Reserve memory for batches; almost always it is already there. */
static enum attend_status reserve(struct trainer *t, const struct feed_batch *batch, int count,
                                  struct attend_error *err)
{
    for (int i = 0; i < count; i++) {
        const size_t bytes = updater_measure(&t->updater, &batch[i].text);
        t->largest = bytes > t->largest ? bytes : t->largest;
    }
    return updater_reserve(&t->updater, t->largest, err);
}

static enum attend_status make_update(struct trainer *t, const struct feed_batch *batch, int count,
                                      struct attend_error *err)
{
    struct batch_text text[TRAIN_MAX_ACCUMULATE];
    double words = 0;
    const enum attend_status status = reserve(t, batch, count, err);
    if (status)
        return status;
    for (int i = 0; i < count; i++) {
        text[i] = batch[i].text;
        words += (double)batch[i].words;
    }
    const struct update_settings settings = trainer_settings(t, words);
    const double loss = updater_update(&t->updater, text, count, &settings);
    if (!isfinite(loss) || !isfinite(t->updater.optimizer.norm))
        return diverged(t, batch, count, loss, err);
    t->report.lr = settings.lr;
    t->at.window = t->feed.at.window;
    t->at.batch = t->feed.at.batch;
    count_progress(t, batch, count, loss);
    return ATTEND_OK;
}

/* ---- The loop ---- */

/* Whether to validate after the last update. */
static bool is_time_to_validate(const struct trainer *t)
{
    const struct attend_train_options *o = t->job->options;
    return (o->valid_every && t->at.update % o->valid_every == 0) || t->at.update == o->max_updates;
}

/* The final weights are always validated, even between two regular validations. */
static enum attend_status end_epoch(struct trainer *t, struct attend_error *err)
{
    const struct attend_train_options *o = t->job->options;
    const bool last = t->at.epoch == o->max_epochs;
    enum attend_status status = ATTEND_OK;
    if (!o->valid_every || (last && !is_time_to_validate(t)))
        status = selection_validate(t, err);
    t->at.epoch++;
    t->at.window = t->at.batch = 0;
    t->at.epoch_loss = t->at.epoch_words = 0;
    if (!status)
        status = selection_save_checkpoint(t, err);
    if (!status)
        selection_clean(t, NULL);
    return status;
}

static bool is_time_to_save(const struct trainer *t)
{
    const int every = t->job->options->save_every;
    return every ? t->at.update % every == 0 : clock_seconds() - t->saved > SAVE_SECONDS;
}

static enum attend_status after_update(struct trainer *t, struct attend_error *err)
{
    const bool validate = is_time_to_validate(t);
    enum attend_status status = ATTEND_OK;
    if (validate)
        status = selection_validate(t, err);
    if (!status && (validate || is_time_to_save(t)))
        status = selection_save_checkpoint(t, err);
    if (!status && validate)
        selection_clean(t, NULL);
    return status;
}

/* Do the next update, or end the epoch. */
static enum attend_status advance(struct trainer *t, struct attend_error *err)
{
    struct feed_batch batch[TRAIN_MAX_ACCUMULATE];
    const int most = t->job->options->accumulate > 1 ? t->job->options->accumulate : 1;
    int count = 0;
    enum attend_status status = ATTEND_OK;
    if (t->feed.at.epoch != t->at.epoch)
        status = feed_seek(&t->feed, (struct feed_position){t->at.epoch, t->at.window, t->at.batch},
                           err);
    if (!status)
        status = feed_next(&t->feed, batch, most, &count, err);
    if (!status && count)
        status = make_update(t, batch, count, err);
    if (status)
        return status;
    const double trained = clock_seconds();
    status = count ? after_update(t, err) : end_epoch(t, err);
    /* exclude validation and saving from the measured speed */
    t->reported += clock_seconds() - trained;
    return status;
}

const char *trainer_reason_to_end(const struct attend_train_options *o, const struct progress *at)
{
    if (o->patience && at->best_epoch && at->worse >= o->patience)
        return "no improvement within `patience` validations";
    if (o->max_updates && at->update >= o->max_updates)
        return "`max_updates` reached";
    return at->epoch > o->max_epochs ? "`max_epochs` reached" : NULL;
}

static const char *reason_to_end(const struct trainer *t)
{
    struct attend_train_options o = *t->job->options;
    o.patience = t->job->valid ? o.patience : 0;
    return trainer_reason_to_end(&o, &t->at);
}

static enum attend_status finish(struct trainer *t, const char *reason, struct attend_error *err)
{
    enum attend_status status = ATTEND_OK;
    if (!t->at.finished) {
        status = selection_average(t, err);
        t->at.finished = true;
        t->kept.count = 0;
        if (!status)
            status = selection_save_checkpoint(t, err);
        if (!status)
            status = selection_clean(t, err);
    }
    t->report.reason = reason;
    if (!status)
        trainer_report(t, ATTEND_TRAIN_FINISHED);
    return status;
}

/* Whether the run was interrupted between the first checkpoint and the validation that follows
 * it. */
static bool is_validation_overdue(const struct trainer *t)
{
    return t->at.update > 0 && t->at.validated == 0 && is_time_to_validate(t);
}

enum attend_status trainer_advance(struct trainer *t, bool *ended, struct attend_error *err)
{
    const char *reason = reason_to_end(t);
    *ended = reason != NULL;
    if (reason)
        return finish(t, reason, err);
    t->at.finished = false;
    const enum attend_status status = advance(t, err);
    return !status && !reason_to_end(t) && stop_wanted(t) ? stopped(t, err) : status;
}

/* ---- Start ---- */

static enum attend_status prepare_schedule(struct trainer *t, struct attend_error *err)
{
    const struct attend_train_options *o = t->job->options;
    const bool choose = o->schedule && strcmp(o->schedule, "auto") == 0;
    const struct schedule_ops *ops = choose && t->job->valid  ? &schedule_plateau
                                     : choose || !o->schedule ? &schedule_constant
                                                              : schedule_find(o->schedule);
    if (ops->validation && !t->job->valid)
        return error_set(err, ATTEND_USAGE,
                         "`schedule` %s needs validation data (`valid_src` and `valid_tgt`)",
                         ops->name);
    t->schedule = (struct schedule){.ops = ops,
                                    .base = o->lr > 0 ? o->lr : optimizer_find(o->optimizer)->lr,
                                    .warmup = o->warmup,
                                    .decay = o->decay,
                                    .decay_from = o->decay_from,
                                    .falls = t->at.falls};
    return ATTEND_OK;
}

static enum attend_status prepare_updater(struct trainer *t, struct attend_error *err)
{
    const struct trainer_job *job = t->job;
    const struct attend_train_options *o = job->options;
    const struct updater_parts parts = {.net = job->net,
                                        .team = t->team,
                                        .values = job->values,
                                        .grads = job->grads,
                                        .optimizer = optimizer_find(o->optimizer),
                                        .average_decay = o->ema,
                                        .bf16 = precision_is_bf16(o->precision),
                                        .comm = t->comm};
    const enum attend_status status = updater_init(&t->updater, &parts, err);
    t->updater.optimizer.weight_decay = o->weight_decay;
    t->updater.optimizer.momentum = o->momentum;
    return status || !job->resume ? status : checkpoint_restore(job->resume, &t->updater, err);
}

static enum attend_status prepare_validation(struct trainer *t, struct attend_error *err)
{
    const struct trainer_job *job = t->job;
    const struct attend_train_options *o = job->options;
    const struct plan_rule rule = {.tokens = o->batch_tokens, .sentences = o->batch_sentences};
    t->metric =
        job->net->decoder.writes ? NULL : validation_metric_find(o->valid_metric, job->target);
    if (!job->valid)
        return ATTEND_OK;
    const enum attend_status status = plan_make(&t->valid_plan, job->valid->corpus, &rule, 0, err);
    for (int i = 0; i < t->valid_plan.batches; i++) {
        const struct batch_text text = plan_batch(&t->valid_plan, job->valid->corpus, i);
        const size_t bytes = updater_measure(&t->updater, &text);
        t->largest = bytes > t->largest ? bytes : t->largest;
    }
    return status;
}

static enum attend_status prepare_feed(struct trainer *t, struct attend_error *err)
{
    const struct attend_train_options *o = t->job->options;
    const struct feed_rule rule = {.plan = {.tokens = o->batch_tokens,
                                            .sentences = o->batch_sentences,
                                            .seed = (uint64_t)o->seed,
                                            .shuffle = true,
                                            .ranks = t->comm ? t->comm->size : 1},
                                   .window =
                                       1000L * (o->shuffle_window ? o->shuffle_window : 16000),
                                   .rank = t->comm ? t->comm->rank : 0,
                                   .source = t->job->resampling};
    return feed_init(&t->feed, t->job->train, &rule, err);
}

static void prepare_progress(struct trainer *t)
{
    const struct checkpoint *resume = t->job->resume;
    t->at = resume ? resume->progress : (struct progress){.epoch = 1};
    t->checkpointed = resume;
    if (resume)
        t->kept = resume->kept;
}

static enum attend_status prepare(struct trainer *t, struct attend_error *err)
{
    const struct attend_train_options *o = t->job->options;
    const int threads = o->threads ? o->threads : threads_available();
    prepare_progress(t);
    enum attend_status status = prepare_schedule(t, err);
    if (!status)
        status = team_new(&t->team, threads < BATCH_LANES ? threads : BATCH_LANES, err);
    if (!status)
        status = prepare_updater(t, err);
    if (!status)
        status = crew_new(&t->crew, t->team, err);
    if (!status)
        status = prepare_validation(t, err);
    if (!status)
        status = prepare_feed(t, err);
    return status;
}

/* Walk through the batches of an epoch without running them. The largest gives the memory needed,
 * their number the time. */
static enum attend_status survey(struct trainer *t, struct attend_error *err)
{
    struct feed_batch batch[TRAIN_MAX_ACCUMULATE];
    const int most = t->job->options->accumulate > 1 ? t->job->options->accumulate : 1;
    int count;
    enum attend_status status =
        feed_seek(&t->feed, (struct feed_position){.epoch = t->at.epoch}, err);
    while (!status && !(status = feed_next(&t->feed, batch, most, &count, err)) && count) {
        status = reserve(t, batch, count, err);
        t->per_epoch++;
    }
    t->feed.at = (struct feed_position){0}; /* the loop seeks its own position */
    return status;
}

/* All processes must have the same text and weights. A sum over the processes reveals a
 * difference. */
static enum attend_status agree(const struct trainer *t, struct attend_error *err)
{
    struct checksum sum;
    const struct trainer_job *job = t->job;
    checksum_init(&sum);
    checksum_add(&sum, job->values, job->net->params.size * sizeof *job->values);
    const uint64_t own = checksum_value(&sum) ^ store_checksum(job->train);
    const double mine[] = {(double)(own >> 32), (double)(own & 0xffffffff)};
    double all[] = {mine[0], mine[1]};
    if (!t->comm)
        return ATTEND_OK;
    t->comm->sum(t->comm->context, all, 2);
    double wrong = all[0] != t->comm->size * mine[0] || all[1] != t->comm->size * mine[1];
    t->comm->sum(t->comm->context, &wrong, 1);
    return wrong > 0 ? error_set(err, ATTEND_DATA,
                                 "the processes do not have the same text and weights; give all "
                                 "hosts the same files, model and checkpoint included")
                     : ATTEND_OK;
}

static enum attend_status announce(struct trainer *t, struct attend_error *err)
{
    const struct trainer_job *job = t->job;
    enum attend_status status = agree(t, err);
    if (!status)
        status = survey(t, err);
    if (status)
        return status;
    t->report = (struct attend_train_report){
        .train_pairs = store_pairs(job->train),
        .valid_pairs = job->valid ? job->valid->corpus->source.count : 0,
        .source_vocab = job->net->config.source_vocab,
        .source_width = job->net->config.source_width,
        .target_vocab = job->net->config.target_vocab,
        .parameters = job->net->params.size,
        .memory = 2 * job->net->params.size * sizeof(real) + t->updater.state.size + t->largest +
                  job->net->packed.size,
        .threads = team_size(t->team),
        .ranks = t->comm ? t->comm->size : 1,
        .max_epochs = job->options->max_epochs,
        .metric = t->metric ? t->metric->name : "loss",
        .metric_label = t->metric ? t->metric->label : "loss",
        .metric_unit = t->metric ? t->metric->unit : "",
        .resumed = t->at.update,
    };
    trainer_report(t, ATTEND_TRAIN_STARTED);
    return ATTEND_OK;
}

/* The first validation, if a killed run left it out. */
static enum attend_status catch_up(struct trainer *t, struct attend_error *err)
{
    t->started = t->reported = clock_seconds();
    return is_validation_overdue(t) ? after_update(t, err) : ATTEND_OK;
}

enum attend_status trainer_new(struct trainer **out, const struct trainer_job *job,
                               struct attend_error *err)
{
    const struct attend_comm *comm = job->hooks ? job->hooks->comm : NULL;
    struct trainer *t = calloc(1, sizeof *t);
    if (!t)
        return error_set(err, ATTEND_NO_MEMORY, "out of memory for a trainer");
    *t = (struct trainer){.job = job, .comm = comm && comm->size > 1 ? comm : NULL};
    t->started = t->reported = t->saved = clock_seconds();
    enum attend_status status = prepare(t, err);
    if (!status)
        status = announce(t, err);
    if (!status)
        status = catch_up(t, err);
    if (status)
        trainer_free(t);
    else
        *out = t;
    return status;
}

long trainer_updates(const struct trainer *t) { return t->at.update; }

void trainer_set_lr(struct trainer *t, double lr) { t->schedule.base = lr; }

void trainer_free(struct trainer *t)
{
    if (!t)
        return;
    feed_release(&t->feed);
    plan_release(&t->valid_plan);
    crew_free(t->crew);
    updater_release(&t->updater);
    team_free(t->team);
    free(t);
}
