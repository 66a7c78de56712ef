#include "viz/svg.h"

#include "base/strbuf.h"
#include "viz/display_list.h"
#include "viz/label.h"

#include <string.h>

static const char font_stack[] = "system-ui, 'Noto Sans', 'DejaVu Sans', sans-serif";

static const char *entity(char c)
{
    switch (c) {
    case '<': return "&lt;";
    case '>': return "&gt;";
    case '&': return "&amp;";
    case '"': return "&quot;";
    default: return "&apos;";
    }
}

static void add_escaped(struct strbuf *out, const char *text)
{
    while (*text) {
        const size_t plain = strcspn(text, "<>&\"'");
        strbuf_add(out, text, plain);
        text += plain;
        if (*text)
            strbuf_adds(out, entity(*text++));
    }
}

static void add_number(struct strbuf *out, const char *name, double value)
{
    strbuf_addf(out, " %s=\"", name);
    label_add_number(out, value, 1);
    strbuf_addc(out, '"');
}

static void add_colour(struct strbuf *out, const char *name, struct colour c)
{
    strbuf_addf(out, " %s=\"#%02x%02x%02x\"", name, c.r, c.g, c.b);
}

static void add_title(struct strbuf *out, const char *text)
{
    strbuf_adds(out, "<title>");
    add_escaped(out, text);
    strbuf_adds(out, "</title>");
}

static void add_rect(struct strbuf *out, const struct display_rect *rect)
{
    strbuf_adds(out, "<rect");
    add_number(out, "x", rect->x);
    add_number(out, "y", rect->y);
    add_number(out, "width", rect->width);
    add_number(out, "height", rect->height);
    add_colour(out, "fill", rect->fill);
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
    add_colour(out, "stroke", line->colour);
    add_number(out, "stroke-width", line->width);
    strbuf_adds(out, "/>\n");
}

/* SVG turns clockwise. */
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

static void add_text(struct strbuf *out, const struct display_text *text)
{
    static const char *const anchor[] = {"start", "middle", "end"};
    strbuf_adds(out, "<text");
    add_number(out, "x", text->x);
    add_number(out, "y", text->y);
    add_number(out, "font-size", text->size);
    strbuf_addf(out, " text-anchor=\"%s\"", anchor[text->anchor]);
    add_colour(out, "fill", text->colour);
    if (text->turn < 0 || text->turn > 0)
        add_turn(out, text);
    strbuf_addc(out, '>');
    if (text->tooltip)
        add_title(out, text->tooltip);
    add_escaped(out, text->text);
    strbuf_adds(out, "</text>\n");
}

static void add_shape(struct strbuf *out, const struct display_shape *shape)
{
    switch (shape->kind) {
    case DISPLAY_RECT: add_rect(out, &shape->rect); break;
    case DISPLAY_LINE: add_line(out, &shape->line); break;
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
    /* Cells that touch must not show a seam between them. */
    strbuf_adds(out, " shape-rendering=\"crispEdges\" role=\"img\" aria-label=\"");
    add_escaped(out, list->title ? list->title : "");
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
