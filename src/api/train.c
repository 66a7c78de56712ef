#include "attend/train.h"

#include "api/options.h"
#include "api/train_data.h"
#include "api/train_draws.h"
#include "api/train_log.h"
#include "base/error.h"
#include "base/option_json.h"
#include "base/path.h"
#include "base/strbuf.h"
#include "model/model.h"
#include "text/tokenizer.h"
#include "text/vocab.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* What training holds from reading the files to the end. */
struct session {
    const struct attend_options *options;
    const struct attend_train_hooks *hooks;
    struct strbuf settings;   /* what the user asked for, as JSON */
    char *checkpoint;         /* path */
    struct io_lock lock;      /* of the model: two trainings would overwrite each other */
    struct checkpoint *found; /* what to go on from, or NULL */
    struct model *parent;     /* --init-from, or NULL */
    struct train_data data;
    struct seq2seq net;
    real *values, *grads;
    int *copies;           /* model_side_copies, when words can be copied */
    struct train_log *log; /* or NULL */
};

/* The other processes only compute. */
static bool is_first_rank(const struct session *s)
{
    return !s->hooks || !s->hooks->comm || s->hooks->comm->rank == 0;
}

/* ---- What is asked for ---- */

static enum attend_status check_options(const struct data_options *d, struct attend_error *err)
{
    const enum attend_status status = train_data_check(d, err);
    if (status)
        return status;
    if (!d->model)
        return error_set(err, ATTEND_USAGE, "--model is needed; see attend train --help");
    for (int i = 0; i < 2; i++) {
        const char *language = i ? d->target_lang : d->source_lang;
        if (language && !model_language_valid(language))
            return error_set(err, ATTEND_USAGE,
                             "--%s-lang is a code such as en or pt-BR, not '%.64s'",
                             i ? "target" : "source", language);
    }
    if (d->resume && d->overwrite)
        return error_set(err, ATTEND_USAGE, "--resume and --overwrite exclude each other");
    return ATTEND_OK;
}

/* Find out now, not after the first epoch, that the model cannot be written. */
static enum attend_status check_writable(const char *path, struct attend_error *err)
{
    struct io_writer probe;
    const enum attend_status status = io_writer_open(&probe, path, err);
    if (status == ATTEND_OK)
        io_writer_close(&probe);
    return status;
}

/* The lock lies beside the file itself: whoever comes by another link meets it too. */
static enum attend_status take_model(struct session *s, struct attend_error *err)
{
    struct strbuf path = {0};
    char *file = NULL;
    if (!is_first_rank(s))
        return ATTEND_OK;
    enum attend_status status = path_follow(&file, s->options->data.model, err);
    strbuf_addf(&path, "%s.lock", file ? file : "");
    free(file);
    if (!status)
        status = strbuf_status(&path, err);
    if (!status)
        status = check_writable(s->options->data.model, err);
    if (!status)
        status = io_lock(&s->lock, path.text, err);
    strbuf_release(&path);
    if (status)
        return status;
    io_writer_sweep(s->options->data.model);
    io_writer_sweep(s->checkpoint);
    return ATTEND_OK;
}

static enum attend_status print_settings(struct session *s, struct attend_error *err)
{
    const struct option_set *set = &s->options->set;
    struct strbuf path = {0};
    strbuf_addc(&s->settings, '{');
    for (int i = 0; i < set->count; i++)
        option_json_add(&s->settings, set->group[i].rows, set->group[i].base);
    strbuf_addc(&s->settings, '}');
    strbuf_addf(&path, "%s.ckpt", s->options->data.model);
    s->checkpoint = strbuf_detach(&path);
    if (!s->checkpoint)
        return error_set(err, ATTEND_NO_MEMORY, "out of memory for a file name");
    return strbuf_status(&s->settings, err);
}

/* ---- Whether there is something to go on from ---- */

/* One row of what is asked for and of what the checkpoint was made with. */
static enum attend_status compare_row(const struct session *s, const struct option_row *row,
                                      const void *asked, const void *made, struct attend_error *err)
{
    char a[256], b[256];
    const bool resume = s->options->data.resume;
    option_print(row, asked, a, sizeof a);
    option_print(row, made, b, sizeof b);
    if (row->local || strcmp(a, b) == 0 || (resume && row->flexible))
        return ATTEND_OK;
    return error_set(err, ATTEND_USAGE,
                     "%s holds another training: its --%s is %s, not %s; %s--overwrite to begin "
                     "anew",
                     s->options->data.model, row->name, *b ? b : "not given", *a ? a : "not given",
                     row->flexible ? "use --resume to go on with the new value, " : "use ");
}

