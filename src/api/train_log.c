#include "api/train_log.h"

#include "base/error.h"
#include "base/json.h"
#include "base/strbuf.h"
#include "base/usage.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

struct train_log {
    FILE *file; /* unbuffered: each line is one write */
    const char *settings;
    bool told; /* that it cannot be written */
    char trouble[128];
};

/* A run that was killed may have left half a line. A stream that was read needs a seek before it is
 * written. */
static void end_last_line(FILE *file)
{
    const bool half = fseek(file, -1, SEEK_END) == 0 && fgetc(file) != '\n';
    fseek(file, 0, SEEK_END);
    if (half)
        fputc('\n', file);
}

enum attend_status train_log_open(struct train_log **out, const char *path, bool append,
                                  const char *settings, struct attend_error *err)
{
    struct train_log *log = calloc(1, sizeof *log);
    if (!log)
        return error_set(err, ATTEND_NO_MEMORY, "%s: out of memory", path);
    *log = (struct train_log){.file = fopen(path, append ? "a+e" : "we"), .settings = settings};
    if (!log->file) {
        free(log);
        return error_set(err, ATTEND_IO, "%s: cannot be written: %s", path, strerror(errno));
    }
    setvbuf(log->file, NULL, _IONBF, 0);
    if (append)
        end_last_line(log->file);
    *out = log;
    return ATTEND_OK;
}

void train_log_close(struct train_log *log)
{
    if (!log)
        return;
    fclose(log->file);
    free(log);
}

/* ---- Members ---- */

/* JSON has no infinity and no NaN. */
static void add_number(struct strbuf *s, const char *name, double value)
{
    if (isfinite(value))
        strbuf_addf(s, ",\"%s\":%.10g", name, value);
    else
        strbuf_addf(s, ",\"%s\":null", name);
}

static void add_text(struct strbuf *s, const char *name, const char *text)
{
    strbuf_addf(s, ",\"%s\":", name);
    json_add_text(s, text ? text : "");
}

static void begin(struct strbuf *s, const char *event)
{
    strbuf_addf(s, "{\"event\":\"%s\"", event);
}

static void add_time(struct strbuf *s)
{
    char text[32] = "";
    const time_t now = time(NULL);
    struct tm utc;
    if (gmtime_r(&now, &utc))
        strftime(text, sizeof text, "%Y-%m-%dT%H:%M:%SZ", &utc);
    add_text(s, "time", text);
}

/* ---- Events ---- */

static void add_start(struct strbuf *s, const struct train_log *log,
                      const struct attend_train_report *r)
{
    begin(s, r->resumed ? "resume" : "start");
    add_time(s);
    strbuf_addf(s, ",\"settings\":%s", log->settings);
    add_number(s, "update", (double)r->update);
    add_number(s, "train_pairs", (double)r->train_pairs);
    add_number(s, "valid_pairs", (double)r->valid_pairs);
    add_number(s, "source_vocab", r->source_vocab);
    add_number(s, "target_vocab", r->target_vocab);
    add_number(s, "parameters", (double)r->parameters);
    add_number(s, "memory", (double)r->memory);
    add_number(s, "threads", r->threads);
    add_number(s, "ranks", r->ranks);
}

static void add_progress(struct strbuf *s, const struct attend_train_report *r)
{
    begin(s, "progress");
    add_number(s, "update", (double)r->update);
    add_number(s, "epoch", r->epoch);
    add_number(s, "loss", r->update_loss);
    add_number(s, "lr", r->lr);
    add_number(s, "norm", r->norm);
    add_number(s, "tokens_per_second", r->tokens_per_second);
    add_number(s, "seconds", r->seconds);
}

static void add_samples(struct strbuf *s, const struct attend_train_report *r)
{
    strbuf_adds(s, ",\"samples\":[");
    for (int i = 0; i < r->samples; i++) {
        strbuf_adds(s, i ? ",{\"source\":" : "{\"source\":");
        json_add_text(s, r->sample[i].source);
        add_text(s, "target", r->sample[i].target);
        add_text(s, "output", r->sample[i].output);
        strbuf_addc(s, '}');
    }
    strbuf_addc(s, ']');
}

static void add_validation(struct strbuf *s, const char *event, const struct attend_train_report *r)
{
    begin(s, event);
    add_number(s, "update", (double)r->update);
    add_number(s, "epoch", r->epoch);
    add_number(s, "train_loss", r->loss);
    add_number(s, "loss", r->valid_loss);
    add_text(s, "metric", r->metric);
    add_number(s, "value", r->valid_metric);
    strbuf_addf(s, ",\"best\":%s", r->best ? "true" : "false");
    add_number(s, "seconds", r->seconds);
    add_samples(s, r);
}

static void add_end(struct strbuf *s, const char *event, const struct attend_train_report *r)
{
    begin(s, event);
    add_time(s);
    add_number(s, "update", (double)r->update);
    add_text(s, "reason", r->reason);
    add_number(s, "best_update", (double)r->best_update);
    add_number(s, "seconds", r->seconds);
    add_number(s, "memory_mb", usage_peak_mb());
}

/* Only whole lines stay: half a line would make the log unreadable if there is room again later. */
static bool put(struct train_log *log, const struct strbuf *line)
{
    const off_t end = ftello(log->file);
    errno = 0;
    if (!line->failed && fwrite(line->text, 1, line->length, log->file) == line->length)
        return true;
    const int reason = errno;
    clearerr(log->file);
    if (end >= 0 && ftruncate(fileno(log->file), end) == 0)
        fseeko(log->file, end, SEEK_SET);
    snprintf(log->trouble, sizeof log->trouble, "the log cannot be written, lines are missing: %s",
             line->failed ? "out of memory" : strerror(reason));
    return false;
}

/* False for what is not logged. */
static bool add_report(struct strbuf *line, const struct train_log *log,
                       const struct attend_train_report *r)
{
    switch (r->event) {
    case ATTEND_TRAIN_STARTED: add_start(line, log, r); break;
    case ATTEND_TRAIN_UPDATED: add_progress(line, r); break;
    case ATTEND_TRAIN_VALIDATED: add_validation(line, "validation", r); break;
    case ATTEND_TRAIN_AVERAGED: add_validation(line, "average", r); break;
    case ATTEND_TRAIN_STOPPED: add_end(line, "stop", r); break;
    case ATTEND_TRAIN_FINISHED: add_end(line, "end", r); break;
    case ATTEND_TRAIN_NOTE:
        begin(line, "note");
        add_text(line, "text", r->note);
        break;
    case ATTEND_TRAIN_PROGRESS: return false;
    }
    strbuf_adds(line, "}\n");
    return true;
}

const char *train_log_write(struct train_log *log, const struct attend_train_report *r)
{
    struct strbuf line = {0};
    if (!log || !add_report(&line, log, r))
        return NULL;
    const bool silent = put(log, &line) || log->told;
    log->told = log->told || !silent;
    strbuf_release(&line);
    return silent ? NULL : log->trouble;
}
