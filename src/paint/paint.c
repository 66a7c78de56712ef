#include "attend/paint.h"

#include "viz/picture.h"
#include "viz/marks.h"

#include <cairo-pdf.h>
#include <math.h>
#include <pango/pangocairo.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const double png_scale = 2, pdf_scale = 1; /* unless the caller sets one */
static const double point = 0.75;                 /* points per pixel, which is 1/96 inch */
static const double pi = 3.14159265358979323846;

/* Limits of a PNG: cairo's limit on each side, and 400 MB of memory. The PDF standard limits a page
 * to 200 inches on each side. */
static const double side_most = 32767, pixels_most = 1e8, points_most = 14400;

/* This module does not link the library's error_set. */
__attribute__((format(printf, 3, 4))) static enum attend_status
fail(struct attend_error *err, enum attend_status status, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    if (err)
        vsnprintf(err->message, sizeof err->message, format, arguments);
    va_end(arguments);
    return status;
}

struct painter {
    cairo_t *cairo;
    PangoLayout *layout; /* of the current text */
    PangoFontDescription *font;
};

/* ---- Shapes ---------------------------------------------------------------------------------- */

static void set_color(cairo_t *cairo, struct color c)
{
    cairo_set_source_rgb(cairo, c.r / 255.0, c.g / 255.0, c.b / 255.0);
}

/* There must be no seams between adjacent cells, but slanted and round shapes need smooth edges. */
static void set_crisp(cairo_t *cairo, bool crisp)
{
    cairo_set_antialias(cairo, crisp ? CAIRO_ANTIALIAS_NONE : CAIRO_ANTIALIAS_BEST);
}

static void paint_rect(cairo_t *cairo, const struct display_rect *rect)
{
    set_crisp(cairo, true);
    set_color(cairo, rect->fill);
    cairo_rectangle(cairo, rect->x, rect->y, rect->width, rect->height);
    cairo_fill(cairo);
}

static void stroke(cairo_t *cairo, double width, struct color color)
{
    set_color(cairo, color);
    cairo_set_line_width(cairo, width);
    cairo_stroke(cairo);
}

static void paint_line(cairo_t *cairo, const struct display_line *line)
{
    set_crisp(cairo, true);
    cairo_move_to(cairo, line->x1, line->y1);
    cairo_line_to(cairo, line->x2, line->y2);
    stroke(cairo, line->width, line->color);
}

static void paint_polyline(cairo_t *cairo, const struct display_polyline *line)
{
    set_crisp(cairo, false);
    cairo_new_path(cairo); /* text leaves a current point behind */
    for (int i = 0; i < line->count; i++)
        cairo_line_to(cairo, line->x[i], line->y[i]);
    cairo_set_line_join(cairo, CAIRO_LINE_JOIN_ROUND);
    if (line->dash > 0)
        cairo_set_dash(cairo, (const double[]){line->dash, line->gap}, 2, 0);
    stroke(cairo, line->width, line->color);
    cairo_set_dash(cairo, NULL, 0, 0);
}

static void paint_curve(cairo_t *cairo, const struct display_curve *c)
{
    const double middle = (c->y1 + c->y2) / 2;
    set_crisp(cairo, false);
    cairo_move_to(cairo, c->x1, c->y1);
    cairo_curve_to(cairo, c->x1, middle, c->x2, middle, c->x2, c->y2);
    stroke(cairo, c->width, c->color);
}

static void paint_mark(cairo_t *cairo, const struct display_mark *mark)
{
    const struct mark_shape *form = &mark_shapes[mark->form];
    set_crisp(cairo, false);
    for (int i = 0; i < form->corners; i++)
        cairo_line_to(cairo, mark->x + mark->radius * form->corner[i][0],
                      mark->y + mark->radius * form->corner[i][1]);
    if (!form->corners)
        cairo_arc(cairo, mark->x, mark->y, mark->radius, 0, 2 * pi);
    cairo_close_path(cairo);
    set_color(cairo, mark->fill);
    cairo_fill_preserve(cairo);
    cairo_set_line_join(cairo, CAIRO_LINE_JOIN_MITER);
    stroke(cairo, 1, mark->edge);
}

