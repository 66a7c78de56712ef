#include "viz/writing_plot.h"

#include "attend/plot.h"
#include "base/strbuf.h"
#include "viz/display_list.h"
#include "viz/label.h"
#include "viz/pen_path.h"
#include "viz/theme.h"

#include <math.h>
#include <stdlib.h>

/* Pixels. */
enum {
    MARGIN = 24,
    LINE = 88, /* height of the ink of a trace */
    WIDTH_MOST = 1600,
    WIDTH_LEAST = 200,
    CAPTION = 13, /* font of the title below a trace */
    TITLE = 18,
    GAP = 14, /* between ink and caption, and between traces */
};
static const double pen = 2.4; /* width of the line */

/* ---- Layout ---- */

struct line {
    struct pen_path path;
    double scale, top; /* pixels for a unit of the path; y of the ink's upper edge */
};

/* A trace fills the height of a line unless it is too long for the picture. A dot has no size. */
static double scale_of(const struct pen_path *p)
{
    const double high = p->height > 0 ? LINE / p->height : (double)INFINITY;
    const double wide = p->width > 0 ? WIDTH_MOST / p->width : (double)INFINITY;
    const double scale = fmin(high, wide);
    return isfinite(scale) ? scale : 1;
}

static double text_width(const char *raw, double size)
{
    struct strbuf safe = {0};
    label_add(&safe, raw);
    const double width = safe.text ? size * label_em(safe.text) : 0;
    strbuf_release(&safe);
    return fmin(width, WIDTH_MOST);
}

static void lay_line(struct line *line, const struct attend_trace *trace, double *width,
                     double *height)
{
    pen_path_init(&line->path, trace);
    line->scale = scale_of(&line->path);
    line->top = *height;
    *width = fmax(*width, line->scale * line->path.width);
    if (trace->title)
        *width = fmax(*width, text_width(trace->title, CAPTION));
    *height += line->scale * line->path.height + GAP + (trace->title ? CAPTION + GAP : 0);
}

/* ---- Drawing ---- */

static void draw_text(struct display_list *list, const char *text, double y, double size,
                      struct color color)
{
    display_list_text(list, (struct display_text){
                                .x = MARGIN, .y = y, .size = size, .color = color, .text = text});
}

/* The points in pixels, in place. */
static void place_points(struct line *line)
{
    struct pen_path *p = &line->path;
    for (int i = 0; i < p->count; i++) {
        p->x[i] = MARGIN + line->scale * (p->x[i] - p->left);
        p->y[i] = line->top + line->scale * (p->y[i] - p->top);
    }
}

static void draw_ink(struct display_list *list, struct line *line, const struct attend_trace *trace,
                     struct color ink)
{
    const struct pen_path *p = &line->path;
    place_points(line);
    for (int from = 0, to; from < p->count; from = to) {
        to = pen_path_line(trace, from);
        if (to - from == 1)
            display_list_mark(list, (struct display_mark){.x = p->x[from],
                                                          .y = p->y[from],
                                                          .radius = pen / 2,
                                                          .form = MARK_CIRCLE,
                                                          .fill = ink,
                                                          .edge = ink});
        else
            display_list_polyline(list, (struct display_polyline){.x = p->x + from,
                                                                  .y = p->y + from,
                                                                  .count = to - from,
                                                                  .width = pen,
                                                                  .color = ink});
    }
}

static void draw_lines(struct display_list *list, struct line *line,
                       const struct attend_trace *traces, int count, const struct theme *theme)
{
    for (int i = 0; i < count; i++) {
        const double bottom = line[i].top + line[i].scale * line[i].path.height;
        list->failed |= line[i].path.failed;
        if (list->failed)
            return;
        draw_ink(list, &line[i], &traces[i], theme->ink);
        if (traces[i].title)
            draw_text(list, traces[i].title, bottom + GAP + CAPTION, CAPTION, theme->faint);
    }
}

void writing_draw(struct display_list *list, const struct attend_trace *traces, int count,
                  const struct attend_style *style)
{
    const struct theme theme = theme_of(style->dark, NULL);
    struct line *line = calloc((size_t)count + 1, sizeof *line);
    double width = WIDTH_LEAST, height = MARGIN + (style->title ? TITLE + GAP : 0);
    if (style->title)
        width = fmax(width, text_width(style->title, TITLE));
    for (int i = 0; i < count && line; i++)
        lay_line(&line[i], &traces[i], &width, &height);
    const double w = ceil(width + 2 * MARGIN), h = ceil(height + MARGIN - GAP);
    display_list_init(list, w, h, style->title ? style->title : "Handwriting");
    list->failed |= !line;
    display_list_rect(list, (struct display_rect){.width = w, .height = h, .fill = theme.paper});
    if (style->title)
        draw_text(list, style->title, MARGIN + TITLE, TITLE, theme.ink);
    if (line)
        draw_lines(list, line, traces, count, &theme);
    for (int i = 0; i < count && line; i++)
        pen_path_release(&line[i].path);
    free(line);
}
