#include "log/log_writer.h"

#include "base/error.h"
#include "base/json_writer.h"
#include "base/strbuf.h"
#include "base/usage.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

struct train_log {
    FILE *file; /* unbuffered: each line is one write */
    const char *settings;
    bool told; /* a failed write was reported */
    char trouble[128];
};

/* End the incomplete line that a killed run may have left. After reading, a stream needs a seek
 * before it can be written. */
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

static void put_number(struct json_writer *w, const char *name, double value)
{
    json_put_number(w, name, value, 10);
}

static void put_text(struct json_writer *w, const char *name, const char *text)
{
    json_put_text(w, name, text ? text : "");
}

static void begin(struct json_writer *w, const char *event)
{
    json_begin_object(w, NULL);
    json_put_text(w, "event", event);
}

static void put_time(struct json_writer *w)
{
    char text[32] = "";
    const time_t now = time(NULL);
    struct tm utc;
    if (gmtime_r(&now, &utc))
        strftime(text, sizeof text, "%Y-%m-%dT%H:%M:%SZ", &utc);
    json_put_text(w, "time", text);
}

/* ---- Events ---- */

static void put_start(struct json_writer *w, const struct train_log *log,
                      const struct attend_train_report *r)
{
    begin(w, r->resumed ? "resume" : "start");
    put_time(w);
    json_put_raw(w, "settings", log->settings);
    put_number(w, "update", (double)r->update);
    put_number(w, "train_pairs", (double)r->train_pairs);
    put_number(w, "valid_pairs", (double)r->valid_pairs);
    put_number(w, "source_vocab", r->source_vocab);
    put_number(w, "target_vocab", r->target_vocab);
    put_number(w, "parameters", (double)r->parameters);
    put_number(w, "memory", (double)r->memory);
    put_number(w, "threads", r->threads);
    put_number(w, "ranks", r->ranks);
}

static void put_progress(struct json_writer *w, const struct attend_train_report *r)
{
    begin(w, "progress");
    put_number(w, "update", (double)r->update);
    put_number(w, "epoch", r->epoch);
    put_number(w, "loss", r->update_loss);
    put_number(w, "lr", r->lr);
    put_number(w, "norm", r->norm);
    put_number(w, "tokens_per_second", r->tokens_per_second);
    put_number(w, "seconds", r->seconds);
}

static void put_samples(struct json_writer *w, const struct attend_train_report *r)
{
    json_begin_array(w, "samples");
    for (int i = 0; i < r->samples; i++) {
        json_begin_object(w, NULL);
        put_text(w, "source", r->sample[i].source);
        put_text(w, "target", r->sample[i].target);
        put_text(w, "output", r->sample[i].output);
        json_end(w);
    }
    json_end(w);
}

static void put_validation(struct json_writer *w, const char *event,
                           const struct attend_train_report *r)
{
    begin(w, event);
    put_number(w, "update", (double)r->update);
    put_number(w, "epoch", r->epoch);
    put_number(w, "train_loss", r->loss);
    put_number(w, "loss", r->valid_loss);
    put_text(w, "metric", r->metric);
    put_number(w, "value", r->valid_metric);
    json_put_flag(w, "best", r->best);
    put_number(w, "seconds", r->seconds);
    put_samples(w, r);
}

static void put_end(struct json_writer *w, const char *event, const struct attend_train_report *r)
{
    begin(w, event);
    put_time(w);
    put_number(w, "update", (double)r->update);
    put_text(w, "reason", r->reason);
    put_number(w, "best_update", (double)r->best_update);
    put_number(w, "seconds", r->seconds);
    put_number(w, "memory_mb", usage_peak_mb());
}

/* Write a line completely or not at all: half a line would make the log unreadable if there is
 * space again later. */
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

/* Append the line of a report; false for reports that are not logged. */
static bool add_report(struct strbuf *line, const struct train_log *log,
                       const struct attend_train_report *r)
{
    struct json_writer w = {.out = line};
    switch (r->event) {
    case ATTEND_TRAIN_STARTED: put_start(&w, log, r); break;
    case ATTEND_TRAIN_UPDATED: put_progress(&w, r); break;
    case ATTEND_TRAIN_VALIDATED: put_validation(&w, "validation", r); break;
    case ATTEND_TRAIN_AVERAGED: put_validation(&w, "average", r); break;
    case ATTEND_TRAIN_STOPPED: put_end(&w, "stop", r); break;
    case ATTEND_TRAIN_FINISHED: put_end(&w, "end", r); break;
    case ATTEND_TRAIN_NOTE:
        begin(&w, "note");
        put_text(&w, "text", r->note);
        break;
    case ATTEND_TRAIN_PROGRESS: return false;
    }
    json_end(&w);
    strbuf_addc(line, '\n');
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
