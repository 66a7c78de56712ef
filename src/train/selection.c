#include "train/trainer_parts.h"

#include "base/clock.h"
#include "base/error.h"

#include <stdlib.h>
#include <string.h>

/* ---- Files ---- */

enum attend_status selection_save_checkpoint(struct trainer *t, struct attend_error *err)
{
    const struct trainer_job *job = t->job;
    if (!trainer_is_first_rank(t))
        return ATTEND_OK;
    t->at.step = (int)t->updater.optimizer.step;
    t->at.falls = t->schedule.falls;
    t->saved = clock_seconds();
    const struct checkpoint_content content = {.updater = &t->updater,
                                               .source = job->source,
                                               .target = job->target,
                                               .progress = &t->at,
                                               .kept = &t->kept,
                                               .texts = &job->texts};
    const enum attend_status status = checkpoint_save(job->checkpoint, &content, err);
    t->checkpointed = t->checkpointed || !status;
    return status;
}

/* Save the current weights as a model. */
static enum attend_status save_model(struct trainer *t, const char *path, struct attend_error *err)
{
    const struct trainer_job *job = t->job;
    struct model_extra extra = {.text = {{"settings", job->texts.settings}}, .texts = 1};
    if (job->texts.examples)
        extra.text[extra.texts++] = (struct file_text){MODEL_EXAMPLES, job->texts.examples};
    return trainer_is_first_rank(t)
               ? model_save(path, job->net, job->source, job->target, &extra, err)
               : ATTEND_OK;
}

enum attend_status selection_clean(const struct trainer *t, struct attend_error *err)
{
    return trainer_is_first_rank(t) ? keep_clean(&t->kept, t->job->model, err) : ATTEND_OK;
}

/* Use the weights to validate and keep: their average, if there is one. */
static void use_average(struct trainer *t)
{
    if (t->updater.optimizer.average)
        param_bind(&t->job->net->params, t->updater.optimizer.average, t->job->grads);
}

static void use_values(struct trainer *t)
{
    param_bind(&t->job->net->params, t->job->values, t->job->grads);
}

enum attend_status trainer_save(struct trainer *t, const char *path, struct attend_error *err)
{
    use_average(t);
    const enum attend_status status = save_model(t, path, err);
    use_values(t);
    return status;
}

/* ---- Validation and the best model ---- */

/* Rank 0 validates; all ranks get the result. */
static enum attend_status measure_model(struct trainer *t, struct validation *out,
                                        struct attend_error *err)
{
    const struct validator validator = {.text = t->job->valid,
                                        .metric = t->metric,
                                        .updater = &t->updater,
                                        .crew = t->crew,
                                        .plan = &t->valid_plan};
    enum attend_status status = ATTEND_OK;
    *out = (struct validation){0};
    if (trainer_is_first_rank(t))
        status = validate(&validator, out, err);
    double shared[3] = {status, out->loss, out->value};
    if (t->comm)
        t->comm->sum(t->comm->context, shared, 3);
    if (!status && shared[0] > 0)
        return error_set(err, ATTEND_STOPPED, "rank 0 could not validate");
    out->loss = shared[1];
    out->value = shared[2];
    return status;
}

static void note_validation(struct trainer *t, const struct validation *v)
{
    const struct validation best = {.loss = t->at.best_loss, .value = t->at.best_value};
    const bool better = t->at.best_epoch == 0 || validation_better(t->metric, v, &best);
    schedule_validated(&t->schedule, better);
    t->report.best = better;
    t->report.valid_loss = v->loss;
    t->report.valid_metric = v->value;
    t->report.samples = v->samples;
    memcpy(t->report.sample, v->sample, sizeof v->sample);
    t->at.validated = t->at.update;
    t->at.worse = better ? 0 : t->at.worse + 1;
    if (!better)
        return;
    t->at.best_loss = v->loss;
    t->at.best_value = v->value;
    t->at.best_epoch = t->at.epoch;
    t->at.best_update = t->at.update;
}

static enum attend_status keep_model(struct trainer *t, double value, struct attend_error *err)
{
    const struct attend_train_options *o = t->job->options;
    if (o->average < 2)
        return ATTEND_OK;
    char *path = keep_path(t->job->model, t->at.update);
    const enum attend_status status =
        path ? save_model(t, path, err)
             : error_set(err, ATTEND_NO_MEMORY, "out of memory for a file name");
    free(path);
    const double merit = !t->metric || t->metric->lower_is_better ? -value : value;
    keep_add(&t->kept, (struct kept_model){t->at.update, merit}, o->average,
             o->average_of && strcmp(o->average_of, "last") == 0);
    return status;
}

static enum attend_status validate_model(struct trainer *t, struct attend_error *err)
{
    struct validation result;
    use_average(t);
    enum attend_status status = measure_model(t, &result, err);
    if (!status) {
        note_validation(t, &result);
        status = keep_model(t, result.value, err);
    }
    if (!status && t->report.best)
        status = save_model(t, t->job->model, err);
    use_values(t);
    if (!status)
        trainer_report(t, ATTEND_TRAIN_VALIDATED);
    t->report.samples = 0;
    validation_release(&result);
    return status;
}

/* Without validation data the last model counts as the best. */
static enum attend_status save_last(struct trainer *t, struct attend_error *err)
{
    t->at.validated = t->at.best_update = t->at.update;
    t->at.best_epoch = t->at.epoch;
    return trainer_save(t, t->job->model, err);
}

enum attend_status selection_validate(struct trainer *t, struct attend_error *err)
{
    /* Save a checkpoint first: a model file without one could belong to any run and could not be
     * resumed. */
    const enum attend_status status =
        t->checkpointed ? ATTEND_OK : selection_save_checkpoint(t, err);
    if (status)
        return status;
    return t->job->valid ? validate_model(t, err) : save_last(t, err);
}

enum attend_status selection_average(struct trainer *t, struct attend_error *err)
{
    const struct trainer_job *job = t->job;
    const size_t size = job->net->params.size;
    struct validation result = {0}, best = {.loss = t->at.best_loss, .value = t->at.best_value};
    if (t->kept.count < 2)
        return ATTEND_OK;
    enum attend_status status = trainer_is_first_rank(t)
                                    ? keep_average(&t->kept, job->model, job->grads, size, err)
                                    : ATTEND_OK;
    param_bind(&job->net->params, job->grads, NULL);
    if (!status)
        status = measure_model(t, &result, err);
    t->report.best = !status && validation_better(t->metric, &result, &best);
    if (t->report.best) {
        t->at.best_loss = result.loss;
        t->at.best_value = result.value;
        status = save_model(t, job->model, err);
    }
    use_values(t);
    memset(job->grads, 0, size * sizeof *job->grads);
    t->report.valid_loss = result.loss;
    t->report.valid_metric = result.value;
    if (!status)
        trainer_report(t, ATTEND_TRAIN_AVERAGED);
    validation_release(&result);
    return status;
}
