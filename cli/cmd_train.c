/* attend train: trains a model. Progress goes to stderr: one line that is rewritten on a terminal,
 * plain lines elsewhere. */
#include "commands.h"
#include "frames.h"
#include "ranks.h"
#include "screen.h"
#include "subwords.h"

#include <attend/train.h>

#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* Seconds between progress lines when they cannot be rewritten. */
static const double PLAIN_SECONDS = 15;

static volatile sig_atomic_t interrupted; /* the number of the signal; 0: none */

static void on_signal(int number)
{
    interrupted = number;
    signal(number, SIG_DFL); /* a second signal ends the program at once */
}

struct screen {
    bool terminal;
    struct screen_line line; /* the progress line, on a terminal */
    double printed;          /* seconds: when the last plain progress line was written */
};

static void started(const struct attend_train_report *r)
{
    fprintf(stderr, "%ld training pairs, %ld validation pairs; ", r->train_pairs, r->valid_pairs);
    if (r->source_width)
        fprintf(stderr, "frames of %d numbers, vocabulary %d\n", r->source_width, r->target_vocab);
    else if (!r->target_vocab)
        fprintf(stderr, "vocabulary %d, strokes\n", r->source_vocab);
    else
        fprintf(stderr, "vocabularies %d and %d\n", r->source_vocab, r->target_vocab);
    fprintf(stderr,
            "%.2f million parameters, %.0f MB of memory with the largest batch, %d thread%s",
            (double)r->parameters * 1e-6, (double)r->memory * 1e-6, r->threads,
            r->threads == 1 ? "" : "s");
    if (r->ranks > 1)
        fprintf(stderr, " in each of %d processes", r->ranks);
    fprintf(stderr, "\n");
    if (r->resumed)
        fprintf(stderr, "resumed after update %ld, epoch %d\n", r->resumed, r->epoch);
}

/* What fits the terminal of: all; without speed; without the number of the update; percents, loss. */
enum { PROGRESS = 160 };

static void show_progress(struct screen *screen, const struct attend_train_report *r,
                          const char *all, const char *left)
{
    char shorter[3][PROGRESS];
    const char *const texts[] = {all, shorter[0], shorter[1], shorter[2], NULL};
    const double percent = 100 * r->epoch_done;
    snprintf(shorter[0], PROGRESS, "epoch %d/%d %3.0f%%  update %ld  loss %.3f  %s left", r->epoch,
             r->max_epochs, percent, r->update, r->loss, left);
    snprintf(shorter[1], PROGRESS, "epoch %d/%d %3.0f%%  loss %.3f  %s left", r->epoch,
             r->max_epochs, percent, r->loss, left);
    snprintf(shorter[2], PROGRESS, "epoch %d %3.0f%%  loss %.3f", r->epoch, percent, r->loss);
    screen_show(&screen->line, texts);
}

static void progress(struct screen *screen, const struct attend_train_report *r)
{
    char all[PROGRESS];
    const struct screen_clock left = screen_clock(r->eta);
    if (!screen->terminal && r->seconds - screen->printed < PLAIN_SECONDS)
        return;
    screen->printed = r->seconds;
    snprintf(all, sizeof all,
             "epoch %d/%d %3.0f%%  update %ld  loss %.3f  %.0f tokens/s  at most %s left", r->epoch,
             r->max_epochs, 100 * r->epoch_done, r->update, r->loss, r->tokens_per_second,
             left.text);
    if (screen->terminal)
        show_progress(screen, r, all, left.text);
    else
        fprintf(stderr, "%s\n", all);
}

static void print_metric(const struct attend_train_report *r)
{
    fprintf(stderr, "valid loss %.3f", r->valid_loss);
    if (strcmp(r->metric, "loss") != 0)
        fprintf(stderr, "  valid %s %.2f%s", r->metric_label, r->valid_metric, r->metric_unit);
}

static void validated(const struct attend_train_report *r)
{
    fprintf(stderr, "epoch %d  update %ld  loss %.3f  ", r->epoch, r->update, r->loss);
    print_metric(r);
    fprintf(stderr, "  %s%s\n", screen_clock(r->seconds).text,
            r->best ? "  best so far, saved" : "");
    for (int i = 0; i < r->samples; i++)
        fprintf(stderr, "    %s\n      -> %s%s%s\n", r->sample[i].source, r->sample[i].output,
                strcmp(r->sample[i].output, r->sample[i].target) ? "\n      != " : "",
                strcmp(r->sample[i].output, r->sample[i].target) ? r->sample[i].target : "");
}

static void averaged(const struct attend_train_report *r)
{
    fprintf(stderr, "average of the kept models: ");
    print_metric(r);
    fprintf(stderr, "%s\n", r->best ? "  best so far, saved" : "  not better, not saved");
}

static void finished(const struct attend_train_report *r)
{
    if (r->seconds > 0)
        fprintf(stderr, "done in %s, ", screen_clock(r->seconds).text);
    args_say(r->reason);
    fprintf(stderr, "; the model of epoch %d, update %ld, is saved\n", r->best_epoch,
            r->best_update);
}

static void report(void *context, const struct attend_train_report *r)
{
    struct screen *screen = context;
    if (r->event != ATTEND_TRAIN_UPDATED && r->event != ATTEND_TRAIN_STOPPED &&
        r->event != ATTEND_TRAIN_PROGRESS)
        screen_clear(&screen->line);
    switch (r->event) {
    case ATTEND_TRAIN_NOTE:
        args_say(r->note);
        putc('\n', stderr);
        break;
    case ATTEND_TRAIN_STARTED: started(r); break;
    case ATTEND_TRAIN_UPDATED:
    case ATTEND_TRAIN_STOPPED: break;
    case ATTEND_TRAIN_PROGRESS: progress(screen, r); break;
    case ATTEND_TRAIN_VALIDATED: validated(r); break;
    case ATTEND_TRAIN_AVERAGED: averaged(r); break;
    case ATTEND_TRAIN_FINISHED: finished(r); break;
    }
}

