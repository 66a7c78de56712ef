#include "viz/curves.h"

#include "base/bug.h"
#include "base/strbuf.h"
#include "viz/axis.h"
#include "viz/curves_layout.h"
#include "viz/display_list.h"
#include "viz/label.h"

#include <math.h>
#include <stdlib.h>

/* With more points, marks would touch and hide the line. */
enum { MARKS_MOST = 50 };

/* From the baseline to the middle of lower-case letters, in units of the font size. */
static const double half_height = 0.36;
/* Pixels. */
static const double line_width = 2, thin_width = 1.2, mark_radius = 4.5, best_radius = 7.5;

/* Colors of Okabe and Ito, which most color-blind readers can tell apart: those with enough
 * contrast on light or dark paper. Five colors with four marks and dashes repeat only after twenty
 * series. */
static const struct color colors[][5] = {
    {{0x00, 0x72, 0xb2},
     {0xd5, 0x5e, 0x00},
     {0x00, 0x9e, 0x73},
     {0xcc, 0x79, 0xa7},
     {0x22, 0x22, 0x22}},
    {{0x56, 0xb4, 0xe9},
     {0xe6, 0x9f, 0x00},
     {0x00, 0x9e, 0x73},
     {0xcc, 0x79, 0xa7},
     {0xe8, 0xe8, 0xe6}},
};
enum { COLORS = sizeof *colors / sizeof **colors };
static const struct {
    double dash, gap;
} dashes[] = {{0, 0}, {8, 4}, {3, 3}, {14, 3}};
enum { DASHES = sizeof dashes / sizeof *dashes };

/* ---- Shared by all outputs ------------------------------------------------------------------- */

bool curves_shows(const struct curve *curve, int i, const struct axis *x, const struct axis *y)
{
    return isfinite(axis_share(x, curve->x[i])) && curve->y[i] >= y->from && curve->y[i] <= y->to;
}

struct axis curves_x_axis(const struct curves_plot *plot, int most)
{
    double min = HUGE_VAL, max = -HUGE_VAL;
    for (int p = 0; p < plot->panels; p++)
        for (int c = 0; c < plot->panel[p].count; c++) {
            const struct curve *curve = &plot->panel[p].curve[c];
            for (int i = 0; i < curve->count; i++)
                if (isfinite(plot->log_x ? log(curve->x[i]) : curve->x[i]) &&
                    isfinite(curve->y[i])) {
                    min = fmin(min, curve->x[i]);
                    max = fmax(max, curve->x[i]);
                }
        }
    const bool few = plot->whole_x && max - min >= 1 && max - min < most;
    if (plot->log_x)
        return axis_around_powers(min, max, most);
    return axis_around(min, max, few ? (int)(max - min) : most);
}

struct axis curves_y_axis(const struct curves_panel *panel, int most)
{
    return axis_around(panel->y_min, panel->y_max, (int)fmax(2, round(most * panel->height)));
}

/* Move the first end along the line to the edge of the axis, if it is outside. */
static void cut_end(double *x, double *y, double x2, double y2, const struct axis *axis)
{
    const double edge = fmin(fmax(*y, axis->from), axis->to);
    if (edge < *y || edge > *y) {
        *x += (x2 - *x) * (edge - *y) / (y2 - *y);
        *y = edge;
    }
}

bool curves_cut(const struct curve *curve, int i, const struct axis *x, const struct axis *y,
                struct curves_segment *out)
{
    struct curves_segment s = {{axis_share(x, curve->x[i - 1]), axis_share(x, curve->x[i])},
                               {curve->y[i - 1], curve->y[i]}};
    if (!isfinite(s.x[0] + s.x[1]) || !isfinite(s.y[0] + s.y[1]))
        return false;
    if (fmin(s.y[0], s.y[1]) > y->to || fmax(s.y[0], s.y[1]) < y->from)
        return false;
    cut_end(&s.x[0], &s.y[0], s.x[1], s.y[1], y);
    cut_end(&s.x[1], &s.y[1], s.x[0], s.y[0], y);
    *out = s;
    return true;
}

/* ---- Axes ------------------------------------------------------------------------------------ */

static double share_at(const struct curves_layout *l, double share)
{
    return l->left + CURVES_WIDTH * share;
}

static double x_at(const struct curves_layout *l, double x)
{
    return share_at(l, axis_share(&l->x, x));
}

static double y_at(const struct curves_frame *frame, double y)
{
    return frame->bottom - (frame->bottom - frame->top) * axis_share(&frame->y, y);
}

static void draw_tick(struct display_list *list, const struct curves_layout *l,
                      struct display_text at, const struct axis *axis, int i)
{
    struct strbuf text = {0};
    axis_add_tick(&text, axis, i);
    list->failed |= text.failed;
    at.size = CURVES_TICK_SIZE;
    at.color = l->theme.ink;
    at.text = text.text;
    display_list_text(list, at);
    strbuf_release(&text);
}