static enum attend_status compare_settings(const struct session *s, struct attend_error *err)
{
    struct attend_options *made;
    enum attend_status status = attend_options_new(&made, "train", err);
    if (status)
        return status;
    status = option_json_read(&made->set, s->found->texts.settings, s->checkpoint, err);
    const struct option_set *asked = &s->options->set;
    for (int g = 0; g < asked->count && !status; g++)
        for (const struct option_row *row = asked->group[g].rows; row->name && !status; row++)
            status = compare_row(s, row, asked->group[g].base, made->set.group[g].base, err);
    attend_options_free(made);
    return status;
}

static enum attend_status find_checkpoint(struct session *s, struct attend_error *err)
{
    const struct data_options *d = &s->options->data;
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
                         "%s is already there, without its checkpoint %s; use --overwrite to "
                         "replace it",
                         d->model, s->checkpoint);
    if (!checkpoint)
        return ATTEND_OK;
    status = checkpoint_load(&s->found, s->checkpoint, err);
    if (!status)
        status = compare_settings(s, err);
    if (!status && s->found->progress.best_epoch && !model)
        status = error_set(err, ATTEND_USAGE,
                           "%s is gone, which %s goes with; use --overwrite to begin anew",
                           d->model, s->checkpoint);
    return status;
}

/* A run that was cut off may have left models that no checkpoint names. */
static enum attend_status clean_up(const struct session *s, struct attend_error *err)
{
    const struct kept none = {0};
    return is_first_rank(s)
               ? keep_clean(s->found ? &s->found->kept : &none, s->options->data.model, err)
               : ATTEND_OK;
}

/* With nothing left to do the text need not even be read. */
static bool is_finished(const struct session *s)
{
    const struct data_options *d = &s->options->data;
    struct train_options o = s->options->train;
    if (!d->valid && !d->valid_src && !d->split)
        o.patience = 0;
    return s->found && s->found->progress.finished &&
           trainer_reason_to_end(&o, &s->found->progress);
}

static void report_finished(const struct session *s)
{
    const struct progress *p = &s->found->progress;
    const struct attend_train_report report = {.event = ATTEND_TRAIN_FINISHED,
                                               .update = p->update,
                                               .resumed = p->update,
                                               .epoch = p->epoch,
                                               .best_epoch = p->best_epoch,
                                               .best_update = p->best_update,
                                               .reason = "there is nothing left to do"};
    if (s->hooks && s->hooks->report)
        s->hooks->report(s->hooks->context, &report);
}

/* ---- Text and network ---- */

static void pass_on(void *context, const struct attend_train_report *report);

static void note(void *context, const char *text)
{
    const struct session *s = context;
    const struct attend_train_report report = {.event = ATTEND_TRAIN_NOTE, .note = text};
    if (is_first_rank(s))
        pass_on(context, &report);
}

static enum attend_status load_data(struct session *s, struct attend_error *err)
{
    const struct train_data_job job = {.options = s->options,
                                       .given = s->found ? s->found->model : s->parent,
                                       .given_name = s->options->data.init_from,
                                       .first_rank = is_first_rank(s),
                                       .note = note,
                                       .context = s};
    const enum attend_status status = train_data_load(&s->data, &job, err);
    if (!status && s->found && strcmp(s->found->texts.data, s->data.checksum) != 0)
        return error_set(err, ATTEND_USAGE,
                         "the training text is not the one that %s was made with; give the same "
                         "text, or --overwrite to begin anew",
                         s->checkpoint);
    return status;
}

/* ---- Another model to begin with ---- */

