#include "viz/html_frames.h"

#include "attend/plot.h"
#include "base/strbuf.h"
#include "viz/display_list.h"
#include "viz/figure.h"
#include "viz/label.h"
#include "viz/markup.h"
#include "viz/svg.h"
#include "viz/theme.h"

#include <string.h>

static void add_title(struct strbuf *out, const char *raw)
{
    struct strbuf safe = {0};
    label_add(&safe, raw);
    out->failed |= safe.failed;
    markup_add(out, safe.text ? safe.text : "");
    strbuf_release(&safe);
}

static void add_color(struct strbuf *out, const char *property, struct color c)
{
    strbuf_addf(out, "%s:#%02x%02x%02x;", property, c.r, c.g, c.b);
}

static void add_style(struct strbuf *out, const struct attend_style *style)
{
    const struct theme theme = theme_of(style->dark, style->scale);
    strbuf_adds(out, "<style>body{margin:1rem auto;max-width:64rem;padding:0 1rem;"
                     "font-family:system-ui,'Noto Sans','DejaVu Sans',sans-serif;");
    add_color(out, "background", theme.paper);
    add_color(out, "color", theme.ink);
    strbuf_adds(out, "}h1{font-size:1.25rem}figure{margin:1rem 0 2rem}"
                     "svg{max-width:100%;height:auto}</style>\n");
}

/* The SVG without its first line, which must not stand within HTML. */
static void add_picture(struct strbuf *out, const struct attend_matrix *matrix,
                        const struct attend_style *style)
{
    struct attend_style plain = *style;
    struct display_list list;
    struct strbuf svg = {0};
    plain.title = NULL;
    figure_draw(&list, matrix, 1, &plain);
    svg_write(&svg, &list);
    display_list_release(&list);
    out->failed |= svg.failed;
    if (!svg.failed) {
        strbuf_adds(out, "<figure>\n");
        strbuf_adds(out, strstr(svg.text, "<svg"));
        strbuf_adds(out, "</figure>\n");
    }
    strbuf_release(&svg);
}

void html_frames(struct strbuf *out, const struct attend_matrix *matrix, int count,
                 const struct attend_style *style)
{
    const char *title = style->title ? style->title : "Attention";
    strbuf_adds(out, "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
                     "<meta name=\"viewport\" content=\"width=device-width\">\n"
                     "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; "
                     "img-src data:; style-src 'unsafe-inline'; base-uri 'none'; "
                     "form-action 'none'\">\n<title>");
    add_title(out, title);
    strbuf_adds(out, "</title>\n");
    add_style(out, style);
    strbuf_adds(out, "</head>\n<body>\n<main>\n<h1>");
    add_title(out, title);
    strbuf_adds(out, "</h1>\n");
    for (int i = 0; i < count; i++)
        add_picture(out, &matrix[i], style);
    strbuf_adds(out, "</main>\n</body>\n</html>\n");
}
