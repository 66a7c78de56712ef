#include "viz/curves.h"

#include "base/bug.h"
#include "base/strbuf.h"
#include "viz/axis.h"
#include "viz/display_list.h"
#include "viz/label.h"
#include "viz/svg.h"

#include <math.h>
#include <stdlib.h>

/* Pixels, unless another unit is named. */
enum {
    MARGIN = 16,
    TITLE_SIZE = 15,
    TITLE_HEIGHT = 38,
    FONT = 12,
    TICK_SIZE = 11,
    GAP = 7, /* between a text and what it belongs to */
    PLOT_WIDTH = 520,
    PLOT_HEIGHT = 320,
    X_MOST = 10, /* steps along the axes */
    Y_MOST = 5,
    LEGEND_GAP = 24,
    LEGEND_LINE = 34, /* the sample of a curve's line */
    LEGEND_ROW = 22,
};

/* From the baseline to the middle of small letters, in units of the font size. */
static const double half_height = 0.36;
static const double line_width = 2, mark_radius = 4.5;

static const struct colour paper = {0xff, 0xff, 0xff}, ink = {0x22, 0x22, 0x22},
                           grid_line = {0xdd, 0xe0, 0xe3}, axis_line = {0x77, 0x7c, 0x80};

/* Colours of Okabe and Ito that most colour-blind readers tell apart, those with enough contrast on
 * paper. Five colours with four marks and dashes repeat after twenty curves only. */
static const struct colour colours[] = {{0x00, 0x72, 0xb2},
                                        {0xd5, 0x5e, 0x00},
                                        {0x00, 0x9e, 0x73},
                                        {0xcc, 0x79, 0xa7},
                                        {0x22, 0x22, 0x22}};
enum { COLOURS = sizeof colours / sizeof *colours };
static const struct {
    double dash, gap;
} dashes[] = {{0, 0}, {8, 4}, {3, 3}, {14, 3}};
enum { DASHES = sizeof dashes / sizeof *dashes };

/* One text of each, or none. */
struct layout {
    const struct curves_plot *plot;
    struct label_set title, x_label, y_label, labels;
    struct axis x, y;
    double left, top; /* corner of the plot area */
    double width, height;
};

/* ---- What all outputs share ------------------------------------------------------------------ */

bool curves_shows(const struct curve *curve, int i, const struct axis *y)
{
    return isfinite(curve->x[i]) && curve->y[i] >= y->from && curve->y[i] <= y->to;
}

void curves_axes(const struct curves_plot *plot, int x_most, int y_most, struct axis *x,
                 struct axis *y)
{
    double min = HUGE_VAL, max = -HUGE_VAL;
    *y = axis_around(plot->y_min, plot->y_max, y_most);
    for (int c = 0; c < plot->count; c++)
        for (int i = 0; i < plot->curve[c].count; i++)
            if (curves_shows(&plot->curve[c], i, y)) {
                min = fmin(min, plot->curve[c].x[i]);
                max = fmax(max, plot->curve[c].x[i]);
            }
    *x = axis_around(min, max, x_most);
}

/* ---- Layout ---------------------------------------------------------------------------------- */

static double widest_tick(struct display_list *list, const struct axis *axis)
{
    double most = 0;
    for (int i = 0; i <= axis->steps; i++) {
        struct strbuf text = {0};
        axis_add_tick(&text, axis, i);
        list->failed |= text.failed;
        if (!text.failed)
            most = fmax(most, label_em(text.text) * TICK_SIZE);
        strbuf_release(&text);
    }
    return most;
}

/* An axis label longer than its axis is centred on it and needs room on both sides. */
static void make_room(struct layout *l)
{
    const double y_room = label_set_em(&l->y_label) * FONT + 2 * MARGIN;
    const double x_room = label_set_em(&l->x_label) * FONT + 2 * MARGIN;
    const double down = fmax(0, y_room / 2 - (l->top + PLOT_HEIGHT / 2.0));
    const double across = fmax(0, x_room / 2 - (l->left + PLOT_WIDTH / 2.0));
    l->top += down;
    l->left += across;
    l->height = fmax(l->height + down, l->top + PLOT_HEIGHT / 2.0 + y_room / 2);
    l->width = fmax(l->width + across, l->left + PLOT_WIDTH / 2.0 + x_room / 2);
}

