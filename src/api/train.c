#include "api/training.h"

#include "base/error.h"
#include "base/path.h"
#include "corpus/example_lines.h"
#include "corpus/holdout.h"
#include "corpus/resampling.h"
#include "corpus/store.h"
#include "log/log_writer.h"
#include "model/model.h"
#include "settings/init_from.h"
#include "text/tokenizer.h"
#include "train/keep.h"
#include "train/precision.h"

#include <stdlib.h>
#include <string.h>

/* Only rank 0 reports and writes files. */
static bool is_first_rank(const struct attend_training *s)
{
    return !s->hooks.comm || s->hooks.comm->rank == 0;
}

/* ---- Options and files ---- */

static enum attend_status check_options(const struct attend_data_options *d,
                                        const struct attend_train_options *o,
                                        struct attend_error *err)
{
    enum attend_status status = dataset_check(d, err);
    if (!status)
        status = precision_check(o->precision, err);
    if (status)
        return status;
    if (!o->model)
        return error_set(err, ATTEND_USAGE, "`model` is needed: the file to write");
    for (int i = 0; i < 2; i++) {
        const char *language = i ? d->target_lang : d->source_lang;
        if (language && !text_language_valid(language))
            return error_set(err, ATTEND_USAGE, "`%s` is a code such as en or pt-BR, not '%.64s'",
                             i ? "target_lang" : "source_lang", language);
    }
    if (o->resume && o->overwrite)
        return error_set(err, ATTEND_USAGE, "`resume` and `overwrite` exclude each other");
    return ATTEND_OK;
}

/* Check now that the model can be written, not after the first epoch. */
static enum attend_status check_writable(const char *path, struct attend_error *err)
{
    struct io_writer probe;
    const enum attend_status status = io_writer_open(&probe, path, err);
    if (status == ATTEND_OK)
        io_writer_close(&probe);
    return status;
}

/* Lock the model. The lock file is beside the real file, so that a run that reaches it by another
 * link finds it too. */
static enum attend_status take_model(struct attend_training *s, struct attend_error *err)
{
    struct strbuf path = {0};
    char *file = NULL;
    if (!is_first_rank(s))
        return ATTEND_OK;
    enum attend_status status = path_follow(&file, s->options.train.model, err);
    strbuf_addf(&path, "%s.lock", file ? file : "");
    free(file);
    if (!status)
        status = strbuf_status(&path, err);
    if (!status)
        status = check_writable(s->options.train.model, err);
    if (!status)
        status = io_lock(&s->lock, path.text, err);
    strbuf_release(&path);
    if (status)
        return status;
    io_writer_sweep(s->options.train.model, KEEP_SUFFIX);
    io_writer_sweep(s->checkpoint, NULL);
    return ATTEND_OK;
}

static enum attend_status print_settings(struct attend_training *s, struct attend_error *err)
{
    struct strbuf path = {0};
    train_settings_json(&s->options, &s->settings);
    strbuf_addf(&path, "%s.ckpt", s->options.train.model);
    s->checkpoint = strbuf_detach(&path);
    if (!s->checkpoint)
        return error_set(err, ATTEND_NO_MEMORY, "out of memory for a file name");
    return strbuf_status(&s->settings, err);
}

/* ---- Resuming ---- */

/* Compare a setting with that of the checkpoint. */
static enum attend_status compare_row(const struct attend_training *s,
                                      const struct attend_setting *row, const void *asked,
                                      const void *made, struct attend_error *err)
{
    char a[256], b[256];
    const bool resume = s->options.train.resume;
    option_print(row, asked, a, sizeof a);
    option_print(row, made, b, sizeof b);
    if (row->local || strcmp(a, b) == 0 || (resume && row->flexible))
        return ATTEND_OK;
    /* A checkpoint that is older than the setting goes on as it began. */
    if (row->absent && strcmp(b, row->absent) == 0 && strcmp(a, row->fallback) == 0)
        return ATTEND_OK;
    return error_set(err, ATTEND_USAGE,
                     "%s is the model of another run: its `%s` is %s, not %s; %s`overwrite` to "
                     "start again",
                     s->options.train.model, row->name, *b ? b : "not given", *a ? a : "not given",
                     row->flexible ? "use `resume` to continue with the new value, " : "use ");
}

static enum attend_status compare_settings(const struct attend_training *s,
                                           struct attend_error *err)
{
    struct train_settings made = {0};
    enum attend_status status =
        train_settings_read(&made, s->found->texts.settings, s->checkpoint, err);
    const struct attend_settings *asked = &s->options.set;
    for (int g = 0; g < asked->count && !status; g++)
        for (const struct attend_setting *row = asked->group[g].rows; row->name && !status; row++)
            status = compare_row(s, row, asked->group[g].base, made.set.group[g].base, err);
    train_settings_release(&made);
    return status;
}

