/* attend distill: translates training text with a model or an ensemble, for one model to learn
 * from. */
#include "commands.h"
#include "screen.h"
#include "session.h"

#include <attend/distill.h>

#include <signal.h>
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

static bool asked(void *context)
{
    (void)context;
    return interrupted;
}

struct telling {
    bool terminal, begun;
    struct screen_line line; /* on a terminal */
    double printed;          /* seconds: when the last plain line was written */
    struct attend_distill_report last;
};

static void begin(struct telling *t, const struct attend_distill_report *r)
{
    t->begun = true;
    fprintf(stderr, "%ld lines to translate", r->lines);
    if (r->resumed)
        fprintf(stderr, ", %ld of them done before", r->resumed);
    fprintf(stderr, "\n");
}

static void progress(struct telling *t, const struct attend_distill_report *r)
{
    char all[160], less[80];
    const double speed = r->seconds > 0 ? (double)(r->done - r->resumed) / r->seconds : 0;
    const double left = speed > 0 ? (double)(r->lines - r->done) / speed : 0;
    const double percent = 100.0 * (double)r->done / (double)r->lines;
    snprintf(less, sizeof less, "%3.0f%%  %s left", percent, screen_clock(left).text);
    snprintf(all, sizeof all, "%3.0f%%  line %ld of %ld  %.1f lines/s  %s left", percent, r->done,
             r->lines, speed, screen_clock(left).text);
    if (t->terminal) {
        screen_show(&t->line, (const char *const[]){all, less, NULL});
    } else if (r->seconds - t->printed >= PLAIN_SECONDS) {
        fprintf(stderr, "%s\n", all);
        t->printed = r->seconds;
    }
}

static void report(void *context, const struct attend_distill_report *r)
{
    struct telling *t = context;
    if (r->note) {
        args_say(r->note);
        fprintf(stderr, "\n");
        return;
    }
    t->last = *r;
    if (!t->begun)
        begin(t, r);
    else if (r->done < r->lines)
        progress(t, r);
}

/* What to do with the result. */
static void end(const struct attend_distill_options *o, const struct attend_distill_report *r)
{
    fprintf(stderr, "%ld rows of %ld lines in %s\n", r->rows, r->lines, o->output);
    if (r->cut_off)
        fprintf(stderr, "%ld translations met the length limit (--max-length) and were left out\n",
                r->cut_off);
    fprintf(stderr, "train on them: attend train --train %s --columns src,tgt%s%s", o->output,
            o->features ? ",features" : "", o->language_columns ? ",from,to" : "");
    fprintf(stderr, "%s%s\n", o->features ? " --features features" : "",
            o->language_columns ? " --language-columns from,to" : "");
}

static int stopped(const struct command *command, const struct telling *t)
{
    fprintf(stderr, "attend %s: stopped after %ld of %ld lines; the same command continues\n",
            command->name, t->last.done, t->last.lines);
    return 128 + interrupted;
}

static int run(const struct command *command, const struct flags *flags, struct session *session)
{
    const struct attend_stop stop = {asked, NULL};
    struct telling telling = {.terminal = isatty(STDERR_FILENO)};
    const struct attend_distill_hooks hooks = {.report = report, .context = &telling};
    struct attend_error err;
    signal(SIGINT, on_signal);
    signal(SIGTERM, on_signal);
    attend_translator_stop(session->translator, &stop);
    const enum attend_status status =
        attend_distill(session->translator, &flags->distill, &hooks, &err);
    screen_clear(&telling.line);
    attend_translator_stop(session->translator, NULL);
    if (status == ATTEND_STOPPED && interrupted)
        return stopped(command, &telling);
    if (status)
        return args_fail(command, status, &err);
    end(&flags->distill, &telling.last);
    return EXIT_DONE;
}

int cmd_distill(const struct command *command, const struct flags *flags,
                const char *const *operand, int count)
{
    const struct attend_distill_options *o = &flags->distill;
    struct session session = {0};
    (void)operand;
    (void)count;
    if (!args_need(command, flags->models ? flags->models[0] : NULL, "model") ||
        !args_need(command, o->output, "output"))
        return EXIT_USAGE;
    if (o->train ? o->train_src || o->train_tgt : !o->train_src)
        return args_usage(command,
                          "--train, or --train-src with or without --train-tgt, is needed");
    int code = session_load(&session, command, flags);
    if (code == EXIT_DONE && !o->language_columns)
        code = session_point(&session, command);
    if (code == EXIT_DONE)
        code = run(command, flags, &session);
    session_close(&session);
    return code;
}