/* The surface is a copy that lives as long as this call; a PDF takes its own. */
static void paint_image(cairo_t *cairo, const struct display_image *image)
{
    cairo_surface_t *surface =
        cairo_image_surface_create(CAIRO_FORMAT_RGB24, image->columns, image->rows);
    unsigned char *row = cairo_image_surface_get_data(surface);
    for (int i = 0; row && i < image->rows; i++, row += cairo_image_surface_get_stride(surface))
        for (int k = 0; k < image->columns; k++) {
            const struct color c = image->pixel[(size_t)i * (size_t)image->columns + (size_t)k];
            const uint32_t value = (uint32_t)(c.r << 16 | c.g << 8 | c.b);
            memcpy(row + 4 * (size_t)k, &value, sizeof value);
        }
    cairo_surface_mark_dirty(surface);
    cairo_save(cairo);
    set_crisp(cairo, true);
    cairo_rectangle(cairo, image->x, image->y, image->width, image->height);
    cairo_translate(cairo, image->x, image->y);
    cairo_scale(cairo, image->width / image->columns, image->height / image->rows);
    cairo_set_source_surface(cairo, surface, 0, 0);
    cairo_pattern_set_filter(cairo_get_source(cairo), CAIRO_FILTER_NEAREST);
    cairo_pattern_set_extend(cairo_get_source(cairo), CAIRO_EXTEND_PAD);
    cairo_fill(cairo);
    cairo_restore(cairo);
    cairo_surface_destroy(surface);
}

static void paint_text(struct painter *p, const struct display_text *text)
{
    static const double before[] = {[ANCHOR_START] = 0, [ANCHOR_MIDDLE] = 0.5, [ANCHOR_END] = 1};
    PangoRectangle box;
    cairo_save(p->cairo);
    cairo_translate(p->cairo, text->x, text->y);
    cairo_rotate(p->cairo, -text->turn * pi / 180);
    pango_font_description_set_absolute_size(p->font, text->size * PANGO_SCALE);
    pango_layout_set_font_description(p->layout, p->font);
    pango_layout_set_text(p->layout, text->text, -1);
    pango_cairo_update_layout(p->cairo, p->layout);
    pango_layout_get_extents(p->layout, NULL, &box);
    cairo_move_to(p->cairo, -before[text->anchor] * box.width / PANGO_SCALE,
                  -(double)pango_layout_get_baseline(p->layout) / PANGO_SCALE);
    set_color(p->cairo, text->color);
    pango_cairo_show_layout(p->cairo, p->layout);
    cairo_restore(p->cairo);
}

static void paint_shape(struct painter *p, const struct display_shape *shape)
{
    cairo_new_path(p->cairo); /* text leaves a current point behind, which a line would continue */
    switch (shape->kind) {
    case DISPLAY_RECT: paint_rect(p->cairo, &shape->rect); break;
    case DISPLAY_LINE: paint_line(p->cairo, &shape->line); break;
    case DISPLAY_POLYLINE: paint_polyline(p->cairo, &shape->polyline); break;
    case DISPLAY_CURVE: paint_curve(p->cairo, &shape->curve); break;
    case DISPLAY_IMAGE: paint_image(p->cairo, &shape->image); break;
    case DISPLAY_MARK: paint_mark(p->cairo, &shape->mark); break;
    case DISPLAY_TEXT: paint_text(p, &shape->text); break;
    }
}

/* ---- A whole picture ------------------------------------------------------------------------- */

/* Positions do not depend on the scale: nothing is rounded to whole pixels. */
static void open_text(struct painter *p)
{
    PangoFontMap *map = pango_cairo_font_map_new();
    PangoContext *context = pango_font_map_create_context(map);
    cairo_font_options_t *options = cairo_font_options_create();
    cairo_font_options_set_antialias(options, CAIRO_ANTIALIAS_GRAY);
    cairo_font_options_set_hint_style(options, CAIRO_HINT_STYLE_NONE);
    cairo_font_options_set_hint_metrics(options, CAIRO_HINT_METRICS_OFF);
    pango_cairo_context_set_font_options(context, options);
    pango_cairo_context_set_resolution(context, 96);
    pango_context_set_round_glyph_positions(context, FALSE);
    p->layout = pango_layout_new(context);
    pango_layout_set_single_paragraph_mode(p->layout, TRUE);
    p->font = pango_font_description_from_string("Noto Sans, DejaVu Sans, sans-serif");
    cairo_font_options_destroy(options);
    g_object_unref(context);
    g_object_unref(map);
}