static void lay_out(struct layout *l, struct display_list *list)
{
    const double caption = FONT + GAP;
    l->left = ceil(MARGIN + (l->y_label.count ? caption : 0) + widest_tick(list, &l->y) + GAP);
    l->top = MARGIN + (l->title.count ? TITLE_HEIGHT : TICK_SIZE);
    const double legend = LEGEND_GAP + LEGEND_LINE + GAP + label_set_em(&l->labels) * FONT;
    const double beside = fmax(l->labels.count ? legend : 0, widest_tick(list, &l->x) / 2);
    const double title = MARGIN + label_set_em(&l->title) * TITLE_SIZE;
    const double below = TICK_SIZE + GAP + (l->x_label.count ? caption : 0);
    const double rows = (double)l->labels.count * LEGEND_ROW;
    l->width = ceil(fmax(l->left + PLOT_WIDTH + beside, title) + MARGIN);
    l->height = ceil(l->top + fmax(PLOT_HEIGHT + below, rows) + MARGIN);
    make_room(l);
}

static double x_at(const struct layout *l, double x)
{
    return l->left + PLOT_WIDTH * axis_share(&l->x, x);
}

static double y_at(const struct layout *l, double y)
{
    return l->top + PLOT_HEIGHT * (1 - axis_share(&l->y, y));
}

/* ---- Axes ------------------------------------------------------------------------------------ */

static void draw_tick(struct display_list *list, struct display_text at, const struct axis *axis,
                      int i)
{
    struct strbuf text = {0};
    axis_add_tick(&text, axis, i);
    list->failed |= text.failed;
    at.size = TICK_SIZE;
    at.colour = ink;
    at.text = text.text;
    display_list_text(list, at);
    strbuf_release(&text);
}

static void draw_x_axis(struct display_list *list, const struct layout *l)
{
    const double bottom = l->top + PLOT_HEIGHT;
    for (int i = 0; i <= l->x.steps; i++) {
        const double x = x_at(l, axis_tick(&l->x, i));
        display_list_line(list, (struct display_line){x, l->top, x, bottom, 1, grid_line});
        draw_tick(
            list,
            (struct display_text){.x = x, .y = bottom + GAP + TICK_SIZE, .anchor = ANCHOR_MIDDLE},
            &l->x, i);
    }
}

static void draw_y_axis(struct display_list *list, const struct layout *l)
{
    for (int i = 0; i <= l->y.steps; i++) {
        const double y = y_at(l, axis_tick(&l->y, i));
        display_list_line(list,
                          (struct display_line){l->left, y, l->left + PLOT_WIDTH, y, 1, grid_line});
        draw_tick(list,
                  (struct display_text){
                      .x = l->left - GAP, .y = y + half_height * TICK_SIZE, .anchor = ANCHOR_END},
                  &l->y, i);
    }
}

static void draw_frame(struct display_list *list, const struct layout *l)
{
    const double bottom = l->top + PLOT_HEIGHT, right = l->left + PLOT_WIDTH;
    display_list_line(list, (struct display_line){l->left, bottom, right, bottom, 1, axis_line});
    display_list_line(list, (struct display_line){l->left, l->top, l->left, bottom, 1, axis_line});
}

static void draw_captions(struct display_list *list, const struct layout *l)
{
    struct display_text text = {
        .x = MARGIN, .y = MARGIN + TITLE_SIZE, .size = TITLE_SIZE, .colour = ink};
    text.text = l->plot->title;
    if (text.text)
        display_list_text(list, text);
    text.size = FONT;
    text.anchor = ANCHOR_MIDDLE;
    text.x = l->left + PLOT_WIDTH / 2.0;
    text.y = l->top + PLOT_HEIGHT + GAP + TICK_SIZE + GAP + FONT;
    text.text = l->plot->x_label;
    if (text.text)
        display_list_text(list, text);
    text.x = MARGIN + FONT;
    text.y = l->top + PLOT_HEIGHT / 2.0;
    text.turn = 90;
    text.text = l->plot->y_label;
    if (text.text)
        display_list_text(list, text);
}

/* ---- Curves ---------------------------------------------------------------------------------- */

static void draw_line(struct display_list *list, int c, const double *x, const double *y, int count)
{
    if (count > 1)
        display_list_polyline(list, (struct display_polyline){.x = x,
                                                              .y = y,
                                                              .count = count,
                                                              .width = line_width,
                                                              .dash = dashes[c % DASHES].dash,
                                                              .gap = dashes[c % DASHES].gap,
                                                              .colour = colours[c % COLOURS]});
}

static void draw_mark(struct display_list *list, int c, double x, double y, const char *tooltip)
{
    display_list_mark(list, (struct display_mark){.x = x,
                                                  .y = y,
                                                  .radius = mark_radius,
                                                  .form = (enum display_form)(c % DISPLAY_FORMS),
                                                  .fill = colours[c % COLOURS],
                                                  .edge = paper,
                                                  .tooltip = tooltip});
}

