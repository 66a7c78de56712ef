/* Plots learning curves of training logs: the losses at the top, then a panel for each validation
 * metric. */
#include "viz/picture.h"
#include "log/training_log.h"
#include "attend/plot.h"
#include "base/bug.h"
#include "base/error.h"
#include "base/strbuf.h"
#include "viz/axis.h"
#include "viz/curves.h"
#include "viz/label.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
    POINTS_MOST = 600, /* points of a curve: about one for each pixel */
    WINDOWS = 100,     /* largest number of averaging windows along the training curve */
    METRICS_MOST = 8,  /* metrics of all logs together */
    PANELS_MOST = METRICS_MOST + 2,
};

struct picture {
    int runs;
    struct training_log *log; /* (runs) */
    char **name;              /* (runs) */
    double window;            /* updates over which the training loss is averaged; 0: no average */
    const char *metric[METRICS_MOST];
    int metrics;
    struct curve *curve[PANELS_MOST]; /* each owns its label, and one block for x and y */
    struct curves_panel panel[PANELS_MOST];
    int panels;
    bool failed; /* out of memory */
};

/* ---- Names of runs ---- */

/* The file name without folder and extension. */
static char *short_name(const char *path)
{
    const char *slash = strrchr(path, '/'), *name = slash && slash[1] ? slash + 1 : path;
    const char *dot = strrchr(name, '.');
    if (strcmp(path, "-") == 0)
        return strdup("standard input");
    return dot && dot > name ? strndup(name, (size_t)(dot - name)) : strdup(name);
}

static bool any_equal(const struct picture *p)
{
    for (int r = 0; r < p->runs; r++)
        for (int other = 0; other < r; other++)
            if (strcmp(p->name[r], p->name[other]) == 0)
                return true;
    return false;
}

/* A run is named by its file name; if two have the same, all are named by their paths. */
static void set_names(struct picture *p, const char *const *path)
{
    for (int r = 0; r < p->runs && !p->failed; r++)
        p->failed = !(p->name[r] = short_name(path[r]));
    const bool equal = !p->failed && any_equal(p);
    for (int r = 0; r < p->runs && equal && !p->failed; r++) {
        free(p->name[r]);
        p->failed = !(p->name[r] = strdup(path[r]));
    }
}

/* ---- Curves of series ---- */

/* The mean of the values at most half a window away from point i. *from is the first of them; it
 * never decreases from call to call. */
static double mean_around(const struct log_series *s, int i, double window, int *from)
{
    const double middle = s->point[i].update;
    double sum = 0;
    int count = 0;
    while (s->point[*from].update < middle - window / 2)
        ++*from;
    for (int k = *from; k < s->count && s->point[k].update <= middle + window / 2; k++, count++)
        sum += s->point[k].value;
    return sum / count;
}

/* A curve of at most POINTS_MOST points, each the mean of a window. */
static struct curve curve_of(struct picture *p, const struct log_series *s, double window)
{
    const int count = s->count < POINTS_MOST ? s->count : POINTS_MOST;
    double *x = calloc(2 * (size_t)count + 1, sizeof *x), *y = x ? x + count : NULL;
    int from = 0;
    p->failed |= !x;
    for (int k = 0; x && k < count; k++) {
        const int i = count > 1 ? (int)((long long)k * (s->count - 1) / (count - 1)) : 0;
        x[k] = s->point[i].update;
        y[k] = mean_around(s, i, window, &from);
    }
    return (struct curve){.x = x, .y = y, .count = x ? count : 0};
}

/* A round number of updates such that about WINDOWS windows cover the longest run; 0 if a window
 * would have less than two lines of the log. */
static double smoothing_window(const struct picture *p)
{
    double span = 0, closest = HUGE_VAL; /* longest run, and smallest distance of lines */
    for (int r = 0; r < p->runs; r++) {
        const struct log_series *s = &p->log[r].train;
        const double length = s->count > 1 ? s->point[s->count - 1].update - s->point[0].update : 0;
        span = fmax(span, length);
        closest = s->count > 1 ? fmin(closest, length / (s->count - 1)) : closest;
    }
    const double window = span > 0 ? axis_around(0, span, WINDOWS).step : 0;
    return window >= 2 * closest ? window : 0;
}

