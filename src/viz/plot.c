#include "attend/plot.h"

#include "viz/picture.h"
#include "base/bug.h"
#include "base/io.h"
#include "base/strbuf.h"
#include "base/utf8.h"
#include "viz/curves.h"
#include "viz/figure.h"
#include "viz/fit.h"
#include "viz/label.h"
#include "viz/svg.h"
#include "viz/writing_plot.h"

#include <stdlib.h>
#include <string.h>

const char *const *attend_scale_names(void) { return color_scale_names; }

/* ---- Pictures ---- */

/* The picture, or NULL when its list has failed. */
static struct attend_picture *checked(struct attend_picture *picture)
{
    if (!picture->list.failed)
        return picture;
    attend_picture_free(picture);
    return NULL;
}

struct attend_picture *picture_curves(const struct curves_plot *plot)
{
    struct attend_picture *picture = calloc(1, sizeof *picture);
    if (!picture)
        return NULL;
    curves_draw(&picture->list, plot);
    return checked(picture);
}

struct attend_picture *attend_picture_matrices(const struct attend_matrix *matrices, int count,
                                               const struct attend_style *style)
{
    struct attend_picture *picture = calloc(1, sizeof *picture);
    if (!picture)
        return NULL;
    figure_draw(&picture->list, matrices, count, style);
    return checked(picture);
}

struct attend_picture *attend_picture_writing(const struct attend_trace *traces, int count,
                                              const struct attend_style *style)
{
    struct attend_picture *picture = calloc(1, sizeof *picture);
    if (!picture)
        return NULL;
    writing_draw(&picture->list, traces, count, style);
    return checked(picture);
}

char *attend_picture_svg(const struct attend_picture *picture)
{
    struct strbuf out = {0};
    svg_write(&out, &picture->list);
    return strbuf_detach(&out);
}

void attend_picture_free(struct attend_picture *picture)
{
    if (picture)
        display_list_release(&picture->list);
    free(picture);
}

char *attend_terminal_matrices(const struct attend_matrix *matrices, int count,
                               const struct attend_style *style, bool color)
{
    struct strbuf out = {0};
    figure_term(&out, matrices, count, style, color ? TERM_TRUECOLOR : TERM_BLOCKS);
    return strbuf_detach(&out);
}

/* ---- Text for a terminal ---- */

int attend_terminal_columns(const char *text)
{
    struct strbuf safe = {0};
    label_add(&safe, text);
    const int columns = safe.text ? utf8_columns(safe.text) : 0;
    strbuf_release(&safe);
    return columns;
}

char *attend_terminal_fit(const char *text, int columns)
{
    struct strbuf safe = {0}, out = {0};
    label_add(&safe, text);
    fit_add(&out, safe.text ? safe.text : "", columns);
    out.failed = out.failed || safe.failed;
    strbuf_release(&safe);
    return strbuf_detach(&out);
}

char *attend_terminal_wrap(const char *text, int width)
{
    struct strbuf out = {0};
    fit_wrap(&out, text, width);
    return strbuf_detach(&out);
}

/* ---- Scores by length ---- */

struct by_length {
    struct curve curve[ATTEND_OUTPUTS];
    double *points;        /* x (count), then y (outputs, count) */
    struct strbuf y_label; /* "BLEU (%)" */
    struct curves_panel panel;
    struct curves_plot plot;
    bool failed; /* out of memory */
};

/* Fill the points and the curves that show them; returns the highest point. */
static double set_curves(struct by_length *b, const struct attend_length_table *table,
                         const char *const *labels)
{
    const int count = table->count;
    double highest = 0, *x = b->points;
    for (int o = 0; o < table->outputs; o++) {
        double *y = x + (size_t)count * (size_t)(o + 1);
        b->curve[o] = (struct curve){labels[o], x, y, count, .series = o};
        for (int i = 0; i < count; i++) {
            x[i] = ((double)table->row[i].from + table->row[i].to) / 2;
            y[i] = table->row[i].score[o];
            highest = y[i] > highest ? y[i] : highest;
        }
    }
    return highest;
}

static void by_length_init(struct by_length *b, const struct attend_length_table *table,
                           const char *const *labels, const struct attend_style *style)
{
    BUG_ON(table->count < 0 || table->outputs < 1 || table->outputs > ATTEND_OUTPUTS);
    *b = (struct by_length){0};
    b->points = calloc((size_t)table->count + 1, (1 + ATTEND_OUTPUTS) * sizeof *b->points);
    strbuf_adds(&b->y_label, table->label);
    if (*table->unit)
        strbuf_addf(&b->y_label, " (%s)", table->unit);
    b->failed = !b->points || b->y_label.failed;
    if (b->failed)
        return;
    const double highest = set_curves(b, table, labels);
    b->panel = (struct curves_panel){.y_label = b->y_label.text,
                                     .curve = b->curve,
                                     .count = table->outputs,
                                     .y_min = 0,
                                     .y_max = highest > 0 ? highest : 100,
                                     .height = 1};
    b->plot = (struct curves_plot){.title = style->title,
                                   .x_label = "source words",
                                   .panel = &b->panel,
                                   .panels = 1,
                                   .dark = style->dark};
}

static void by_length_release(struct by_length *b)
{
    free(b->points);
    strbuf_release(&b->y_label);
}

struct attend_picture *attend_picture_by_length(const struct attend_length_table *table,
                                                const char *const *labels,
                                                const struct attend_style *style)
{
    struct by_length b;
    by_length_init(&b, table, labels, style);
    struct attend_picture *picture = b.failed ? NULL : picture_curves(&b.plot);
    by_length_release(&b);
    return picture;
}

/* ---- Files ---- */

enum attend_status attend_plot_save(const char *path, const char *text, struct attend_error *err)
{
    return io_write(path, text, strlen(text), err);
}

enum attend_status attend_plot_save_bytes(const char *path, const unsigned char *bytes, size_t size,
                                          struct attend_error *err)
{
    return io_write(path, (const char *)bytes, size, err);
}
