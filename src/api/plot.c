#include "attend/plot.h"

#include "base/io.h"
#include "base/strbuf.h"
#include "viz/matrix_plot.h"
#include "viz/term.h"

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

enum attend_status attend_plot_save(const char *path, const char *text, struct attend_error *err)
{
    return io_write(path, text, strlen(text), err);
}
