#include "viz/display_list.h"

#include "base/strbuf.h"
#include "viz/label.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

/* A safe copy; NULL stays NULL. */
static char *copy_text(struct display_list *list, const char *raw)
{
    if (!raw || list->failed)
        return NULL;
    struct strbuf safe = {0};
    label_add(&safe, raw);
    char *text = strbuf_detach(&safe);
    list->failed = !text;
    return text;
}

void display_list_init(struct display_list *list, double width, double height, const char *title)
{
    *list = (struct display_list){.width = width, .height = height};
    list->title = copy_text(list, title);
}

static bool grow(struct display_list *list)
{
    if (list->failed || list->count < list->size)
        return !list->failed;
    const size_t size = list->size ? 2 * list->size : 256;
    struct display_shape *shape = NULL;
    if (size <= SIZE_MAX / 4 / sizeof *shape)
        shape = realloc(list->shape, size * sizeof *shape);
    list->failed = !shape;
    if (shape) {
        list->shape = shape;
        list->size = size;
    }
    return shape;
}

/* Append an empty shape; NULL once the list has failed. */
static struct display_shape *append(struct display_list *list, enum display_kind kind)
{
    if (!grow(list))
        return NULL;
    struct display_shape *shape = &list->shape[list->count++];
    *shape = (struct display_shape){.kind = kind};
    return shape;
}

void display_list_rect(struct display_list *list, struct display_rect rect)
{
    struct display_shape *shape = append(list, DISPLAY_RECT);
    if (!shape)
        return;
    rect.tooltip = copy_text(list, rect.tooltip);
    shape->rect = rect;
}

void display_list_line(struct display_list *list, struct display_line line)
{
    struct display_shape *shape = append(list, DISPLAY_LINE);
    if (shape)
        shape->line = line;
}

void display_list_polyline(struct display_list *list, struct display_polyline polyline)
{
    const size_t count = (size_t)polyline.count;
    double *points = calloc(2 * count + 1, sizeof *points);
    list->failed |= !points;
    struct display_shape *shape = append(list, DISPLAY_POLYLINE);
    if (!shape) {
        free(points);
        return;
    }
    for (size_t i = 0; i < count; i++) {
        points[i] = polyline.x[i];
        points[count + i] = polyline.y[i];
    }
    polyline.x = points;
    polyline.y = points + count;
    shape->polyline = polyline;
}

void display_list_mark(struct display_list *list, struct display_mark mark)
{
    struct display_shape *shape = append(list, DISPLAY_MARK);
    if (!shape)
        return;
    mark.tooltip = copy_text(list, mark.tooltip);
    shape->mark = mark;
}

void display_list_text(struct display_list *list, struct display_text text)
{
    struct display_shape *shape = append(list, DISPLAY_TEXT);
    if (!shape)
        return;
    text.text = copy_text(list, text.text);
    text.tooltip = copy_text(list, text.tooltip);
    shape->text = text;
}

void display_list_curve(struct display_list *list, struct display_curve curve)
{
    struct display_shape *shape = append(list, DISPLAY_CURVE);
    if (!shape)
        return;
    curve.tooltip = copy_text(list, curve.tooltip);
    shape->curve = curve;
}

void display_list_image(struct display_list *list, struct display_image image)
{
    const size_t pixels = (size_t)image.columns * (size_t)image.rows;
    struct color *copy = pixels ? calloc(pixels, sizeof *copy) : NULL;
    list->failed |= pixels && !copy;
    struct display_shape *shape = copy ? append(list, DISPLAY_IMAGE) : NULL;
    if (!shape) {
        free(copy);
        return;
    }
    memcpy(copy, image.pixel, pixels * sizeof *copy);
    image.pixel = copy;
    image.tooltip = copy_text(list, image.tooltip);
    shape->image = image;
}

static void release_shape(const struct display_shape *shape)
{
    switch (shape->kind) {
    case DISPLAY_RECT: free((char *)shape->rect.tooltip); break;
    case DISPLAY_LINE: break;
    case DISPLAY_POLYLINE: free((double *)shape->polyline.x); break;
    case DISPLAY_MARK: free((char *)shape->mark.tooltip); break;
    case DISPLAY_TEXT:
        free((char *)shape->text.text);
        free((char *)shape->text.tooltip);
        break;
    case DISPLAY_CURVE: free((char *)shape->curve.tooltip); break;
    case DISPLAY_IMAGE:
        free((struct color *)shape->image.pixel);
        free((char *)shape->image.tooltip);
        break;
    }
}

void display_list_release(struct display_list *list)
{
    for (size_t i = 0; i < list->count; i++)
        release_shape(&list->shape[i]);
    free(list->shape);
    free(list->title);
    *list = (struct display_list){0};
}
