#include "base/bug.h"
#include "base/strbuf.h"
#include "viz/figure.h"
#include "viz/fit.h"
#include "viz/panel.h"
#include "viz/matrix_view.h"

static void add_title(struct strbuf *out, const char *raw, const char *end)
{
    if (!raw)
        return;
    label_add(out, raw);
    strbuf_adds(out, end);
}

/* Longer labels would leave no room for the picture. */
static void cut_labels(struct panel *p)
{
    const int third = p->width / 3, half = p->width / 2 - 2;
    if (p->width == 0 || p->failed)
        return;
    fit_labels(&p->target, third > TERM_LABEL_LEAST ? third : TERM_LABEL_LEAST);
    fit_labels(&p->source, half > TERM_LABEL_LEAST ? half : TERM_LABEL_LEAST);
    p->failed = p->target.failed || p->source.failed;
}

static void add_panel(struct strbuf *out, const struct attend_matrix *matrix,
                      const struct attend_style *style, const struct theme *theme,
                      const struct matrix_view *view, enum term_palette palette)
{
    struct panel panel;
    panel_init(&panel, matrix, style, theme);
    cut_labels(&panel);
    if (panel.failed)
        out->failed = true;
    else {
        add_title(out, matrix->title, "\n");
        view->term(out, &panel, palette);
    }
    panel_release(&panel);
}

void figure_term(struct strbuf *out, const struct attend_matrix *matrix, int count,
                 const struct attend_style *style, enum term_palette palette)
{
    BUG_ON(count < 0);
    const struct theme theme = theme_of(style->dark, style->scale);
    const struct matrix_view *view = matrix_view_for(matrix, count, style);
    add_title(out, style->title, "\n\n");
    for (int i = 0; i < count; i++) {
        strbuf_adds(out, i ? "\n" : "");
        add_panel(out, &matrix[i], style, &theme, view, palette);
    }
    term_add_legend(out, &view->legend, &theme, palette, style->width);
}
