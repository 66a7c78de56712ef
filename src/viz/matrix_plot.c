#include "viz/matrix_plot.h"

#include "base/strbuf.h"
#include "viz/display_list.h"
#include "viz/panel.h"

#include <math.h>

/* Pixels, unless stated otherwise. */
enum {
    LABEL_GAP = 6, /* between a label and the cells */
    FONT_MOST = 13,
    CELL_LEAST = 13,
    CELL_LEAST_VALUES = 20, /* if the matrix must show its numbers */
    CELL_MOST = 44,         /* fits a horizontal </s> */
    CELL_MOST_PANELS = 34,
    SIDE = 900, /* larger matrices get smaller cells, down to CELL_LEAST */
    SIDE_PANELS = 1200,
    SLANT_LEAST = 22, /* from this size, cells have room for slanted column labels */
    VALUES_MOST = 12, /* larger matrices show numbers only on request */
    VALUE_SIZE = 11,
    VALUE_LEAST_SIZE = 6,
    VALUE_WIDE = 28, /* from this size, cells have room for the 0 of 0.87 */
    MILESTONE = 10,  /* every so many cells a stronger line, to guide the eye */
    MILESTONE_LEAST = 24,
};

static const double value_least = 0.005; /* smaller weights print as 0.00 */
static const double degree = 3.14159265358979323846 / 180;

/* ---- Layout ---------------------------------------------------------------------------------- */

static double cell_size(const struct panel *p)
{
    const bool alone = p->panels < 2;
    const double across = alone ? 1 : ceil(sqrt(p->panels));
    const double side = alone ? SIDE : SIDE_PANELS / across;
    const double least = p->values == ATTEND_VALUES_ALWAYS ? CELL_LEAST_VALUES : CELL_LEAST;
    const double most = alone ? CELL_MOST : CELL_MOST_PANELS;
    return floor(fmax(least, fmin(most, side / fmax(p->longest, 1))));
}

/* Horizontal labels read best, slanted ones next; small cells have room only for vertical ones. */
static double column_turn(const struct panel *p)
{
    if (label_set_em(&p->source) * p->font <= p->cell - 4)
        return 0;
    return p->cell >= SLANT_LEAST ? 45 : 90;
}

static double header_height(const struct panel *p)
{
    const double length = label_set_em(&p->source) * p->font;
    return length * sin(p->turn * degree) + p->font * cos(p->turn * degree);
}

/* How far slanted labels extend beyond the last column. */
static double header_overhang(const struct panel *p)
{
    double most = 0;
    for (int s = 0; p->turn > 0 && s < p->source.count; s++) {
        const double length = label_em(p->source.text[s]) * p->font;
        const double end = (s + 0.5) * p->cell + length * cos(p->turn * degree) + p->font;
        most = fmax(most, end - p->source.count * p->cell);
    }
    return most;
}

void matrix_plot_measure(struct panel *p)
{
    p->cell = cell_size(p);
    p->font = fmin(FONT_MOST, 0.8 * p->cell);
    p->turn = column_turn(p);
    const double labels = ceil(label_set_em(&p->target) * p->font + LABEL_GAP);
    const double overhang = ceil(header_overhang(p)), width = p->source.count * p->cell;
    p->room = (struct panel_room){.left = labels,
                                  .right = width + overhang,
                                  .above = ceil(header_height(p) + LABEL_GAP),
                                  .below = p->target.count * p->cell,
                                  .tuck = overhang};
    if (p->source_reversed)
        p->room = (struct panel_room){.left = overhang,
                                      .right = width + labels,
                                      .above = p->room.above,
                                      .below = p->room.below};
}

/* ---- Drawing --------------------------------------------------------------------------------- */

/* The position of column s, counted from the left. */
static int place(const struct panel *p, int s)
{
    return p->source_reversed ? p->source.count - 1 - s : s;
}

/* The middle of the letters is above the middle of the column at any angle. In a mirrored picture
 * the labels lean to the other side, where right-to-left text starts. */
static void draw_source(struct display_list *list, const struct panel *p, double x, double y)
{
    const double lean = p->source_reversed && p->turn < 90 ? -1 : 1;
    const double shift = lean * PANEL_HALF_HEIGHT * p->font * sin(p->turn * degree);
    const enum display_anchor anchor = p->turn <= 0 ? ANCHOR_MIDDLE
                                       : lean < 0   ? ANCHOR_END
                                                    : ANCHOR_START;
    for (int s = 0; s < p->source.count; s++)
        display_list_text(list,
                          (struct display_text){.x = x + (place(p, s) + 0.5) * p->cell + shift,
                                                .y = y - LABEL_GAP,
                                                .size = p->font,
                                                .turn = lean * p->turn,
                                                .anchor = anchor,
                                                .color = p->theme->ink,
                                                .text = p->source.text[s]});
}