static bool stop(void *context)
{
    (void)context;
    return interrupted;
}

/* Seconds that rank 0 gets to print a message for all before another rank ends the job. */
enum { RANK_0_SECONDS = 2 };

/* Every rank fails the same way on a wrong setting or a stop; only rank 0 prints the message. Its
 * abort then ends the others, which wait for it. */
static int fail(const struct command *command, const struct ranks *ranks, enum attend_status status,
                struct attend_error *err)
{
    const bool common = status == ATTEND_USAGE || status == ATTEND_STOPPED;
    if (ranks->comm.rank == 0)
        return args_fail(command, status, err);
    if (!common)
        fprintf(stderr, "attend %s: process %d: %s\n", command->name, ranks->comm.rank,
                err->message);
    if (status == ATTEND_USAGE)
        sleep(RANK_0_SECONDS);
    return status == ATTEND_USAGE ? EXIT_USAGE : EXIT_FAILED;
}

/* ---- The command ---- */

static bool same_value(const struct attend_setting *row, const void *a, const void *b)
{
    const char *const x = (const char *)a + row->offset, *const y = (const char *)b + row->offset;
    switch (row->kind) {
    case ATTEND_SETTING_FLAG: return *(const bool *)x == *(const bool *)y;
    case ATTEND_SETTING_INT: return *(const int *)x == *(const int *)y;
    default: return strcmp(*(const char *const *)x, *(const char *const *)y) == 0;
    }
}

/* Whether a setting of the network was given explicitly, with its default as the value. */
static bool gives_default(const struct flags *flags, const struct attend_setting_info *info)
{
    const struct attend_network_options usual = attend_network_defaults();
    return info->options == &flags->network &&
           attend_settings_given(flags->settings, info->row->name) &&
           same_value(info->row, &flags->network, &usual);
}

/* With --init-from, a given shape must be that of the model. The library refuses values that differ
 * from the defaults; a default that was given explicitly is known only here. A model that cannot be
 * loaded is the library's to report: a resumed run does not need it. */
static enum attend_status check_shape(const struct flags *flags, struct attend_error *err)
{
    struct attend_network_options has = {.size = 0};
    struct attend_setting_info info;
    struct attend_model *model = NULL;
    enum attend_status status = ATTEND_OK;
    for (int i = 0;
         flags->train.init_from && !status && attend_settings_describe(flags->settings, i, &info);
         i++) {
        if (!gives_default(flags, &info))
            continue;
        if (!model && attend_model_load(&model, flags->train.init_from, err))
            return ATTEND_OK;
        has.size = sizeof has;
        attend_model_network(model, &has);
        if (!same_value(info.row, &flags->network, &has)) {
            snprintf(err->message, sizeof err->message, "--%s differs from %.300s; leave it out",
                     info.row->name, flags->train.init_from);
            status = ATTEND_USAGE;
        }
    }
    attend_model_free(model);
    return status;
}

/* The reader of the frames that the run reads; NULL: it reads text. */
static const char *reader_of(const struct flags *flags)
{
    struct attend_model *model;
    struct attend_error err;
    if (!flags->train.init_from || attend_model_load(&model, flags->train.init_from, &err))
        return flags->data.src_tokenizer;
    const char *reader = attend_model_info(model).frames; /* a static text */
    attend_model_free(model);
    return reader;
}

static enum attend_status train(const struct flags *flags, const struct attend_train_hooks *hooks,
                                struct attend_error *err)
{
    struct attend_data_options data = flags->data;
    struct attend_network_options network = flags->network;
    struct attend_frame_options options = flags->frames;
    struct frame_modules modules = {0};
    const char *reader = reader_of(flags);
    options.modules = reader ? frame_modules_load(&modules, reader) : NULL;
    data.frames = &options;
    /* A pen moves forward over its text. */
    const bool writes = data.tgt_tokenizer && strcmp(data.tgt_tokenizer, "ink") == 0;
    if (writes && !attend_settings_given(flags->settings, "attention"))
        network.attention = "window";
    return attend_train(&data, &network, &flags->train, hooks, err);
}

int cmd_train(const struct command *command, const struct flags *flags, const char *const *operand,
              int count)
{
    (void)operand, (void)count;
    struct attend_error err;
    struct screen screen = {.terminal = isatty(STDERR_FILENO)};
    struct ranks ranks;
    struct attend_train_hooks hooks = {
        .report = report, .stop = stop, .context = &screen, .learn_subwords = subwords_learn};
    enum attend_status status = ranks_join(&ranks, &err);
    signal(SIGINT, on_signal);
    signal(SIGTERM, on_signal);
    hooks.comm = ranks.comm.size ? &ranks.comm : NULL;
    if (!status)
        status = check_shape(flags, &err);
    if (!status)
        status = train(flags, &hooks, &err);
    if (status && screen.line.columns > 0)
        fprintf(stderr, "\n");
    int code = status ? fail(command, &ranks, status, &err) : EXIT_DONE;
    if (status == ATTEND_STOPPED && interrupted)
        code = EXIT_SIGNAL + interrupted;
    ranks_leave(&ranks, status && status != ATTEND_STOPPED);
    return code;
}