static void paint_list(cairo_surface_t *surface, const struct display_list *list, double scale)
{
    struct painter p = {.cairo = cairo_create(surface)};
    open_text(&p);
    cairo_scale(p.cairo, scale, scale);
    set_color(p.cairo, (struct color){0xff, 0xff, 0xff});
    cairo_paint(p.cairo);
    for (size_t i = 0; i < list->count; i++)
        paint_shape(&p, &list->shape[i]);
    pango_font_description_free(p.font);
    g_object_unref(p.layout);
    cairo_destroy(p.cairo);
}

/* The bytes that cairo writes. */
struct sink {
    unsigned char *bytes;
    size_t length, size;
};

static cairo_status_t take(void *closure, const unsigned char *data, unsigned int length)
{
    struct sink *sink = closure;
    if (length > sink->size - sink->length) {
        const size_t size = 2 * (sink->length + length);
        unsigned char *bytes = realloc(sink->bytes, size);
        if (!bytes)
            return CAIRO_STATUS_NO_MEMORY;
        sink->bytes = bytes;
        sink->size = size;
    }
    memcpy(sink->bytes + sink->length, data, length);
    sink->length += length;
    return CAIRO_STATUS_SUCCESS;
}

static enum attend_status report(cairo_status_t status, struct attend_error *err)
{
    if (status == CAIRO_STATUS_SUCCESS)
        return ATTEND_OK;
    return fail(err, ATTEND_NO_MEMORY, "the picture cannot be painted: %s",
                cairo_status_to_string(status));
}

static enum attend_status paint_png(const struct display_list *list, double scale,
                                    struct sink *sink, struct attend_error *err)
{
    const double width = ceil(list->width * scale), height = ceil(list->height * scale);
    /* Negated, so that NaN is refused too. */
    if (!(width >= 1 && height >= 1 && width <= side_most && height <= side_most &&
          width * height <= pixels_most))
        return fail(err, ATTEND_USAGE,
                    "the picture would be %.0f x %.0f pixels; at most %.0f a side and %.0f "
                    "million in all can be painted: make it smaller, or write SVG",
                    width, height, side_most, pixels_most / 1e6);
    cairo_surface_t *surface =
        cairo_image_surface_create(CAIRO_FORMAT_RGB24, (int)width, (int)height);
    paint_list(surface, list, scale);
    cairo_status_t status = cairo_surface_status(surface);
    if (status == CAIRO_STATUS_SUCCESS)
        status = cairo_surface_write_to_png_stream(surface, take, sink);
    cairo_surface_destroy(surface);
    return report(status, err);
}

static enum attend_status paint_pdf(const struct display_list *list, double scale,
                                    struct sink *sink, struct attend_error *err)
{
    const double width = list->width * scale * point, height = list->height * scale * point;
    if (!(width > 0 && height > 0 && width <= points_most && height <= points_most))
        return fail(err, ATTEND_USAGE,
                    "the page would be %.0f x %.0f points; PDF ends at %.0f a side: make the "
                    "picture smaller, or write SVG",
                    width, height, points_most);
    cairo_surface_t *surface = cairo_pdf_surface_create_for_stream(take, sink, width, height);
    /* A time stamp would make every file different. */
    cairo_pdf_surface_set_metadata(surface, CAIRO_PDF_METADATA_CREATE_DATE, "");
    cairo_pdf_surface_set_metadata(surface, CAIRO_PDF_METADATA_TITLE,
                                   list->title ? list->title : "");
    paint_list(surface, list, scale * point);
    cairo_surface_finish(surface);
    const cairo_status_t status = cairo_surface_status(surface);
    cairo_surface_destroy(surface);
    return report(status, err);
}

enum attend_status attend_paint(const struct attend_picture *picture,
                                enum attend_paint_format format, double scale,
                                unsigned char **bytes, size_t *size, struct attend_error *err)
{
    const struct display_list *list = &picture->list;
    const bool png = format == ATTEND_PAINT_PNG;
    struct sink sink = {0};
    if (list->failed)
        return fail(err, ATTEND_NO_MEMORY, "out of memory for the picture");
    if (scale <= 0)
        scale = png ? png_scale : pdf_scale;
    const enum attend_status status = (png ? paint_png : paint_pdf)(list, scale, &sink, err);
    if (status) {
        free(sink.bytes);
        return status;
    }
    *bytes = sink.bytes;
    *size = sink.length;
    return ATTEND_OK;
}

void attend_paint_free(unsigned char *bytes) { free(bytes); }
