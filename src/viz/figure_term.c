#include "base/bug.h"
#include "base/strbuf.h"
#include "viz/figure.h"
#include "viz/panel.h"
#include "viz/view.h"

static void add_title(struct strbuf *out, const char *raw, const char *end)
{
    if (!raw)
        return;
    label_add(out, raw);
    strbuf_adds(out, end);
}

static void add_panel(struct strbuf *out, const struct attend_matrix *matrix,
                      const struct attend_look *look, const struct theme *theme,
                      enum term_style style)
{
    struct panel panel;
    panel_init(&panel, matrix, look, theme);
    if (panel.failed)
        out->failed = true;
    else {
        add_title(out, matrix->title, "\n");
        view_of(look->view)->term(out, &panel, style);
    }
    panel_release(&panel);
}

void figure_term(struct strbuf *out, const struct attend_matrix *matrix, int count,
                 const struct attend_look *look, enum term_style style)
{
    BUG_ON(count < 0);
    const struct theme theme = theme_of(look->dark, look->scale);
    add_title(out, look->title, "\n\n");
    for (int i = 0; i < count; i++) {
        strbuf_adds(out, i ? "\n" : "");
        add_panel(out, &matrix[i], look, &theme, style);
    }
    term_add_legend(out, &view_of(look->view)->legend, &theme, style);
}
