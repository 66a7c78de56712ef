#include "viz/ink_plot.h"

#include "base/strbuf.h"
#include "viz/display_list.h"
#include "viz/frames_panel.h"
#include "viz/panel.h"

#include <math.h>
#include <stdlib.h>

/* Pixels. */
enum {
    HEIGHT = 130, /* of the ink, unless it would be wider than WIDTH_MOST */
    WIDTH_MOST = 900,
    WIDTH_PANELS = 440,
    WIDTH_LEAST = 120,
    EDGE = 5, /* around the ink, for thick lines */
    GAP = 12, /* below the ink */
    WORD = 20,
    WORD_GAP = 12,
    POINTS_MOST = 4000, /* of all lines; longer ink is thinned */
};
static const double thin = 1.2, thick = 4.2, gray_share = 0.65;

/* ---- Layout ---------------------------------------------------------------------------------- */

/* The width of the words in a row. */
static double words_width(const struct panel *p)
{
    double width = 0;
    for (int t = 0; t < p->target.count; t++)
        width += label_em(p->target.text[t]) * p->font + WORD_GAP;
    return width;
}

/* Sets `cell`, the pixels of a unit of the ink. */
static void set_scale(struct panel *p, const struct ink_trace *trace)
{
    const double most = p->panels < 2 ? WIDTH_MOST : WIDTH_PANELS;
    const double by_height = trace->height > 0 ? HEIGHT / trace->height : HUGE_VAL;
    const double by_width = trace->width > 0 ? most / trace->width : HUGE_VAL;
    const double scale = fmin(by_height, by_width);
    p->cell = isfinite(scale) ? scale : 1;
}

void ink_plot_measure(struct panel *p)
{
    struct ink_trace trace;
    ink_trace_init(&trace, p);
    p->failed |= trace.failed;
    set_scale(p, &trace);
    p->font = WORD;
    const double width = fmax(trace.width * p->cell, words_width(p));
    p->room = (struct panel_room){.right = ceil(fmax(width, WIDTH_LEAST)) + 2 * EDGE,
                                  .below = ceil(trace.height * p->cell) + 2 * EDGE + GAP +
                                           (p->target.count ? WORD : 0)};
    ink_trace_release(&trace);
}

/* ---- Ink ------------------------------------------------------------------------------------- */

static struct color spot_color(const struct panel *p, const struct ink_spot *spot)
{
    if (spot->word < 0)
        return p->theme->strong;
    const struct color full = frames_word_color(spot->word, frames_panel_dark(p));
    return frames_mix(full, p->theme->strong, gray_share * (INK_LEVELS - spot->level) / INK_LEVELS);
}

static double spot_width(const struct ink_spot *spot)
{
    return thin + (thick - thin) * spot->level / INK_LEVELS;
}

static bool alike(const struct ink_spot *one, const struct ink_spot *other)
{
    return one->word == other->word && one->level == other->level;
}

static void draw_spots(struct display_list *list, const struct panel *p,
                       const struct ink_spot *spot, const double *x, const double *y, int count)
{
    if (count > 1)
        display_list_polyline(list, (struct display_polyline){.x = x,
                                                              .y = y,
                                                              .count = count,
                                                              .width = spot_width(spot),
                                                              .color = spot_color(p, spot)});
    else
        display_list_mark(list, (struct display_mark){.x = x[0],
                                                      .y = y[0],
                                                      .radius = spot_width(spot) / 2,
                                                      .form = MARK_CIRCLE,
                                                      .fill = spot_color(p, spot),
                                                      .edge = spot_color(p, spot)});
}

/* The end of the line from spot i: it includes the first spot of another color, so that there is no
 * gap, and ends with the stroke. `step` spots are one. */
static int line_end(const struct ink_trace *trace, int i, int step, const struct ink_spot **color)
{
    int k = i;
    *color = &trace->spot[i];
    if (trace->spot[i].last || i + 1 >= trace->count)
        return i;
    *color = &trace->spot[i + 1]; /* a piece of the line has the color of the spot where it ends */
    for (int used = 0; k + 1 < trace->count && !trace->spot[k].last; k++, used++)
        if (used >= step && !alike(&trace->spot[k + 1], *color))
            break;
    return k;
}

/* The position of the trace on paper; x and y have room for all spots. */
static void draw_ink(struct display_list *list, const struct panel *p,
                     const struct ink_trace *trace, double left, double top, double *x, double *y)
{
    const int step = 1 + trace->count / POINTS_MOST;
    for (int i = 0; i < trace->count;) {
        const struct ink_spot *color;
        const int end = line_end(trace, i, step, &color);
        int count = 0;
        for (int k = i; k <= end; k++) {
            if ((k - i) % step && k < end)
                continue;
            x[count] = left + trace->spot[k].x * p->cell;
            y[count++] = top + trace->spot[k].y * p->cell;
        }
        draw_spots(list, p, color, x, y, count);
        i = trace->spot[end].last || end == i || end + 1 == trace->count ? end + 1 : end;
    }
}

/* ---- Words ----------------------------------------------------------------------------------- */

/* x of the middle of each word, in their order: below what the word attended to or, where words would
 * touch, moved to the right and then, from the right edge, to the left. A word without weight stands
 * at the end. */
static void place_words(double *x, const struct panel *p, const struct ink_trace *trace)
{
    const double width = p->room.right - EDGE;
    double edge = 0;
    for (int t = 0; t < p->target.count; t++) {
        const double half = (label_em(p->target.text[t]) * p->font + WORD_GAP) / 2;
        x[t] = fmax(isnan(trace->middle[t]) ? width : trace->middle[t] * p->cell, edge + half);
        edge = x[t] + half;
    }
    edge = width;
    for (int t = p->target.count - 1; t >= 0; t--) {
        const double half = (label_em(p->target.text[t]) * p->font + WORD_GAP) / 2;
        x[t] = fmin(x[t], edge - half);
        edge = x[t] - half;
    }
}

static void draw_words(struct display_list *list, const struct panel *p,
                       const struct ink_trace *trace, double left, double y)
{
    double *x = calloc((size_t)p->target.count + 1, sizeof *x);
    list->failed |= !x;
    if (x)
        place_words(x, p, trace);
    for (int t = 0; x && t < p->target.count; t++)
        display_list_text(list,
                          (struct display_text){.x = left + x[t],
                                                .y = y,
                                                .size = p->font,
                                                .anchor = ANCHOR_MIDDLE,
                                                .color = frames_word_color(t, frames_panel_dark(p)),
                                                .text = p->target.text[t]});
    free(x);
}

void ink_plot_draw(struct display_list *list, const struct panel *p, double x, double y)
{
    struct ink_trace trace;
    ink_trace_init(&trace, p);
    double *points = calloc(2 * (size_t)trace.count + 1, sizeof *points);
    list->failed |= trace.failed || !points;
    if (!list->failed) {
        draw_ink(list, p, &trace, x + EDGE, y + EDGE, points, points + trace.count);
        draw_words(list, p, &trace, x + EDGE,
                   y + ceil(trace.height * p->cell) + 2 * EDGE + GAP + WORD * 0.8);
    }
    free(points);
    ink_trace_release(&trace);
}