static void draw_target(struct display_list *list, const struct panel *p, double x, double y)
{
    const bool mirrored = p->source_reversed;
    const double edge = mirrored ? x + p->source.count * p->cell + LABEL_GAP : x - LABEL_GAP;
    for (int t = 0; t < p->target.count; t++)
        display_list_text(
            list, (struct display_text){.x = edge,
                                        .y = y + (t + 0.5) * p->cell + PANEL_HALF_HEIGHT * p->font,
                                        .size = p->font,
                                        .anchor = mirrored ? ANCHOR_START : ANCHOR_END,
                                        .color = p->theme->ink,
                                        .text = p->target.text[t]});
}

static bool is_milestone(int line, int count)
{
    return count >= MILESTONE_LEAST && line % MILESTONE == 0 && line > 0 && line < count;
}

/* Draws either the strong lines or the others. */
static void draw_lines(struct display_list *list, const struct panel *p, double x, double y,
                       bool strong)
{
    const double right = x + p->source.count * p->cell, bottom = y + p->target.count * p->cell;
    const struct color color = strong ? p->theme->strong : p->theme->rule;
    for (int s = 0; s <= p->source.count; s++) {
        const double at = x + (p->source_reversed ? p->source.count - s : s) * p->cell;
        if (is_milestone(s, p->source.count) == strong)
            display_list_line(list, (struct display_line){at, y, at, bottom, 1, color});
    }
    for (int t = 0; t <= p->target.count; t++) {
        const double at = y + t * p->cell;
        if (is_milestone(t, p->target.count) == strong)
            display_list_line(list, (struct display_line){x, at, right, at, 1, color});
    }
}

/* ---- Cells ----------------------------------------------------------------------------------- */

static bool shows_value(const struct panel *p, double weight)
{
    const bool small = p->longest <= VALUES_MOST; /* over all panels, so that they look alike */
    if (isnan(weight))                            /* shown by its color */
        return false;
    if (p->values == ATTEND_VALUES_AUTO)
        return small && !(weight < value_least);
    return p->values == ATTEND_VALUES_ALWAYS;
}

/* "0.87", ".87" in narrow cells, "0" for values that would print as zero. */
static void add_value(struct strbuf *out, const struct panel *p, double weight)
{
    if (fabs(weight) < value_least) {
        strbuf_addc(out, '0');
        return;
    }
    const bool narrow = p->cell < VALUE_WIDE;
    struct strbuf digits = {0};
    label_add_number(&digits, weight, narrow && weight >= 0.995 ? 1 : 2);
    const char *text = digits.text ? digits.text : "";
    strbuf_adds(out, narrow && text[0] == '0' ? text + 1 : text);
    out->failed |= digits.failed;
    strbuf_release(&digits);
}

static void draw_value(struct display_list *list, const struct panel *p,
                       const struct display_rect *cell, double weight)
{
    struct strbuf value = {0};
    add_value(&value, p, weight);
    list->failed |= value.failed;
    const double em = value.text ? label_em(value.text) : 1;
    const double size = fmin(fmin(VALUE_SIZE, 0.5 * p->cell), (p->cell - 2) / em);
    if (size >= VALUE_LEAST_SIZE)
        display_list_text(
            list, (struct display_text){.x = cell->x + cell->width / 2,
                                        .y = cell->y + cell->height / 2 + PANEL_HALF_HEIGHT * size,
                                        .size = size,
                                        .anchor = ANCHOR_MIDDLE,
                                        .color = weight < value_least ? p->theme->axis
                                                                      : color_ink(cell->fill),
                                        .text = value.text,
                                        /* otherwise the number would hide the cell's tooltip */
                                        .tooltip = cell->tooltip});
    strbuf_release(&value);
}

static void draw_cell(struct display_list *list, const struct panel *p, struct display_rect cell,
                      int t, int s)
{
    const double weight = panel_weight(p, t, s);
    struct strbuf tip = {0};
    panel_add_tooltip(&tip, p, t, s);
    list->failed |= tip.failed;
    cell.fill = theme_weight(p->theme, weight);
    cell.tooltip = tip.text;
    display_list_rect(list, cell);
    if (shows_value(p, weight))
        draw_value(list, p, &cell, weight);
    strbuf_release(&tip);
}

void matrix_plot_draw(struct display_list *list, const struct panel *p, double x, double y)
{
    for (int t = 0; t < p->target.count; t++)
        for (int s = 0; s < p->source.count; s++)
            draw_cell(list, p,
                      (struct display_rect){.x = x + place(p, s) * p->cell,
                                            .y = y + t * p->cell,
                                            .width = p->cell,
                                            .height = p->cell},
                      t, s);
    draw_lines(list, p, x, y, false);
    draw_lines(list, p, x, y, true);
    draw_source(list, p, x, y);
    draw_target(list, p, x, y);
}