/* The vertical grid lines of one panel; only the last panel has numbers. */
static void draw_x_axis(struct display_list *list, const struct curves_layout *l,
                        const struct curves_frame *frame, bool numbers)
{
    for (int i = 0; i <= l->x.steps; i++) {
        const double x = x_at(l, axis_tick(&l->x, i));
        display_list_line(list,
                          (struct display_line){x, frame->top, x, frame->bottom, 1, l->theme.rule});
        if (numbers)
            draw_tick(list, l,
                      (struct display_text){.x = x,
                                            .y = frame->bottom + CURVES_GAP + CURVES_TICK_SIZE,
                                            .anchor = ANCHOR_MIDDLE},
                      &l->x, i);
    }
}

static void draw_y_axis(struct display_list *list, const struct curves_layout *l,
                        const struct curves_frame *frame)
{
    for (int i = 0; i <= frame->y.steps; i++) {
        const double y = y_at(frame, axis_tick(&frame->y, i));
        display_list_line(
            list, (struct display_line){l->left, y, l->left + CURVES_WIDTH, y, 1, l->theme.rule});
        draw_tick(list, l,
                  (struct display_text){.x = l->left - CURVES_GAP,
                                        .y = y + half_height * CURVES_TICK_SIZE,
                                        .anchor = ANCHOR_END},
                  &frame->y, i);
    }
}

static void draw_frame(struct display_list *list, const struct curves_layout *l,
                       const struct curves_frame *f)
{
    const double right = l->left + CURVES_WIDTH;
    display_list_line(
        list, (struct display_line){l->left, f->bottom, right, f->bottom, 1, l->theme.axis});
    display_list_line(list,
                      (struct display_line){l->left, f->top, l->left, f->bottom, 1, l->theme.axis});
}

/* Draws nothing for NULL. */
static void draw_caption(struct display_list *list, const struct curves_layout *l,
                         struct display_text at, const char *text)
{
    at.text = text;
    at.color = l->theme.ink;
    if (text)
        display_list_text(list, at);
}

static void draw_y_label(struct display_list *list, const struct curves_layout *l,
                         const struct curves_frame *frame, const char *label)
{
    draw_caption(list, l,
                 (struct display_text){.x = CURVES_MARGIN + CURVES_FONT,
                                       .y = (frame->top + frame->bottom) / 2,
                                       .size = CURVES_FONT,
                                       .turn = 90,
                                       .anchor = ANCHOR_MIDDLE},
                 label);
}

/* ---- Curves ---------------------------------------------------------------------------------- */

static struct color color_of(const struct curves_layout *l, const struct curve *curve)
{
    return curve->series == CURVES_KEY ? l->theme.axis : colors[l->dark][curve->series % COLORS];
}

static void draw_line(struct display_list *list, const struct curves_layout *l,
                      const struct curve *curve, const double *x, const double *y, int count)
{
    const bool thin = curve->style == CURVE_THIN, plain = thin || curve->series == CURVES_KEY;
    const int dash = plain ? 0 : curve->series % DASHES;
    if (count > 1)
        display_list_polyline(list,
                              (struct display_polyline){.x = x,
                                                        .y = y,
                                                        .count = count,
                                                        .width = thin ? thin_width : line_width,
                                                        .dash = dashes[dash].dash,
                                                        .gap = dashes[dash].gap,
                                                        .color = color_of(l, curve)});
}

static void draw_mark(struct display_list *list, const struct curves_layout *l,
                      const struct curve *curve, double x, double y, const char *tooltip)
{
    const bool best = curve->style == CURVE_BEST, key = curve->series == CURVES_KEY;
    const int form = key ? MARK_CIRCLE : curve->series % DISPLAY_MARKS;
    display_list_mark(list, (struct display_mark){.x = x,
                                                  .y = y,
                                                  .radius = best ? best_radius : mark_radius,
                                                  .form = (enum mark_kind)form,
                                                  .fill = color_of(l, curve),
                                                  .edge = l->theme.paper,
                                                  .tooltip = tooltip});
}

/* Lines through the points; x and y have room for all of them. A line ends at a missing point and
 * where the curve leaves the axis. */
static void draw_lines(struct display_list *list, const struct curves_layout *l,
                       const struct curves_frame *frame, const struct curve *curve, double *x,
                       double *y)
{
    int run = 0;
    for (int i = 1; i < curve->count; i++) {
        struct curves_segment s;
        if (!curves_cut(curve, i, &l->x, &frame->y, &s))
            continue;
        const double from_x = share_at(l, s.x[0]), from_y = y_at(frame, s.y[0]);
        if (run == 0 || x[run - 1] != from_x || y[run - 1] != from_y) {
            draw_line(list, l, curve, x, y, run);
            x[0] = from_x;
            y[0] = from_y;
            run = 1;
        }
        x[run] = share_at(l, s.x[1]);
        y[run++] = y_at(frame, s.y[1]);
    }
    draw_line(list, l, curve, x, y, run);
}

