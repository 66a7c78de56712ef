/* A picture as a list of shapes in painting order. Plots fill it, outputs (svg.h) walk it. Lengths
 * are pixels; y points down.
 *
 * All texts in a list are safe (label.h). `failed` records that memory ran out, so a whole drawing
 * needs one check at its end. */
#ifndef ATTEND_VIZ_DISPLAY_LIST_H
#define ATTEND_VIZ_DISPLAY_LIST_H

#include "viz/color.h"

#include <stdbool.h>
#include <stddef.h>

/* ANCHOR_START is the left end of a text and ANCHOR_END the right end, in every script. */
enum display_anchor { ANCHOR_START, ANCHOR_MIDDLE, ANCHOR_END };

struct display_rect {
    double x, y, width, height; /* x, y: the upper left corner */
    struct color fill;
    const char *tooltip; /* or NULL */
};

struct display_line {
    double x1, y1, x2, y2, width;
    struct color color;
};

struct display_polyline {
    const double *x, *y; /* (count) */
    int count;
    double width;
    double dash, gap; /* dash 0: solid */
    struct color color;
};

enum mark_kind { MARK_CIRCLE, MARK_SQUARE, MARK_TRIANGLE, MARK_DIAMOND, DISPLAY_MARKS };

struct display_mark {
    double x, y, radius; /* x, y: the center */
    enum mark_kind form;
    struct color fill, edge;
    const char *tooltip; /* or NULL */
};

struct display_text {
    double x, y, size; /* x, y: the anchor, on the baseline */
    double turn;       /* degrees, counter-clockwise around the anchor */
    enum display_anchor anchor;
    struct color color;
    const char *text;
    const char *tooltip; /* or NULL */
};

/* A cubic Bezier curve with the control points (x1, (y1+y2)/2) and (x2, (y1+y2)/2): both ends are
 * vertical. */
struct display_curve {
    double x1, y1, x2, y2, width;
    struct color color;
    const char *tooltip; /* or NULL */
};

/* An image whose pixels are stretched over a rectangle without smoothing: a pixel may be a cell. For
 * spectrograms and pictures, where rectangles would take a hundred bytes of SVG for each pixel; an
 * image takes one or two. */
struct display_image {
    double x, y, width, height; /* x, y: the upper left corner */
    int columns, rows;
    const struct color *pixel; /* (rows, columns) */
    const char *tooltip;       /* or NULL */
};

enum display_kind {
    DISPLAY_RECT,
    DISPLAY_LINE,
    DISPLAY_POLYLINE,
    DISPLAY_MARK,
    DISPLAY_TEXT,
    DISPLAY_CURVE,
    DISPLAY_IMAGE,
};

struct display_shape {
    enum display_kind kind;
    union {
        struct display_rect rect;
        struct display_line line;
        struct display_polyline polyline;
        struct display_mark mark;
        struct display_text text;
        struct display_curve curve;
        struct display_image image;
    };
};

struct display_list {
    double width, height;
    char *title; /* a description for readers who cannot see the picture */
    struct display_shape *shape;
    size_t count, size;
    bool failed;
};

/* Here and below, texts, points and pixels are copied; the list owns the copies. */
void display_list_init(struct display_list *, double width, double height, const char *title);
void display_list_rect(struct display_list *, struct display_rect);
void display_list_line(struct display_list *, struct display_line);
void display_list_polyline(struct display_list *, struct display_polyline);
void display_list_mark(struct display_list *, struct display_mark);
void display_list_text(struct display_list *, struct display_text);
void display_list_curve(struct display_list *, struct display_curve);
/* Adds nothing for an image without pixels. */
void display_list_image(struct display_list *, struct display_image);
void display_list_release(struct display_list *);

#endif
