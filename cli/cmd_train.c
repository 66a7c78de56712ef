/* attend train: progress on stderr, one line that is rewritten on a terminal, plain lines
 * elsewhere. */
#include "commands.h"
#include "ranks.h"

#include <attend/train.h>

#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* Seconds between progress lines when they cannot be rewritten. */
static const double PLAIN_SECONDS = 15;

static volatile sig_atomic_t interrupted;

static void on_signal(int number)
{
    interrupted = 1;
    signal(number, SIG_DFL); /* a second one ends the program at once */
}

struct screen {
    bool terminal;
    double printed; /* seconds: when the last plain progress line was written */
};

static void print_time(double seconds)
{
    const long s = (long)(seconds + 0.5);
    if (s < 3600)
        fprintf(stderr, "%ld:%02ld", s / 60, s % 60);
    else
        fprintf(stderr, "%ld:%02ld:%02ld", s / 3600, s / 60 % 60, s % 60);
}

static void started(const struct attend_train_report *r)
{
    fprintf(stderr, "%ld training pairs, %ld validation pairs; vocabularies %d and %d\n",
            r->train_pairs, r->valid_pairs, r->source_vocab, r->target_vocab);
    fprintf(stderr,
            "%.2f million parameters, %.0f MB of memory with the largest batch, %d thread%s",
            (double)r->parameters * 1e-6, (double)r->memory * 1e-6, r->threads,
            r->threads == 1 ? "" : "s");
    if (r->ranks > 1)
        fprintf(stderr, " in each of %d processes", r->ranks);
    fprintf(stderr, "\n");
    if (r->resumed)
        fprintf(stderr, "going on after update %ld, epoch %d\n", r->resumed, r->epoch);
}

static void progress(struct screen *screen, const struct attend_train_report *r)
{
    if (!screen->terminal && r->seconds - screen->printed < PLAIN_SECONDS)
        return;
    screen->printed = r->seconds;
    fprintf(stderr, "%sepoch %d/%d %3.0f%%  update %ld  loss %.3f  %.0f tokens/s  at most ",
            screen->terminal ? "\r\033[K" : "", r->epoch, r->max_epochs, 100 * r->epoch_done,
            r->update, r->loss, r->tokens_per_second);
    print_time(r->eta);
    fprintf(stderr, " left%s", screen->terminal ? "" : "\n");
}

static void print_metric(const struct attend_train_report *r)
{
    fprintf(stderr, "valid loss %.3f", r->valid_loss);
    if (strcmp(r->metric, "loss") != 0)
        fprintf(stderr, "  valid %s %.2f%s", r->metric_label, r->valid_metric, r->metric_unit);
}

static void validated(const struct screen *screen, const struct attend_train_report *r)
{
    fprintf(stderr, "%sepoch %d  update %ld  loss %.3f  ", screen->terminal ? "\r\033[K" : "",
            r->epoch, r->update, r->loss);
    print_metric(r);
    fprintf(stderr, "  ");
    print_time(r->seconds);
    fprintf(stderr, "%s\n", r->best ? "  best so far, saved" : "");
    for (int i = 0; i < r->samples; i++)
        fprintf(stderr, "    %s\n      -> %s%s%s\n", r->sample[i].source, r->sample[i].output,
                strcmp(r->sample[i].output, r->sample[i].target) ? "\n      != " : "",
                strcmp(r->sample[i].output, r->sample[i].target) ? r->sample[i].target : "");
}

static void averaged(const struct attend_train_report *r)
{
    fprintf(stderr, "average of the kept models: ");
    print_metric(r);
    fprintf(stderr, "%s\n", r->best ? "  best so far, saved" : "  not better, not taken");
}

static void finished(const struct screen *screen, const struct attend_train_report *r)
{
    fprintf(stderr, "%s", screen->terminal ? "\r\033[K" : "");
    if (r->seconds > 0) {
        fprintf(stderr, "done in ");
        print_time(r->seconds);
        fprintf(stderr, ", ");
    }
    fprintf(stderr, "%s; the model of epoch %d, update %ld, is saved\n", r->reason, r->best_epoch,
            r->best_update);
}

static void report(void *context, const struct attend_train_report *r)
{
    struct screen *screen = context;
    switch (r->event) {
    case ATTEND_TRAIN_NOTE: fprintf(stderr, "%s\n", r->note); break;
    case ATTEND_TRAIN_STARTED: started(r); break;
    case ATTEND_TRAIN_UPDATED:
    case ATTEND_TRAIN_STOPPED: break;
    case ATTEND_TRAIN_PROGRESS: progress(screen, r); break;
    case ATTEND_TRAIN_VALIDATED: validated(screen, r); break;
    case ATTEND_TRAIN_AVERAGED: averaged(r); break;
    case ATTEND_TRAIN_FINISHED: finished(screen, r); break;
    }
}

static bool stop(void *context)
{
    (void)context;
    return interrupted;
}

/* What every process has met, a wrong setting or a stop, the first one tells alone. */
static int fail(const struct command *command, const struct ranks *ranks, enum attend_status status,
                struct attend_error *err)
{
    const bool common = status == ATTEND_USAGE || status == ATTEND_STOPPED;
    if (ranks->comm.rank == 0)
        return args_fail(command, status, err);
    if (!common)
        fprintf(stderr, "attend %s: process %d: %s\n", command->name, ranks->comm.rank,
                err->message);
    return common && status == ATTEND_USAGE ? EXIT_USAGE : EXIT_FAILED;
}

int cmd_train(const struct command *command, const struct attend_options *options,
              const char *const *operand, int count)
{
    (void)operand, (void)count;
    struct attend_error err;
    struct screen screen = {.terminal = isatty(STDERR_FILENO)};
    struct ranks ranks;
    struct attend_train_hooks hooks = {.report = report, .stop = stop, .context = &screen};
    enum attend_status status = ranks_join(&ranks, &err);
    signal(SIGINT, on_signal);
    signal(SIGTERM, on_signal);
    hooks.comm = ranks.comm.size ? &ranks.comm : NULL;
    if (!status)
        status = attend_train(options, &hooks, &err);
    if (status && screen.terminal && screen.printed > 0)
        fprintf(stderr, "\n");
    const int code = status ? fail(command, &ranks, status, &err) : EXIT_DONE;
    ranks_leave(&ranks, status && status != ATTEND_STOPPED);
    return code;
}
