/* attend train: progress on stderr, one line that is rewritten on a terminal, plain lines
 * elsewhere. */
#include "commands.h"

#include <attend/train.h>

#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
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
    fprintf(stderr, "%ld training pairs", r->train_pairs);
    if (r->skipped_pairs)
        fprintf(stderr, " (%ld left out, empty or too long, the first in line %d)",
                r->skipped_pairs, r->first_skipped);
    fprintf(stderr, ", %ld validation pairs; vocabularies %d and %d\n", r->valid_pairs,
            r->source_vocab, r->target_vocab);
    fprintf(stderr, "%.2f million parameters, %.0f MB of memory, %d thread%s\n",
            (double)r->parameters * 1e-6, (double)r->memory * 1e-6, r->threads,
            r->threads == 1 ? "" : "s");
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

static void validated(const struct screen *screen, const struct attend_train_report *r)
{
    fprintf(stderr, "%sepoch %d  update %ld  loss %.3f  valid loss %.3f  valid accuracy %.1f%%  ",
            screen->terminal ? "\r\033[K" : "", r->epoch, r->update, r->loss, r->valid_loss,
            100 * r->valid_accuracy);
    print_time(r->seconds);
    fprintf(stderr, "%s\n", r->best ? "  best so far, saved" : "");
}

static void report(void *context, const struct attend_train_report *r)
{
    struct screen *screen = context;
    switch (r->event) {
    case ATTEND_TRAIN_STARTED: started(r); break;
    case ATTEND_TRAIN_PROGRESS: progress(screen, r); break;
    case ATTEND_TRAIN_VALIDATED: validated(screen, r); break;
    case ATTEND_TRAIN_FINISHED:
        fprintf(stderr, "%sdone in ", screen->terminal ? "\r\033[K" : "");
        print_time(r->seconds);
        fprintf(stderr, "; the model of epoch %d is saved\n", r->best_epoch);
        break;
    }
}

static bool stop(void *context)
{
    (void)context;
    return interrupted;
}

int cmd_train(const struct command *command, const struct attend_options *options,
              const char *const *operand, int count)
{
    (void)operand, (void)count;
    struct attend_error err;
    struct screen screen = {.terminal = isatty(STDERR_FILENO)};
    const struct attend_train_hooks hooks = {.report = report, .stop = stop, .context = &screen};
    signal(SIGINT, on_signal);
    signal(SIGTERM, on_signal);
    const enum attend_status status = attend_train(options, &hooks, &err);
    if (status && screen.terminal && screen.printed > 0)
        fprintf(stderr, "\n");
    return status ? args_fail(command, status, &err) : EXIT_DONE;
}
