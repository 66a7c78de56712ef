/* A picture as a list of shapes, in the order in which they are painted: plots fill it, outputs
 * (svg.h) walk it. Lengths are pixels, y grows downwards.
 *
 * Every text in a list is safe (label.h). Running out of memory is remembered in `failed`, so that
 * a whole drawing is checked once, at its end. */
#ifndef ATTEND_VIZ_DISPLAY_LIST_H
#define ATTEND_VIZ_DISPLAY_LIST_H

#include "viz/colour.h"

#include <stdbool.h>
#include <stddef.h>

/* ANCHOR_START is the left end of a text and ANCHOR_END its right one, in every script. */
enum display_anchor { ANCHOR_START, ANCHOR_MIDDLE, ANCHOR_END };

struct display_rect {
    double x, y, width, height; /* x, y: the upper left corner */
    struct colour fill;
    const char *tooltip; /* or NULL */
};

struct display_line {
    double x1, y1, x2, y2, width;
    struct colour colour;
};

struct display_polyline {
    const double *x, *y; /* (count) */
    int count;
    double width;
    double dash, gap; /* dash 0: solid */
    struct colour colour;
};

enum display_form { FORM_CIRCLE, FORM_SQUARE, FORM_TRIANGLE, FORM_DIAMOND, DISPLAY_FORMS };

struct display_mark {
    double x, y, radius; /* x, y: the middle */
    enum display_form form;
    struct colour fill, edge;
    const char *tooltip; /* or NULL */
};

struct display_text {
    double x, y, size; /* x, y: where the anchor stands on the baseline */
    double turn;       /* degrees, counter-clockwise around the anchor */
    enum display_anchor anchor;
    struct colour colour;
    const char *text;
    const char *tooltip; /* or NULL */
};

/* A cubic Bezier curve with the control points (x1, (y1+y2)/2) and (x2, (y1+y2)/2): it leaves and
 * arrives upright. */
struct display_curve {
    double x1, y1, x2, y2, width;
    struct colour colour;
    const char *tooltip; /* or NULL */
};

enum display_kind {
    DISPLAY_RECT,
    DISPLAY_LINE,
    DISPLAY_POLYLINE,
    DISPLAY_MARK,
    DISPLAY_TEXT,
    DISPLAY_CURVE,
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
    };
};

struct display_list {
    double width, height;
    char *title; /* what the picture shows, for readers who cannot see it */
    struct display_shape *shape;
    size_t count, size;
    bool failed;
};

/* Texts and points are copied, here and below; the list owns its copies. */
void display_list_init(struct display_list *, double width, double height, const char *title);
void display_list_rect(struct display_list *, struct display_rect);
void display_list_line(struct display_list *, struct display_line);
void display_list_polyline(struct display_list *, struct display_polyline);
void display_list_mark(struct display_list *, struct display_mark);
void display_list_text(struct display_list *, struct display_text);
void display_list_curve(struct display_list *, struct display_curve);
void display_list_release(struct display_list *);

#endif