/* One line through each run of points without a gap; x and y have room for all points. */
static void draw_runs(struct display_list *list, const struct layout *l, int c, double *x,
                      double *y)
{
    const struct curve *curve = &l->plot->curve[c];
    int run = 0;
    for (int i = 0; i < curve->count; i++) {
        if (curves_shows(curve, i, &l->y)) {
            x[run] = x_at(l, curve->x[i]);
            y[run++] = y_at(l, curve->y[i]);
        } else {
            draw_line(list, c, x, y, run);
            run = 0;
        }
    }
    draw_line(list, c, x, y, run);
}

/* "label: 12.5, 87.50" */
static void draw_marks(struct display_list *list, const struct layout *l, int c)
{
    const struct curve *curve = &l->plot->curve[c];
    struct strbuf tip = {0};
    for (int i = 0; i < curve->count; i++) {
        if (!curves_shows(curve, i, &l->y))
            continue;
        strbuf_clear(&tip);
        label_add_isolated(&tip, l->labels.text[c]);
        strbuf_adds(&tip, ": ");
        label_add_number(&tip, curve->x[i], 1);
        strbuf_adds(&tip, ", ");
        label_add_number(&tip, curve->y[i], 2);
        list->failed |= tip.failed;
        draw_mark(list, c, x_at(l, curve->x[i]), y_at(l, curve->y[i]), tip.text);
    }
    strbuf_release(&tip);
}

static void draw_curve(struct display_list *list, const struct layout *l, int c)
{
    const size_t count = (size_t)l->plot->curve[c].count;
    double *points = calloc(2 * count + 1, sizeof *points);
    list->failed |= !points;
    if (points)
        draw_runs(list, l, c, points, points + count);
    free(points);
    draw_marks(list, l, c);
}

static void draw_legend(struct display_list *list, const struct layout *l)
{
    const double from = l->left + PLOT_WIDTH + LEGEND_GAP, to = from + LEGEND_LINE;
    for (int c = 0; c < l->plot->count; c++) {
        const double y = l->top + (c + 0.5) * LEGEND_ROW;
        draw_line(list, c, (const double[]){from, to}, (const double[]){y, y}, 2);
        draw_mark(list, c, (from + to) / 2, y, NULL);
        display_list_text(list, (struct display_text){.x = to + GAP,
                                                      .y = y + half_height * FONT,
                                                      .size = FONT,
                                                      .colour = ink,
                                                      .text = l->plot->curve[c].label});
    }
}

static void draw_all(struct display_list *list, const struct layout *l)
{
    display_list_rect(list, (struct display_rect){0, 0, l->width, l->height, paper, NULL});
    draw_x_axis(list, l);
    draw_y_axis(list, l);
    draw_frame(list, l);
    draw_captions(list, l);
    for (int c = 0; c < l->plot->count; c++)
        draw_curve(list, l, c);
    draw_legend(list, l);
}

/* The labels of all curves as a set. */
static void init_labels(struct label_set *set, const struct curves_plot *plot)
{
    const char **raw = calloc((size_t)plot->count + 1, sizeof *raw);
    *set = (struct label_set){.failed = !raw};
    for (int c = 0; raw && c < plot->count; c++)
        raw[c] = plot->curve[c].label;
    if (raw)
        label_set_init(set, raw, plot->count);
    free(raw);
}

void curves_draw(struct display_list *list, const struct curves_plot *plot)
{
    BUG_ON(plot->count < 0);
    struct layout l = {.plot = plot};
    struct label_set *const sets[] = {&l.title, &l.x_label, &l.y_label, &l.labels};
    const char *const text[] = {plot->title, plot->x_label, plot->y_label};
    display_list_init(list, 0, 0, plot->title ? plot->title : "curves");
    for (int i = 0; i < 3; i++)
        label_set_init(sets[i], &text[i], text[i] ? 1 : 0);
    init_labels(&l.labels, plot);
    for (int i = 0; i < 4; i++)
        list->failed |= sets[i]->failed;
    curves_axes(plot, X_MOST, Y_MOST, &l.x, &l.y);
    if (!list->failed)
        lay_out(&l, list);
    list->width = l.width;
    list->height = l.height;
    if (!list->failed)
        draw_all(list, &l);
    for (int i = 0; i < 4; i++)
        label_set_release(sets[i]);
}

void curves_svg(struct strbuf *out, const struct curves_plot *plot)
{
    struct display_list list;
    curves_draw(&list, plot);
    svg_write(out, &list);
    display_list_release(&list);
}