/* "label: 12.5, 87.50" */
static void add_tooltip(struct strbuf *tip, const struct curve *curve, int i,
                        const struct axis *axis)
{
    struct strbuf label = {0};
    strbuf_clear(tip);
    if (curve->label) {
        label_add(&label, curve->label);
        label_add_isolated(tip, label.text ? label.text : "");
        strbuf_adds(tip, ": ");
    }
    label_add_number(tip, curve->x[i], curve->x[i] > floor(curve->x[i]) ? 1 : 0);
    strbuf_adds(tip, ", ");
    label_add_number(tip, curve->y[i], (int)fmin(axis_decimals(axis) + 2, 9));
    tip->failed |= label.failed;
    strbuf_release(&label);
}

static void draw_marks(struct display_list *list, const struct curves_layout *l,
                       const struct curves_frame *frame, const struct curve *curve)
{
    struct strbuf tip = {0};
    for (int i = 0; i < curve->count && !list->failed; i++) {
        if (!curves_shows(curve, i, &l->x, &frame->y))
            continue;
        add_tooltip(&tip, curve, i, &frame->y);
        list->failed |= tip.failed;
        draw_mark(list, l, curve, x_at(l, curve->x[i]), y_at(frame, curve->y[i]), tip.text);
    }
    strbuf_release(&tip);
}

static void draw_curve(struct display_list *list, const struct curves_layout *l,
                       const struct curves_frame *frame, const struct curve *curve)
{
    const size_t count = (size_t)curve->count;
    double *points = calloc(2 * count + 1, sizeof *points);
    list->failed |= !points;
    if (points && curve->style != CURVE_BEST)
        draw_lines(list, l, frame, curve, points, points + count);
    free(points);
    if (curve->style == CURVE_BEST || (curve->style == CURVE_MARKED && count <= MARKS_MOST))
        draw_marks(list, l, frame, curve);
}

static void draw_legend(struct display_list *list, const struct curves_layout *l,
                        const struct curves_frame *frame, const struct curves_panel *panel)
{
    const double from = l->left + CURVES_WIDTH + CURVES_LEGEND_GAP, to = from + CURVES_LEGEND_LINE;
    double y = frame->top + CURVES_LEGEND_ROW / 2.0;
    for (int c = 0; c < panel->count; c++) {
        const struct curve *curve = &panel->curve[c];
        if (!curve->label)
            continue;
        draw_line(list, l, curve, (const double[]){from, to}, (const double[]){y, y}, 2);
        if (curve->style != CURVE_THIN)
            draw_mark(list, l, curve, (from + to) / 2, y, NULL);
        display_list_text(list, (struct display_text){.x = to + CURVES_GAP,
                                                      .y = y + half_height * CURVES_FONT,
                                                      .size = CURVES_FONT,
                                                      .color = l->theme.ink,
                                                      .text = curve->label});
        y += CURVES_LEGEND_ROW;
    }
}

/* ---- The picture ----------------------------------------------------------------------------- */

static void draw_panel(struct display_list *list, const struct curves_layout *l,
                       const struct curves_plot *plot, int p)
{
    const struct curves_frame *frame = &l->frame[p];
    const struct curves_panel *panel = &plot->panel[p];
    draw_x_axis(list, l, frame, p == plot->panels - 1);
    draw_y_axis(list, l, frame);
    draw_frame(list, l, frame);
    draw_y_label(list, l, frame, panel->y_label);
    for (int c = 0; c < panel->count; c++)
        draw_curve(list, l, frame, &panel->curve[c]);
    draw_legend(list, l, frame, panel);
}

static void draw_all(struct display_list *list, const struct curves_layout *l,
                     const struct curves_plot *plot)
{
    const double bottom = plot->panels ? l->frame[plot->panels - 1].bottom : 0;
    display_list_rect(list, (struct display_rect){0, 0, l->width, l->height, l->theme.paper, NULL});
    draw_caption(list, l,
                 (struct display_text){.x = CURVES_MARGIN,
                                       .y = CURVES_MARGIN + CURVES_TITLE_SIZE,
                                       .size = CURVES_TITLE_SIZE},
                 plot->title);
    for (int p = 0; p < plot->panels; p++)
        draw_panel(list, l, plot, p);
    draw_caption(
        list, l,
        (struct display_text){.x = l->left + CURVES_WIDTH / 2.0,
                              .y = bottom + 2 * CURVES_GAP + CURVES_TICK_SIZE + CURVES_FONT,
                              .size = CURVES_FONT,
                              .anchor = ANCHOR_MIDDLE},
        plot->x_label);
}

void curves_draw(struct display_list *list, const struct curves_plot *plot)
{
    struct curves_layout l;
    BUG_ON(plot->panels < 0);
    curves_layout_init(&l, plot);
    display_list_init(list, l.width, l.height, plot->title ? plot->title : "curves");
    list->failed |= l.failed;
    if (!list->failed)
        draw_all(list, &l, plot);
    curves_layout_release(&l);
}
