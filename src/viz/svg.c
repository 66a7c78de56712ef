#include "viz/svg.h"

#include "base/strbuf.h"
#include "viz/display_list.h"
#include "viz/marks.h"
#include "viz/label.h"
#include "viz/markup.h"
#include "viz/png.h"

static const char font_stack[] = "system-ui, 'Noto Sans', 'DejaVu Sans', sans-serif";

static void add_number(struct strbuf *out, const char *name, double value)
{
    strbuf_addf(out, " %s=\"", name);
    label_add_number(out, value, 1);
    strbuf_addc(out, '"');
}

static void add_color(struct strbuf *out, const char *name, struct color c)
{
    strbuf_addf(out, " %s=\"#%02x%02x%02x\"", name, c.r, c.g, c.b);
}

static void add_title(struct strbuf *out, const char *text)
{
    strbuf_adds(out, "<title>");
    markup_add(out, text);
    strbuf_adds(out, "</title>");
}

static void add_rect(struct strbuf *out, const struct display_rect *rect)
{
    strbuf_adds(out, "<rect");
    add_number(out, "x", rect->x);
    add_number(out, "y", rect->y);
    add_number(out, "width", rect->width);
    add_number(out, "height", rect->height);
    add_color(out, "fill", rect->fill);
    if (rect->tooltip) {
        strbuf_addc(out, '>');
        add_title(out, rect->tooltip);
        strbuf_adds(out, "</rect>\n");
    } else {
        strbuf_adds(out, "/>\n");
    }
}

static void add_line(struct strbuf *out, const struct display_line *line)
{
    strbuf_adds(out, "<line");
    add_number(out, "x1", line->x1);
    add_number(out, "y1", line->y1);
    add_number(out, "x2", line->x2);
    add_number(out, "y2", line->y2);
    add_color(out, "stroke", line->color);
    add_number(out, "stroke-width", line->width);
    strbuf_adds(out, "/>\n");
}

static void add_point(struct strbuf *out, double x, double y)
{
    label_add_number(out, x, 1);
    strbuf_addc(out, ',');
    label_add_number(out, y, 1);
}

/* For slanted and round shapes, which crispEdges would make ragged. */
static const char smooth[] = " shape-rendering=\"geometricPrecision\"";

static void add_polyline(struct strbuf *out, const struct display_polyline *line)
{
    strbuf_adds(out, "<polyline points=\"");
    for (int i = 0; i < line->count; i++) {
        strbuf_adds(out, i ? " " : "");
        add_point(out, line->x[i], line->y[i]);
    }
    strbuf_adds(out, "\" fill=\"none\"");
    add_color(out, "stroke", line->color);
    add_number(out, "stroke-width", line->width);
    if (line->dash > 0) {
        strbuf_adds(out, " stroke-dasharray=\"");
        add_point(out, line->dash, line->gap);
        strbuf_addc(out, '"');
    }
    strbuf_addf(out, " stroke-linejoin=\"round\"%s/>\n", smooth);
}

static void add_curve(struct strbuf *out, const struct display_curve *c)
{
    const double middle = (c->y1 + c->y2) / 2;
    const double at[4][2] = {{c->x1, c->y1}, {c->x1, middle}, {c->x2, middle}, {c->x2, c->y2}};
    strbuf_adds(out, "<path d=\"");
    for (int i = 0; i < 4; i++) {
        strbuf_adds(out, i == 0 ? "M" : i == 1 ? " C" : " ");
        add_point(out, at[i][0], at[i][1]);
    }
    strbuf_adds(out, "\" fill=\"none\"");
    add_color(out, "stroke", c->color);
    add_number(out, "stroke-width", c->width);
    strbuf_addf(out, "%s>", smooth);
    if (c->tooltip)
        add_title(out, c->tooltip);
    strbuf_adds(out, "</path>\n");
}

static void add_corners(struct strbuf *out, const struct display_mark *mark)
{
    const struct mark_shape *form = &mark_shapes[mark->form];
    strbuf_adds(out, " points=\"");
    for (int i = 0; i < form->corners; i++) {
        strbuf_adds(out, i ? " " : "");
        add_point(out, mark->x + mark->radius * form->corner[i][0],
                  mark->y + mark->radius * form->corner[i][1]);
    }
    strbuf_addc(out, '"');
}

