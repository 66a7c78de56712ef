#include "attend/plot.h"

#include "base/bug.h"
#include "base/io.h"
#include "base/strbuf.h"
#include "viz/curves.h"
#include "viz/matrix_plot.h"
#include "viz/term.h"

#include <stdlib.h>
#include <string.h>

char *attend_plot_heatmap(const struct attend_translation *t, enum attend_plot_format format,
                          const char *title)
{
    struct strbuf out = {0};
    const struct matrix_plot plot = {.title = title,
                                     .source = (const char *const *)t->source,
                                     .target = (const char *const *)t->target,
                                     .weight = t->attention,
                                     .S = t->source_count,
                                     .T = t->target_count};
    if (format == ATTEND_PLOT_SVG)
        matrix_plot_svg(&out, &plot);
    else
        term_matrix(&out, &plot, format == ATTEND_PLOT_COLOUR ? TERM_TRUECOLOR : TERM_BLOCKS);
    return strbuf_detach(&out);
}

/* Fill x (count) and y (outputs, count), which one block holds, and the curves that show them; the
 * highest point. */
static double set_curves(struct curve *curve, double *x, const struct attend_length_table *table,
                         const char *const *labels)
{
    const int count = table->count;
    double highest = 0;
    for (int o = 0; o < table->outputs; o++) {
        double *y = x + (size_t)count * (size_t)(o + 1);
        curve[o] = (struct curve){labels[o], x, y, count, .look = o};
        for (int i = 0; i < count; i++) {
            x[i] = ((double)table->row[i].from + table->row[i].to) / 2;
            y[i] = table->row[i].score[o];
            highest = y[i] > highest ? y[i] : highest;
        }
    }
    return highest;
}

char *attend_plot_by_length(const struct attend_length_table *table, const char *const *labels,
                            enum attend_plot_format format, const char *title)
{
    BUG_ON(table->count < 0 || table->outputs < 1 || table->outputs > ATTEND_OUTPUTS);
    struct strbuf out = {0}, y_label = {0};
    struct curve curve[ATTEND_OUTPUTS];
    double *points = calloc((size_t)table->count + 1, (1 + ATTEND_OUTPUTS) * sizeof *points);
    if (!points)
        return NULL;
    strbuf_adds(&y_label, table->label);
    if (*table->unit)
        strbuf_addf(&y_label, " (%s)", table->unit);
    const double highest = set_curves(curve, points, table, labels);
    const struct curves_panel panel = {.y_label = y_label.text,
                                       .curve = curve,
                                       .count = table->outputs,
                                       .y_min = 0,
                                       .y_max = highest > 100 ? highest : 100,
                                       .height = 1};
    const struct curves_plot plot = {
        .title = title, .x_label = "source words", .panel = &panel, .panels = 1};
    if (format == ATTEND_PLOT_SVG)
        curves_svg(&out, &plot);
    else
        curves_term(&out, &plot);
    free(points);
    strbuf_release(&y_label);
    return strbuf_detach(&out);
}

enum attend_status attend_plot_save(const char *path, const char *text, struct attend_error *err)
{
    return io_write(path, text, strlen(text), err);
}
