#include "log/training_log.h"

#include "base/error.h"
#include "base/io.h"
#include "base/json.h"
#include "base/strbuf.h"

#include <limits.h>
#include <math.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

/* Numbers beyond this are not drawn. */
static const double largest = 1e9;

struct reader {
    const char *path;
    struct training_log log;
    struct log_series epoch_train; /* training loss of validation lines */
    long line;
    bool broken; /* the previous line could not be read; `why` has the reason */
    struct attend_error why;
    bool failed; /* out of memory */
};

/* ---- Series ---- */

static bool grow(struct log_series *s)
{
    if (s->count < s->size)
        return true;
    const int size = s->size ? 2 * s->size : 64;
    struct log_point *point =
        s->size < INT_MAX / 2 ? realloc(s->point, (size_t)size * sizeof *point) : NULL;
    if (!point)
        return false;
    s->point = point;
    s->size = size;
    return true;
}

static void add_point(struct reader *r, struct log_series *s, const struct json *event,
                      const char *member)
{
    const double update = json_number(json_member(event, "update"));
    const double value = json_number(json_member(event, member));
    if (!(update >= 0 && update <= largest && fabs(value) <= largest))
        return;
    r->failed |= !grow(s);
    if (!r->failed)
        s->point[s->count++] =
            (struct log_point){update, value, r->line, json_flag(json_member(event, "best"))};
}

static int compare(const void *a, const void *b)
{
    const struct log_point *p = a, *q = b;
    const int by_update = (p->update > q->update) - (p->update < q->update);
    return by_update ? by_update : (p->line > q->line) - (p->line < q->line);
}

/* Sort by update; of several points with the same update, keep the last. */
static void put_in_order(struct log_series *s)
{
    int kept = 0;
    if (s->count)
        qsort(s->point, (size_t)s->count, sizeof *s->point, compare);
    for (int i = 0; i < s->count; i++)
        if (i + 1 == s->count || s->point[i + 1].update > s->point[i].update)
            s->point[kept++] = s->point[i];
    s->count = kept;
}

const struct log_point *training_log_best(const struct log_series *s)
{
    for (int i = s->count - 1; i >= 0; i--)
        if (s->point[i].best)
            return &s->point[i];
    return NULL;
}

/* ---- Events ---- */

/* The series of a metric, which is added if it is new; NULL when there are too many metrics. */
static struct log_series *metric_series(struct training_log *log, const char *name)
{
    char cut[LOG_NAME];
    snprintf(cut, sizeof cut, "%s", name);
    for (int m = 0; m < log->metrics; m++)
        if (strcmp(log->metric[m].name, cut) == 0)
            return &log->metric[m].series;
    if (log->metrics == LOG_METRICS)
        return NULL;
    struct log_metric *metric = &log->metric[log->metrics++];
    memcpy(metric->name, cut, sizeof cut);
    return &metric->series;
}

static void take_metric(struct reader *r, const struct json *event)
{
    const char *name = json_text(json_member(event, "metric"));
    struct log_series *series = name && *name ? metric_series(&r->log, name) : NULL;
    if (series)
        add_point(r, series, event, "value");
}

static void take_event(struct reader *r, const struct json *event, const char *kind)
{
    const struct {
        const char *kind, *member;
        struct log_series *series;
    } sources[] = {
        {"progress", "loss", &r->log.train},
        {"progress", "lr", &r->log.lr},
        {"validation", "loss", &r->log.valid},
        {"validation", "train_loss", &r->epoch_train},
    };
    for (size_t i = 0; i < sizeof sources / sizeof *sources; i++)
        if (strcmp(kind, sources[i].kind) == 0)
            add_point(r, sources[i].series, event, sources[i].member);
    if (strcmp(kind, "validation") == 0)
        take_metric(r, event);
}

/* ---- Lines ---- */

/* A line that cannot be parsed may be incomplete because the run was killed. It is an error only if
 * the next line shows that this was not the case. */
static enum attend_status read_line(struct reader *r, const char *bytes, size_t length,
                                    struct attend_error *err)
{
    char name[sizeof r->why.message / 2];
    struct json *event = NULL;
    struct attend_error why;
    snprintf(name, sizeof name, "%s: line %ld", r->path, r->line);
    enum attend_status status = json_parse(&event, bytes, length, name, &why);
    const char *text = json_text(json_member(event, "event")), *kind = text ? text : "";
    if (status == ATTEND_NO_MEMORY) {
        *err = why;
    } else if (r->broken && strcmp(kind, "resume") != 0) {
        status = error_set(err, ATTEND_FORMAT, "%s", r->why.message);
    } else {
        r->broken = status;
        r->why = why;
        take_event(r, event, kind);
        status =
            r->failed ? error_set(err, ATTEND_NO_MEMORY, "%s: out of memory", name) : ATTEND_OK;
    }
    json_free(event);
    return status;
}

static enum attend_status read_lines(struct reader *r, const struct strbuf *bytes,
                                     struct attend_error *err)
{
    enum attend_status status = ATTEND_OK;
    for (size_t from = 0; from < bytes->length && !status;) {
        const char *line = bytes->text + from, *end = memchr(line, '\n', bytes->length - from);
        const size_t length = end ? (size_t)(end - line) : bytes->length - from;
        r->line++;
        if (strspn(line, " \t\r") < length)
            status = read_line(r, line, length, err);
        from += length + 1;
    }
    return status;
}

/* Sort all series; it is an error if there is nothing to draw. */
static enum attend_status finish(struct reader *r, struct attend_error *err)
{
    struct training_log *log = &r->log;
    if (!log->train.count) {
        const struct log_series none = log->train;
        log->train = r->epoch_train;
        r->epoch_train = none;
    }
    int points = log->train.count + log->valid.count;
    for (int m = 0; m < log->metrics; m++)
        points |= log->metric[m].series.count;
    if (!r->line)
        return error_set(err, ATTEND_FORMAT, "%s: the training log is empty", r->path);
    if (!points && r->broken)
        return error_set(err, ATTEND_FORMAT, "%s", r->why.message);
    if (!points)
        return error_set(err, ATTEND_FORMAT,
                         "%s: nothing to draw: none of its lines is a progress or validation event "
                         "of a training log",
                         r->path);
    put_in_order(&log->train);
    put_in_order(&log->lr);
    put_in_order(&log->valid);
    for (int m = 0; m < log->metrics; m++)
        put_in_order(&log->metric[m].series);
    return ATTEND_OK;
}

enum attend_status training_log_read(struct training_log *out, const char *path,
                                     struct attend_error *err)
{
    struct reader r = {.path = path};
    struct strbuf bytes = {0};
    enum attend_status status = io_read(path, &bytes, err);
    if (!status)
        status = read_lines(&r, &bytes, err);
    if (!status)
        status = finish(&r, err);
    if (!status) {
        *out = r.log;
        r.log = (struct training_log){0};
    }
    free(r.epoch_train.point);
    training_log_release(&r.log);
    strbuf_release(&bytes);
    return status;
}

void training_log_release(struct training_log *log)
{
    free(log->train.point);
    free(log->lr.point);
    free(log->valid.point);
    for (int m = 0; m < log->metrics; m++)
        free(log->metric[m].series.point);
    *log = (struct training_log){0};
}
