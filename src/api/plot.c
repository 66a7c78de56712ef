#include "attend/plot.h"

#include "base/bug.h"
#include "base/io.h"
#include "base/strbuf.h"
#include "viz/curves.h"
#include "viz/matrix_plot.h"
#include "viz/term.h"

#include <math.h>
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

/* Fill x (count) and y (hypotheses, count), which one block holds, and the curves that show them.
 */
static void set_curves(struct curve *curve, double *x, const struct attend_length_row *rows,
                       int count, int hypotheses, const char *const *labels)
{
    for (int h = 0; h < hypotheses; h++) {
        double *y = x + (size_t)count * (size_t)(h + 1);
        curve[h] = (struct curve){labels[h], x, y, count, .look = h};
        for (int i = 0; i < count; i++) {
            x[i] = ((double)rows[i].from + rows[i].to) / 2;
            y[i] = rows[i].total ? 100.0 * (double)rows[i].correct[h] / (double)rows[i].total
                                 : (double)NAN;
        }
    }
}

char *attend_plot_by_length(const struct attend_length_row *rows, int count, int hypotheses,
                            const char *const *labels, enum attend_plot_format format,
                            const char *title)
{
    BUG_ON(count < 0 || hypotheses < 1 || hypotheses > ATTEND_HYPOTHESES);
    struct strbuf out = {0};
    struct curve curve[ATTEND_HYPOTHESES];
    double *points = calloc((size_t)count + 1, (1 + ATTEND_HYPOTHESES) * sizeof *points);
    if (!points)
        return NULL;
    set_curves(curve, points, rows, count, hypotheses, labels);
    const struct curves_panel panel = {.y_label = "correct lines (%)",
                                       .curve = curve,
                                       .count = hypotheses,
                                       .y_min = 0,
                                       .y_max = 100,
                                       .height = 1};
    const struct curves_plot plot = {
        .title = title, .x_label = "source words", .panel = &panel, .panels = 1};
    if (format == ATTEND_PLOT_SVG)
        curves_svg(&out, &plot);
    else
        curves_term(&out, &plot);
    free(points);
    return strbuf_detach(&out);
}

enum attend_status attend_plot_save(const char *path, const char *text, struct attend_error *err)
{
    return io_write(path, text, strlen(text), err);
}