static void add_mark(struct strbuf *out, const struct display_mark *mark)
{
    const char *tag = mark_shapes[mark->form].corners ? "polygon" : "circle";
    strbuf_addf(out, "<%s", tag);
    if (mark_shapes[mark->form].corners) {
        add_corners(out, mark);
    } else {
        add_number(out, "cx", mark->x);
        add_number(out, "cy", mark->y);
        add_number(out, "r", mark->radius);
    }
    add_color(out, "fill", mark->fill);
    add_color(out, "stroke", mark->edge);
    strbuf_addf(out, "%s>", smooth);
    if (mark->tooltip)
        add_title(out, mark->tooltip);
    strbuf_addf(out, "</%s>\n", tag);
}

/* SVG rotates clockwise. */
static void add_turn(struct strbuf *out, const struct display_text *text)
{
    strbuf_adds(out, " transform=\"rotate(");
    label_add_number(out, -text->turn, 1);
    strbuf_addc(out, ' ');
    label_add_number(out, text->x, 1);
    strbuf_addc(out, ' ');
    label_add_number(out, text->y, 1);
    strbuf_adds(out, ")\"");
}

/* In SVG, "start" is where reading begins: the right end of right-to-left text. */
static void add_text(struct strbuf *out, const struct display_text *text)
{
    static const char *const anchor[][3] = {{"start", "middle", "end"}, {"end", "middle", "start"}};
    const bool reversed = label_direction(text->text) == LABEL_RIGHT_TO_LEFT;
    strbuf_adds(out, "<text");
    add_number(out, "x", text->x);
    add_number(out, "y", text->y);
    add_number(out, "font-size", text->size);
    strbuf_addf(out, " text-anchor=\"%s\"", anchor[reversed][text->anchor]);
    strbuf_adds(out, reversed ? " direction=\"rtl\"" : "");
    add_color(out, "fill", text->color);
    if (text->turn < 0 || text->turn > 0)
        add_turn(out, text);
    strbuf_addc(out, '>');
    if (text->tooltip)
        add_title(out, text->tooltip);
    markup_add(out, text->text);
    strbuf_adds(out, "</text>\n");
}

static void add_image(struct strbuf *out, const struct display_image *image)
{
    strbuf_adds(out, "<image");
    add_number(out, "x", image->x);
    add_number(out, "y", image->y);
    add_number(out, "width", image->width);
    add_number(out, "height", image->height);
    strbuf_adds(out, " preserveAspectRatio=\"none\" style=\"image-rendering:pixelated\""
                     " href=\"data:image/png;base64,");
    png_add_base64(out, image);
    strbuf_adds(out, "\">");
    if (image->tooltip)
        add_title(out, image->tooltip);
    strbuf_adds(out, "</image>\n");
}

static void add_shape(struct strbuf *out, const struct display_shape *shape)
{
    switch (shape->kind) {
    case DISPLAY_RECT: add_rect(out, &shape->rect); break;
    case DISPLAY_LINE: add_line(out, &shape->line); break;
    case DISPLAY_POLYLINE: add_polyline(out, &shape->polyline); break;
    case DISPLAY_CURVE: add_curve(out, &shape->curve); break;
    case DISPLAY_IMAGE: add_image(out, &shape->image); break;
    case DISPLAY_MARK: add_mark(out, &shape->mark); break;
    case DISPLAY_TEXT: add_text(out, &shape->text); break;
    }
}

static void open_document(struct strbuf *out, const struct display_list *list)
{
    strbuf_adds(out, "<svg xmlns=\"http://www.w3.org/2000/svg\"");
    add_number(out, "width", list->width);
    add_number(out, "height", list->height);
    strbuf_adds(out, " viewBox=\"0 0 ");
    label_add_number(out, list->width, 1);
    strbuf_addc(out, ' ');
    label_add_number(out, list->height, 1);
    strbuf_addf(out, "\" font-family=\"%s\"", font_stack);
    /* There must be no seams between adjacent cells. */
    strbuf_adds(out, " shape-rendering=\"crispEdges\" role=\"img\" aria-label=\"");
    markup_add(out, list->title ? list->title : "");
    strbuf_adds(out, "\">\n");
    if (list->title)
        add_title(out, list->title);
    strbuf_addc(out, '\n');
}

void svg_write(struct strbuf *out, const struct display_list *list)
{
    if (list->failed) {
        out->failed = true;
        return;
    }
    strbuf_adds(out, "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n");
    open_document(out, list);
    for (size_t i = 0; i < list->count; i++)
        add_shape(out, &list->shape[i]);
    strbuf_adds(out, "</svg>\n");
}