static enum attend_status find_checkpoint(struct attend_training *s, struct attend_error *err)
{
    const struct attend_train_options *d = &s->options.train;
    bool model = false, checkpoint = false;
    if (d->overwrite)
        return ATTEND_OK;
    enum attend_status status = io_exists(d->model, &model, err);
    if (!status)
        status = io_exists(s->checkpoint, &checkpoint, err);
    if (status)
        return status;
    if (model && !checkpoint)
        return error_set(err, ATTEND_USAGE,
                         "%s exists, but its checkpoint %s does not; use `overwrite` to replace "
                         "the model",
                         d->model, s->checkpoint);
    if (!checkpoint)
        return ATTEND_OK;
    status = checkpoint_load(&s->found, s->checkpoint, err);
    if (!status)
        status = compare_settings(s, err);
    if (!status && s->found->progress.best_epoch && !model)
        status = error_set(err, ATTEND_USAGE,
                           "%s is missing, but its checkpoint %s exists; use `overwrite` to start "
                           "again",
                           d->model, s->checkpoint);
    return status;
}

/* Remove kept models that a killed run left behind and that no checkpoint names. */
static enum attend_status clean_up(const struct attend_training *s, struct attend_error *err)
{
    const struct kept none = {0};
    return is_first_rank(s)
               ? keep_clean(s->found ? &s->found->kept : &none, s->options.train.model, err)
               : ATTEND_OK;
}

/* Whether the run is complete. Then the text is not even read. */
static bool is_finished(const struct attend_training *s)
{
    const struct attend_data_options *d = &s->options.data;
    struct attend_train_options o = s->options.train;
    if (!d->valid && !d->valid_src && holdout_kind(d) == HOLDOUT_NONE)
        o.patience = 0;
    return s->found && s->found->progress.finished &&
           trainer_reason_to_end(&o, &s->found->progress);
}

static void report_finished(const struct attend_training *s)
{
    const struct progress *p = &s->found->progress;
    const struct attend_train_report report = {.event = ATTEND_TRAIN_FINISHED,
                                               .update = p->update,
                                               .resumed = p->update,
                                               .epoch = p->epoch,
                                               .best_epoch = p->best_epoch,
                                               .best_update = p->best_update,
                                               .reason = "there is nothing left to do"};
    if (s->hooks.report)
        s->hooks.report(s->hooks.context, &report);
}

/* ---- Text and network ---- */

static void pass_on(void *context, const struct attend_train_report *report);

static void note(void *context, const char *text)
{
    const struct attend_training *s = context;
    const struct attend_train_report report = {.event = ATTEND_TRAIN_NOTE, .note = text};
    if (is_first_rank(s))
        pass_on(context, &report);
}

static bool is_other_text(const struct attend_training *s)
{
    return s->found && strcmp(s->found->texts.data, s->data.checksum) != 0;
}

/* Earlier versions held nothing out on their own: resume such a run as it began. */
static enum attend_status load_whole(struct attend_training *s, const struct dataset_job *job,
                                     struct attend_error *err)
{
    dataset_release(&s->data);
    s->data = (struct dataset){0};
    s->options.data.split = "none";
    return dataset_load(&s->data, job, err);
}

/* A model that was trained before may have seen longer sources. */
static void note_longest(struct attend_training *s)
{
    const int longest = store_longest_source(s->data.train);
    if (longest > s->data.side[0].longest)
        s->data.side[0].longest = longest;
}

static enum attend_status load_data(struct attend_training *s, struct attend_error *err)
{
    const struct model *given = s->found ? s->found->model : s->parent;
    const struct dataset_job job = {.options = &s->options.data,
                                    .model = s->options.train.model,
                                    .seed = (uint64_t)s->options.train.seed,
                                    .joint = model_config_tie(&s->options.network) == TIE_ALL,
                                    .given_source = given ? &given->source : NULL,
                                    .given_target = given ? &given->target : NULL,
                                    .given_name = s->options.train.init_from,
                                    .learn_subwords = s->hooks.learn_subwords,
                                    .first_rank = is_first_rank(s),
                                    .note = note,
                                    .context = s,
                                    .case_note = &s->case_note};
    enum attend_status status = dataset_load(&s->data, &job, err);
    if (!status && is_other_text(s) && holdout_kind(&s->options.data) == HOLDOUT_USUAL)
        status = load_whole(s, &job, err);
    if (!status)
        note_longest(s);
    if (!status && is_other_text(s))
        return error_set(err, ATTEND_USAGE,
                         "the training text differs from that of %s; give the same text, or use "
                         "`overwrite` to start again",
                         s->checkpoint);
    return status;
}

static void tell_remarks(struct attend_training *s)
{
    char *next = s->data.remarks.text;
    for (char *end; next && (end = strchr(next, '\n')); next = end + 1) {
        *end = '\0';
        note(s, next);
    }
}

/* ---- Starting from another model ---- */

static enum attend_status load_parent(struct attend_training *s, struct attend_error *err)
{
    if (!s->options.train.init_from || s->found)
        return ATTEND_OK;
    enum attend_status status = model_load_floats(&s->parent, s->options.train.init_from, err);
    return status ? status : init_from_check(&s->options, s->parent, err);
}

/* ---- The run ---- */