/* What decides the vocabulary is the other model's. */
static enum attend_status check_tokens_ungiven(const struct session *s, struct attend_error *err)
{
    static const char *const names[] = {
        "normalize",           "tokenizer",          "src-tokenizer", "tgt-tokenizer",
        "vocab-size",          "subwords",           "joint-vocab",   "tokenizer-model",
        "src-tokenizer-model", "tgt-tokenizer-model"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (option_given(&s->options->set, names[i]))
            return error_set(err, ATTEND_USAGE,
                             "--%s does not go with --init-from: the vocabulary of %s is kept; "
                             "leave it out",
                             names[i], s->options->data.init_from);
    if (!s->options->data.features != !s->parent->source.tokenizer->features)
        return error_set(err, ATTEND_USAGE, "%s was trained with%s --features: train so too",
                         s->options->data.init_from,
                         s->parent->source.tokenizer->features ? "" : "out");
    return ATTEND_OK;
}

/* Sizes that the user gives must be those that the other model has. */
static enum attend_status check_sizes(const struct session *s, struct attend_error *err)
{
    for (const struct option_row *row = model_config_rows; row->name; row++) {
        char asked[64], has[64];
        option_print(row, &s->options->config, asked, sizeof asked);
        option_print(row, &s->parent->net.config, has, sizeof has);
        if (option_given(&s->options->set, row->name) && strcmp(asked, has) != 0)
            return error_set(err, ATTEND_USAGE, "--%s is %s in %s, not %s; leave it out", row->name,
                             has, s->options->data.init_from, asked);
    }
    return ATTEND_OK;
}

static enum attend_status load_parent(struct session *s, struct attend_error *err)
{
    if (!s->options->data.init_from || s->found)
        return ATTEND_OK;
    enum attend_status status = model_load_floats(&s->parent, s->options->data.init_from, err);
    if (!status)
        status = check_tokens_ungiven(s, err);
    return status ? status : check_sizes(s, err);
}

/* ---- The network ---- */

static struct model_config config_of(const struct session *s)
{
    const struct model *from = s->found ? s->found->model : s->parent;
    if (from)
        return from->net.config;
    struct model_config config = s->options->config;
    config.source_vocab = vocab_size(s->data.side[0].vocab);
    config.target_vocab = vocab_size(s->data.side[1].vocab);
    if (config.positions == 0)
        config.positions = store_longest_source(s->data.train) + 1;
    model_config_complete(&config);
    return config;
}

static enum attend_status make_net(struct session *s, struct attend_error *err)
{
    const struct model_config config = config_of(s);
    enum attend_status status = model_config_check(&config, err);
    if (!status)
        status = seq2seq_init(&s->net, &config, PACKING_TRAIN, err);
    if (status)
        return status;
    s->values = calloc(s->net.params.size, sizeof *s->values);
    s->grads = calloc(s->net.params.size, sizeof *s->grads);
    if (!s->values || !s->grads)
        return error_set(err, ATTEND_NO_MEMORY, "out of memory for %zu parameters",
                         s->net.params.size);
    if (config.copy)
        status = model_side_copies(&s->copies, &s->data.side[0], &s->data.side[1], err);
    if (status)
        return status;
    s->net.decoder.copy.target_of = s->copies;
    param_bind(&s->net.params, s->values, s->grads);
    if (s->parent)
        param_copy(&s->parent->net.params, s->values);
    else
        status = param_initialise(&s->net.params, (uint64_t)s->options->train.seed, err);
    return status;
}

/* ---- All of it ---- */

/* The log gets every report before the caller does. */
static void pass_on(void *context, const struct attend_train_report *report)
{
    const struct session *s = context;
    const char *trouble = train_log_write(s->log, report);
    const struct attend_train_report note = {.event = ATTEND_TRAIN_NOTE, .note = trouble};
    if (!s->hooks || !s->hooks->report)
        return;
    if (trouble)
        s->hooks->report(s->hooks->context, &note);
    s->hooks->report(s->hooks->context, report);
}

static bool ask_stop(void *context)
{
    const struct session *s = context;
    return s->hooks && s->hooks->stop && s->hooks->stop(s->hooks->context);
}

static enum attend_status run(struct session *s, struct attend_error *err)
{
    const struct attend_options *o = s->options;
    const struct attend_train_hooks hooks = {.report = pass_on,
                                             .stop = ask_stop,
                                             .context = s,
                                             .comm = s->hooks ? s->hooks->comm : NULL};
    return trainer_run(&(struct trainer_job){.options = &o->train,
                                             .net = &s->net,
                                             .values = s->values,
                                             .grads = s->grads,
                                             .train = s->data.train,
                                             .draws = train_draws_source(s->data.draws),
                                             .valid = s->data.valid,
                                             .source = &s->data.side[0],
                                             .target = &s->data.side[1],
                                             .model = o->data.model,
                                             .checkpoint = s->checkpoint,
                                             .texts = {s->settings.text, s->data.checksum},
                                             .resume = s->found,
                                             .hooks = &hooks},
                       err);
}

static void session_release(struct session *s)
{
    io_unlock(&s->lock);
    train_log_close(s->log);
    train_data_release(&s->data);
    checkpoint_free(s->found);
    model_free(s->parent);
    seq2seq_release(&s->net);
    strbuf_release(&s->settings);
    free(s->checkpoint);
    free(s->values);
    free(s->copies);
    free(s->grads);
}

static enum attend_status train(struct session *s, struct attend_error *err)
{
    const struct data_options *d = &s->options->data;
    enum attend_status status = load_parent(s, err);
    if (!status)
        status = load_data(s, err);
    if (!status)
        status = make_net(s, err);
    if (!status && d->log && is_first_rank(s))
        status = train_log_open(&s->log, d->log, s->found != NULL, s->settings.text, err);
    return status ? status : run(s, err);
}

enum attend_status attend_train(const struct attend_options *options,
                                const struct attend_train_hooks *hooks, struct attend_error *err)
{
    struct session s = {.options = options, .hooks = hooks, .lock = {.file = -1}};
    enum attend_status status = check_options(&options->data, err);
    if (!status)
        status = attend_options_check_files(options, err);
    if (!status)
        status = print_settings(&s, err);
    if (!status)
        status = take_model(&s, err);
    if (!status)
        status = find_checkpoint(&s, err);
    if (!status)
        status = clean_up(&s, err);
    if (!status && is_finished(&s))
        report_finished(&s);
    else if (!status)
        status = train(&s, err);
    session_release(&s);
    return status;
}