/* ---- Panels ---- */

/* Takes ownership of x and y; the label is copied. */
static void add_curve(struct picture *p, struct curve curve, const char *label)
{
    struct curves_panel *panel = &p->panel[p->panels - 1];
    curve.label = label ? strdup(label) : NULL;
    p->failed |= label && !curve.label;
    p->curve[p->panels - 1][panel->count++] = curve;
}

/* Begin a panel, with room for two keys and three curves of each run. False when out of memory. */
static bool begin_panel(struct picture *p, const char *y_label, double height)
{
    BUG_ON(p->panels == PANELS_MOST);
    struct curve *curve = calloc(3 * (size_t)p->runs + 2, sizeof *curve);
    p->failed |= !curve;
    if (!curve)
        return false;
    p->curve[p->panels] = curve;
    /* The picture owns the curves. NOLINTNEXTLINE(clang-analyzer-unix.Malloc) */
    p->panel[p->panels++] =
        (struct curves_panel){.y_label = y_label, .curve = curve, .height = height};
    return true;
}

static int compare(const void *a, const void *b)
{
    const double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

/* The range of the values up to a limit. */
struct extent {
    double min, max;
    double most;        /* at most a twentieth of each curve is above it */
    int inside, beyond; /* number of values up to the limit, and above it */
};

static void widen(struct extent *e, const struct curve *curve, double limit)
{
    double value[POINTS_MOST];
    int count = 0;
    for (int i = 0; i < curve->count; i++)
        if (curve->y[i] <= limit)
            value[count++] = curve->y[i];
    e->inside += count;
    e->beyond += curve->count - count;
    if (count == 0)
        return;
    qsort(value, (size_t)count, sizeof *value, compare);
    e->min = fmin(e->min, value[0]);
    e->max = fmax(e->max, value[count - 1]);
    e->most = fmax(e->most, value[count - 1 - count / 20]);
}

static struct extent extent_of(const struct curves_panel *panel, double limit)
{
    struct extent e = {.min = HUGE_VAL, .max = -HUGE_VAL, .most = -HUGE_VAL};
    for (int c = 0; c < panel->count; c++)
        widen(&e, &panel->curve[c], limit);
    return e;
}

/* The y axis covers all values up to the limit, or all values if most are above it. A steep start
 * or a peak is cut off if it would take more than a third of the panel. */
static void fit_axis(struct curves_panel *panel, double limit)
{
    struct extent e = extent_of(panel, limit);
    if (e.beyond > e.inside)
        e = extent_of(panel, HUGE_VAL);
    const bool steep = e.most > e.min && e.max - e.min > 1.5 * (e.most - e.min);
    panel->y_min = e.min;
    panel->y_max = steep ? e.most : e.max;
}

/* A model that guesses uniformly among V words has a loss of ln V nats. A loss above ln of ten
 * million words (16), or far above the loss at the start, means that training diverged; such values
 * must not squeeze the rest of the picture. */
static double loss_limit(const struct curves_panel *panel)
{
    double start = 0;
    for (int c = 0; c < panel->count; c++)
        if (panel->curve[c].count)
            start = fmax(start, panel->curve[c].y[0]);
    return fmin(fmax(1.5 * start, 8), 16);
}

static const struct log_series *find_metric(const struct training_log *log, const char *name)
{
    for (int m = 0; m < log->metrics; m++)
        if (strcmp(log->metric[m].name, name) == 0)
            return &log->metric[m].series;
    return NULL;
}

/* The legend of a run: "name, best bleu 31.20 at 1816". */
static void add_best(struct picture *p, int run, const char *metric)
{
    const struct log_series *series = find_metric(&p->log[run], metric);
    const struct log_point *best = series ? training_log_best(series) : NULL;
    if (!best)
        return;
    const double size = fabs(best->value);
    struct strbuf label = {0};
    strbuf_addf(&label, "%s, best %s ", p->name[run], metric);
    label_add_number(&label, best->value, size < 1 ? 4 : size < 10 ? 3 : 2);
    strbuf_addf(&label, " at %.0f", best->update);
    p->failed |= label.failed;
    struct log_point point = *best;
    struct curve curve = curve_of(p, &(struct log_series){.point = &point, .count = 1}, 0);
    curve.series = run;
    curve.style = CURVE_BEST;
    add_curve(p, curve, label.text);
    strbuf_release(&label);
}

static void add_key(struct picture *p, enum curve_style style, const char *label)
{
    add_curve(p, (struct curve){.series = CURVES_KEY, .style = style}, label);
}

static void add_run(struct picture *p, int run, const struct log_series *series, const char *label)
{
    struct curve curve = curve_of(p, series, 0);
    curve.series = run;
    add_curve(p, curve, label);
}

static void add_thin_run(struct picture *p, int run, const struct log_series *series, double window,
                         const char *label)
{
    struct curve curve = curve_of(p, series, window);
    curve.series = run;
    curve.style = curve.count == 1 ? CURVE_MARKED : CURVE_THIN;
    add_curve(p, curve, label);
}

/* Validation curves are added last, so that they are drawn over the training curves. */
static void add_losses(struct picture *p)
{
    char label[64] = "training";
    int train = 0, valid = 0;
    for (int r = 0; r < p->runs; r++) {
        train |= p->log[r].train.count;
        valid |= p->log[r].valid.count;
    }
    if (!(train || valid) || !begin_panel(p, "loss (nats per token)", p->metrics ? 0.8 : 1))
        return;
    if (p->window > 0)
        snprintf(label, sizeof label, "training, mean of %.0f updates", p->window);
    if (train)
        add_key(p, CURVE_THIN, label);
    if (valid)
        add_key(p, CURVE_MARKED, "validation");
    for (int r = 0; r < p->runs; r++)
        add_thin_run(p, r, &p->log[r].train, p->window, valid ? NULL : p->name[r]);
    for (int r = 0; r < p->runs && valid; r++)
        add_run(p, r, &p->log[r].valid, p->name[r]);
    for (int r = 0; r < p->runs; r++)
        add_best(p, r, "loss");
    fit_axis(&p->panel[p->panels - 1], loss_limit(&p->panel[p->panels - 1]));
}

static void add_metric(struct picture *p, const char *metric)
{
    if (!begin_panel(p, metric, 0.65))
        return;
    for (int r = 0; r < p->runs; r++) {
        const struct log_series *series = find_metric(&p->log[r], metric);
        if (series)
            add_run(p, r, series, training_log_best(series) ? NULL : p->name[r]);
    }
    for (int r = 0; r < p->runs; r++)
        add_best(p, r, metric);
    fit_axis(&p->panel[p->panels - 1], HUGE_VAL);
}

static bool varies(const struct log_series *s)
{
    for (int i = 1; i < s->count; i++)
        if (s->point[i].value < s->point[0].value || s->point[i].value > s->point[0].value)
            return true;
    return false;
}

static void add_rates(struct picture *p)
{
    bool any = false;
    for (int r = 0; r < p->runs; r++)
        any |= varies(&p->log[r].lr);
    if (!any || !begin_panel(p, "learning rate", 0.3))
        return;
    for (int r = 0; r < p->runs; r++)
        add_thin_run(p, r, &p->log[r].lr, 0, NULL);
    fit_axis(&p->panel[p->panels - 1], HUGE_VAL);
    p->panel[p->panels - 1].y_min = fmin(0, p->panel[p->panels - 1].y_min);
}

/* ---- The picture ---- */

static bool lists_metric(const struct picture *p, const char *name)
{
    for (int m = 0; m < p->metrics; m++)
        if (strcmp(p->metric[m], name) == 0)
            return true;
    return false;
}

/* List the metrics of all logs, except the loss, which has its own panel. */
static enum attend_status list_metrics(struct picture *p, struct attend_error *err)
{
    for (int r = 0; r < p->runs; r++)
        for (int m = 0; m < p->log[r].metrics; m++) {
            const struct log_metric *metric = &p->log[r].metric[m];
            if (!metric->series.count || strcmp(metric->name, "loss") == 0 ||
                lists_metric(p, metric->name))
                continue;
            if (p->metrics == METRICS_MOST)
                return error_set(err, ATTEND_FORMAT,
                                 "the logs have more than %d different metrics; draw fewer at once",
                                 METRICS_MOST);
            p->metric[p->metrics++] = metric->name;
        }
    return ATTEND_OK;
}

static enum attend_status read_logs(struct picture *p, const char *const *path,
                                    struct attend_error *err)
{
    p->log = calloc((size_t)p->runs, sizeof *p->log);
    p->name = calloc((size_t)p->runs, sizeof *p->name);
    p->failed = !p->log || !p->name;
    if (!p->failed)
        set_names(p, path);
    for (int r = 0; r < p->runs && !p->failed; r++) {
        const enum attend_status status = training_log_read(&p->log[r], path[r], err);
        if (status)
            return status;
    }
    return p->failed ? error_set(err, ATTEND_NO_MEMORY, "out of memory for the training logs")
                     : list_metrics(p, err);
}

/* The plot of the logs that were read. It borrows from p. */
static struct curves_plot plot_of(struct picture *p, const char *title, bool dark)
{
    p->window = smoothing_window(p);
    add_losses(p);
    for (int m = 0; m < p->metrics; m++)
        add_metric(p, p->metric[m]);
    add_rates(p);
    return (struct curves_plot){
        .title = title, .x_label = "updates", .panel = p->panel, .panels = p->panels, .dark = dark};
}

static void release(struct picture *p)
{
    for (int panel = 0; panel < p->panels; panel++) {
        for (int c = 0; c < p->panel[panel].count; c++) {
            free((char *)p->curve[panel][c].label);
            free((double *)p->curve[panel][c].x);
        }
        free(p->curve[panel]);
    }
    for (int r = 0; r < p->runs && p->log; r++)
        training_log_release(&p->log[r]);
    for (int r = 0; r < p->runs && p->name; r++)
        free(p->name[r]);
    free(p->log);
    free(p->name);
}

static enum attend_status no_memory(struct attend_error *err)
{
    return error_set(err, ATTEND_NO_MEMORY, "out of memory for the picture");
}

enum attend_status attend_picture_logs(const char *const *paths, int count,
                                       const struct attend_style *style,
                                       struct attend_picture **out, struct attend_error *err)
{
    struct picture p = {.runs = count};
    struct attend_picture *made = NULL;
    BUG_ON(count < 1);
    enum attend_status status = read_logs(&p, paths, err);
    if (!status) {
        const struct curves_plot plot = plot_of(&p, style->title, style->dark);
        made = p.failed ? NULL : picture_curves(&plot);
        status = made ? ATTEND_OK : no_memory(err);
    }
    if (made)
        *out = made;
    release(&p);
    return status;
}

enum attend_status attend_terminal_logs(const char *const *paths, int count,
                                        const struct attend_style *style, char **out,
                                        struct attend_error *err)
{
    struct picture p = {.runs = count};
    struct strbuf text = {0};
    char *made = NULL;
    BUG_ON(count < 1);
    enum attend_status status = read_logs(&p, paths, err);
    if (!status) {
        struct curves_plot plot = plot_of(&p, style->title, false);
        plot.width = style->width;
        if (!p.failed)
            curves_term(&text, &plot);
        made = p.failed ? NULL : strbuf_detach(&text);
        status = made ? ATTEND_OK : no_memory(err);
    }
    if (made)
        *out = made;
    strbuf_release(&text);
    release(&p);
    return status;
}
