#include "viz/curves_layout.h"

#include "base/strbuf.h"
#include "viz/curves.h"
#include "viz/label.h"

#include <math.h>
#include <stdlib.h>

/* Pixels, unless stated otherwise. */
enum {
    TITLE_HEIGHT = 38,
    FULL_HEIGHT = 320, /* a panel of height 1 */
    PANEL_GAP = 24,
    X_MOST = 10, /* most steps of the axes */
    Y_MOST = 5,
    CAPTION = CURVES_FONT + CURVES_GAP,
};

/* ---- Sizes of texts -------------------------------------------------------------------------- */

/* Accepts any bytes; 0 for NULL. */
static double text_width(struct curves_layout *l, const char *raw, int size)
{
    struct strbuf safe = {0};
    label_add(&safe, raw ? raw : "");
    const double em = safe.text ? label_em(safe.text) : 0;
    l->failed |= safe.failed;
    strbuf_release(&safe);
    return em * size;
}

static double widest_tick(struct curves_layout *l, const struct axis *axis)
{
    double most = 0;
    for (int i = 0; i <= axis->steps; i++) {
        struct strbuf text = {0};
        axis_add_tick(&text, axis, i);
        l->failed |= text.failed;
        most = fmax(most, text.text ? label_em(text.text) * CURVES_TICK_SIZE : 0);
        strbuf_release(&text);
    }
    return most;
}

static int legend_rows(const struct curves_panel *panel)
{
    int rows = 0;
    for (int c = 0; c < panel->count; c++)
        rows += panel->curve[c].label != NULL;
    return rows;
}

/* ---- From left to right ---------------------------------------------------------------------- */

static double room_before(struct curves_layout *l, const struct curves_plot *plot)
{
    double captions = 0, ticks = 0;
    for (int p = 0; p < plot->panels; p++) {
        captions = plot->panel[p].y_label ? CAPTION : captions;
        ticks = fmax(ticks, widest_tick(l, &l->frame[p].y));
    }
    return ceil(CURVES_MARGIN + captions + ticks + CURVES_GAP);
}

static double room_after(struct curves_layout *l, const struct curves_plot *plot)
{
    double most = widest_tick(l, &l->x) / 2;
    for (int p = 0; p < plot->panels; p++)
        for (int c = 0; c < plot->panel[p].count; c++) {
            const char *label = plot->panel[p].curve[c].label;
            const double sample = CURVES_LEGEND_GAP + CURVES_LEGEND_LINE + CURVES_GAP;
            most = fmax(most, label ? sample + text_width(l, label, CURVES_FONT) : 0);
        }
    return most;
}

/* A caption longer than its axis is centered and needs room on both sides. */
static void place_across(struct curves_layout *l, const struct curves_plot *plot)
{
    const double half = text_width(l, plot->x_label, CURVES_FONT) / 2 + CURVES_MARGIN;
    const double title = 2 * CURVES_MARGIN + text_width(l, plot->title, CURVES_TITLE_SIZE);
    l->left = fmax(room_before(l, plot), half - CURVES_WIDTH / 2.0);
    const double right = l->left + CURVES_WIDTH + room_after(l, plot) + CURVES_MARGIN;
    const double caption = l->left + CURVES_WIDTH / 2.0 + half;
    l->width = ceil(fmax(fmax(right, caption), title));
}

/* ---- From top to bottom ---------------------------------------------------------------------- */

/* Returns the bottom of the panel, including its legend and its caption. */
static double place_panel(struct curves_layout *l, const struct curves_panel *panel, int p,
                          double top)
{
    struct curves_frame *frame = &l->frame[p];
    const double height = round(FULL_HEIGHT * panel->height);
    const double excess = text_width(l, panel->y_label, CURVES_FONT) - height;
    const double over = fmax(0, ceil(excess / 2));
    frame->top = top + over;
    frame->bottom = frame->top + height;
    return fmax(frame->bottom + over, frame->top + legend_rows(panel) * CURVES_LEGEND_ROW);
}

static void place_down(struct curves_layout *l, const struct curves_plot *plot)
{
    const double below = CURVES_TICK_SIZE + CURVES_GAP + (plot->x_label ? CAPTION : 0);
    double end = CURVES_MARGIN + (plot->title ? TITLE_HEIGHT : CURVES_TICK_SIZE), ticks = end;
    for (int p = 0; p < plot->panels; p++) {
        end = place_panel(l, &plot->panel[p], p, end + (p ? PANEL_GAP : 0));
        ticks = l->frame[p].bottom + below;
    }
    l->height = ceil(fmax(end, ticks) + CURVES_MARGIN);
}

void curves_layout_init(struct curves_layout *l, const struct curves_plot *plot)
{
    *l = (struct curves_layout){.theme = theme_of(plot->dark, NULL),
                                .dark = plot->dark,
                                .frame = calloc((size_t)plot->panels + 1, sizeof *l->frame)};
    l->failed = !l->frame;
    if (l->failed)
        return;
    l->x = curves_x_axis(plot, X_MOST);
    for (int p = 0; p < plot->panels; p++)
        l->frame[p].y = curves_y_axis(&plot->panel[p], Y_MOST);
    place_across(l, plot);
    place_down(l, plot);
}

void curves_layout_release(struct curves_layout *l)
{
    free(l->frame);
    *l = (struct curves_layout){0};
}