/* Write every report to the log, then pass it to the caller. */
static void pass_on(void *context, const struct attend_train_report *report)
{
    const struct attend_training *s = context;
    const char *trouble = train_log_write(s->log, report);
    const struct attend_train_report note = {.event = ATTEND_TRAIN_NOTE, .note = trouble};
    if (!s->hooks.report)
        return;
    if (trouble)
        s->hooks.report(s->hooks.context, &note);
    s->hooks.report(s->hooks.context, report);
}

static bool ask_stop(void *context)
{
    const struct attend_training *s = context;
    return s->hooks.stop && s->hooks.stop(s->hooks.context);
}

static enum attend_status start(struct attend_training *s, struct attend_error *err)
{
    s->own_hooks = (struct attend_train_hooks){
        .report = pass_on, .stop = ask_stop, .context = s, .comm = s->hooks.comm};
    s->job = (struct trainer_job){.options = &s->options.train,
                                  .net = &s->net,
                                  .values = s->values,
                                  .grads = s->grads,
                                  .train = s->data.train,
                                  .resampling = resampling_source(s->data.resampling),
                                  .valid = s->data.valid,
                                  .source = &s->data.side[0],
                                  .target = &s->data.side[1],
                                  .model = s->options.train.model,
                                  .checkpoint = s->checkpoint,
                                  .texts = {s->settings.text, s->data.checksum, s->examples.text},
                                  .resume = s->found,
                                  .hooks = &s->own_hooks};
    return trainer_new(&s->trainer, &s->job, err);
}

void attend_training_free(struct attend_training *s)
{
    if (!s)
        return;
    trainer_free(s->trainer);
    io_unlock(&s->lock);
    train_log_close(s->log);
    dataset_release(&s->data);
    checkpoint_free(s->found);
    model_free(s->parent);
    seq2seq_release(&s->net);
    strbuf_release(&s->settings);
    strbuf_release(&s->examples);
    strbuf_release(&s->case_note);
    free(s->checkpoint);
    free(s->values);
    free(s->copies);
    free(s->grads);
    free(s);
}

static enum attend_status prepare(struct attend_training *s, struct attend_error *err)
{
    const struct attend_train_options *o = &s->options.train;
    enum attend_status status = load_parent(s, err);
    if (!status)
        status = load_data(s, err);
    if (!status && s->data.valid && !s->data.side[0].frames) /* a model file holds no path */
        status = example_lines_choose(&s->examples, s->data.valid, o->examples, err);
    if (!status)
        status = training_make_net(s, err);
    if (!status && o->log && is_first_rank(s))
        status = train_log_open(&s->log, o->log, s->found != NULL, s->settings.text, err);
    if (!status)
        tell_remarks(s);
    if (!status && s->case_note.length)
        note(s, s->case_note.text);
    return status ? status : start(s, err);
}

enum attend_status attend_training_new(struct attend_training **out,
                                       const struct attend_data_options *data,
                                       const struct attend_network_options *network,
                                       const struct attend_train_options *options,
                                       const struct attend_train_hooks *hooks,
                                       struct attend_error *err)
{
    struct attend_training *s = calloc(1, sizeof *s);
    if (!s)
        return error_set(err, ATTEND_NO_MEMORY, "out of memory for a run of training");
    s->lock.file = -1;
    if (hooks)
        s->hooks = *hooks;
    enum attend_status status = train_settings_take(&s->options, data, network, options, err);
    if (!status)
        status = check_options(&s->options.data, &s->options.train, err);
    if (!status)
        status = attend_settings_check_files(&s->options.set, err);
    if (!status)
        status = print_settings(s, err);
    if (!status)
        status = take_model(s, err);
    if (!status)
        status = find_checkpoint(s, err);
    if (!status)
        status = clean_up(s, err);
    if (!status && is_finished(s))
        report_finished(s);
    else if (!status)
        status = prepare(s, err);
    if (status)
        attend_training_free(s);
    else
        *out = s;
    return status;
}

enum attend_status attend_training_advance(struct attend_training *s, int updates, bool *ended,
                                           struct attend_error *err)
{
    enum attend_status status = ATTEND_OK;
    *ended = !s->trainer;
    if (!s->trainer)
        return ATTEND_OK;
    for (const long last = trainer_updates(s->trainer) + updates;
         !status && !*ended && trainer_updates(s->trainer) < last;)
        status = trainer_advance(s->trainer, ended, err);
    return status;
}

void attend_training_set_lr(struct attend_training *s, double lr)
{
    if (s->trainer)
        trainer_set_lr(s->trainer, lr);
}

enum attend_status attend_training_save(struct attend_training *s, const char *path,
                                        struct attend_error *err)
{
    return s->trainer ? trainer_save(s->trainer, path, err)
                      : error_set(err, ATTEND_USAGE, "%s is complete: there is nothing to save",
                                  s->options.train.model);
}

enum attend_status attend_train(const struct attend_data_options *data,
                                const struct attend_network_options *network,
                                const struct attend_train_options *options,
                                const struct attend_train_hooks *hooks, struct attend_error *err)
{
    struct attend_training *training = NULL;
    bool ended = false;
    enum attend_status status = attend_training_new(&training, data, network, options, hooks, err);
    while (!status && !ended)
        status = attend_training_advance(training, 1, &ended, err);
    attend_training_free(training);
    return status;
}
