#include "viz/matrix_plot.h"

#include "base/bug.h"
#include "base/strbuf.h"
#include "viz/display_list.h"
#include "viz/label.h"
#include "viz/svg.h"

#include <math.h>

/* Pixels, unless another unit is named. */
enum {
    MARGIN = 16,
    LABEL_GAP = 6, /* between a label and the cells */
    TITLE_SIZE = 15,
    TITLE_HEIGHT = 30,
    FONT_MOST = 13,
    CELL_LEAST = 12,
    CELL_MOST = 44,   /* room for an upright </s> */
    SIDE = 800,       /* a larger matrix gets smaller cells, until they are CELL_LEAST */
    SLANT_LEAST = 20, /* cells from this size on have room for slanted column labels */
    VALUES_MOST = 12, /* rows or columns of a matrix that shows its numbers */
    VALUE_SIZE = 11,
    LEGEND_GAP = 28,
    LEGEND_WIDTH = 58,
    LEGEND_CAPTION = 24,
    LEGEND_STRIP = 12,
    LEGEND_STEPS = 40,
    LEGEND_SIZE = 11,
};

/* From the baseline to the middle of small letters, in units of the font size. */
static const double half_height = 0.36;
static const double value_least = 0.005; /* smaller weights read 0.00 */
static const double degree = 3.14159265358979323846 / 180;

static const struct colour paper = {0xff, 0xff, 0xff}, ink = {0x22, 0x22, 0x22},
                           grid_line = {0xdd, 0xe0, 0xe3};

struct layout {
    const struct matrix_plot *plot;
    struct label_set title, source, target; /* title: none or one */
    double cell, font;
    double turn;      /* of the column labels, degrees */
    double left, top; /* corner of the first cell */
    double width, height;
    double legend_step;
};

/* ---- Layout ---------------------------------------------------------------------------------- */

/* Upright labels read best, slanted ones next; small cells leave room for vertical ones only. */
static double column_turn(const struct layout *l)
{
    if (label_set_em(&l->source) * l->font <= l->cell - 4)
        return 0;
    return l->cell >= SLANT_LEAST ? 45 : 90;
}

static double header_height(const struct layout *l)
{
    const double length = label_set_em(&l->source) * l->font;
    return length * sin(l->turn * degree) + l->font * cos(l->turn * degree);
}

/* How far slanted labels reach beyond the last column. */
static double header_overhang(const struct layout *l)
{
    double most = 0;
    for (int s = 0; l->turn > 0 && s < l->plot->S; s++) {
        const double length = label_em(l->source.text[s]) * l->font;
        const double end = (s + 0.5) * l->cell + length * cos(l->turn * degree) + l->font;
        most = fmax(most, end - l->plot->S * l->cell);
    }
    return most;
}

static void lay_out(struct layout *l)
{
    const struct matrix_plot *p = l->plot;
    const int longer = p->S > p->T ? p->S : p->T;
    l->cell = floor(fmax(CELL_LEAST, fmin(CELL_MOST, SIDE / fmax(longer, 1))));
    l->font = fmin(FONT_MOST, 0.8 * l->cell);
    l->turn = column_turn(l);
    l->left = ceil(MARGIN + label_set_em(&l->target) * l->font + LABEL_GAP);
    l->top = ceil(MARGIN + (p->title ? TITLE_HEIGHT : 0) + header_height(l) + LABEL_GAP);

    /* The strip is a whole number of pixels for each step: 80 to 200 in all. */
    const double room = (p->T * l->cell - LEGEND_CAPTION) / LEGEND_STEPS;
    l->legend_step = floor(fmax(2, fmin(5, room)));
    const double legend = LEGEND_CAPTION + l->legend_step * LEGEND_STEPS + LEGEND_SIZE;
    const double beside = fmax(header_overhang(l), LEGEND_GAP + LEGEND_WIDTH);
    const double title = MARGIN + label_set_em(&l->title) * TITLE_SIZE;
    l->width = ceil(fmax(l->left + p->S * l->cell + beside, title) + MARGIN);
    l->height = ceil(l->top + fmax(p->T * l->cell, legend) + MARGIN);
}

/* ---- Drawing --------------------------------------------------------------------------------- */

static void draw_title(struct display_list *list, const struct layout *l)
{
    if (!l->plot->title)
        return;
    display_list_text(list, (struct display_text){.x = MARGIN,
                                                  .y = MARGIN + TITLE_SIZE,
                                                  .size = TITLE_SIZE,
                                                  .colour = ink,
                                                  .text = l->plot->title});
}

/* The middle of the letters stands above the middle of the column, however they are turned. */
static void draw_source(struct display_list *list, const struct layout *l)
{
    const double shift = half_height * l->font * sin(l->turn * degree);
    for (int s = 0; s < l->plot->S; s++)
        display_list_text(
            list, (struct display_text){.x = l->left + (s + 0.5) * l->cell + shift,
                                        .y = l->top - LABEL_GAP,
                                        .size = l->font,
                                        .turn = l->turn,
                                        .anchor = l->turn > 0 ? ANCHOR_START : ANCHOR_MIDDLE,
                                        .colour = ink,
                                        .text = l->source.text[s]});
}

static void draw_target(struct display_list *list, const struct layout *l)
{
    for (int t = 0; t < l->plot->T; t++)
        display_list_text(
            list, (struct display_text){.x = l->left - LABEL_GAP,
                                        .y = l->top + (t + 0.5) * l->cell + half_height * l->font,
                                        .size = l->font,
                                        .anchor = ANCHOR_END,
                                        .colour = ink,
                                        .text = l->target.text[t]});
}

static void draw_grid(struct display_list *list, const struct layout *l)
{
    const double right = l->left + l->plot->S * l->cell, bottom = l->top + l->plot->T * l->cell;
    struct display_line line = {.y1 = l->top, .y2 = bottom, .width = 1, .colour = grid_line};
    for (int s = 0; s <= l->plot->S; s++) {
        line.x1 = line.x2 = l->left + s * l->cell;
        display_list_line(list, line);
    }
    line.x1 = l->left;
    line.x2 = right;
    for (int t = 0; t <= l->plot->T; t++) {
        line.y1 = line.y2 = l->top + t * l->cell;
        display_list_line(list, line);
    }
}

static double weight_at(const struct layout *l, int t, int s)
{
    return (double)l->plot->weight[(size_t)t * (size_t)l->plot->S + (size_t)s];
}

/* "target <- source: 0.873" */
static void set_tooltip(struct strbuf *tip, const struct layout *l, int t, int s)
{
    strbuf_clear(tip);
    label_add_isolated(tip, l->target.text[t]);
    strbuf_adds(tip, " <- ");
    label_add_isolated(tip, l->source.text[s]);
    strbuf_adds(tip, ": ");
    label_add_number(tip, weight_at(l, t, s), 3);
}

static void draw_value(struct display_list *list, const struct display_rect *cell, double weight)
{
    struct strbuf value = {0};
    label_add_number(&value, weight, 2);
    list->failed |= value.failed;
    display_list_text(
        list, (struct display_text){.x = cell->x + cell->width / 2,
                                    .y = cell->y + cell->height / 2 + half_height * VALUE_SIZE,
                                    .size = VALUE_SIZE,
                                    .anchor = ANCHOR_MIDDLE,
                                    .colour = colour_ink(cell->fill),
                                    .text = value.text,
                                    /* or the number would hide the cell's */
                                    .tooltip = cell->tooltip});
    strbuf_release(&value);
}

static void draw_cell(struct display_list *list, const struct layout *l, int t, int s)
{
    const double weight = weight_at(l, t, s);
    struct strbuf tip = {0};
    set_tooltip(&tip, l, t, s);
    list->failed |= tip.failed;
    const struct display_rect cell = {.x = l->left + s * l->cell,
                                      .y = l->top + t * l->cell,
                                      .width = l->cell,
                                      .height = l->cell,
                                      .fill = colour_scale(weight),
                                      .tooltip = tip.text};
    display_list_rect(list, cell);
    if (l->plot->S <= VALUES_MOST && l->plot->T <= VALUES_MOST && weight >= value_least)
        draw_value(list, &cell, weight);
    strbuf_release(&tip);
}

static void draw_cells(struct display_list *list, const struct layout *l)
{
    for (int t = 0; t < l->plot->T; t++)
        for (int s = 0; s < l->plot->S; s++)
            draw_cell(list, l, t, s);
}

static void draw_legend(struct display_list *list, const struct layout *l)
{
    static const char *const tick[] = {"1", "0.5", "0"};
    const double x = l->left + l->plot->S * l->cell + LEGEND_GAP, y = l->top + LEGEND_CAPTION;
    struct display_text text = {
        .x = x, .y = l->top + LEGEND_SIZE, .size = LEGEND_SIZE, .colour = ink, .text = "weight"};
    display_list_text(list, text);
    /* A frame, because the light end is as white as the paper. */
    const double length = l->legend_step * LEGEND_STEPS;
    display_list_rect(
        list, (struct display_rect){x - 1, y - 1, LEGEND_STRIP + 2, length + 2, grid_line, NULL});
    for (int i = 0; i < LEGEND_STEPS; i++)
        display_list_rect(
            list, (struct display_rect){x, y + i * l->legend_step, LEGEND_STRIP, l->legend_step,
                                        colour_scale(1 - i / (LEGEND_STEPS - 1.0)), NULL});
    text.x = x + LEGEND_STRIP + LABEL_GAP;
    for (int i = 0; i < 3; i++) {
        text.y = y + i * length / 2 + half_height * LEGEND_SIZE;
        text.text = tick[i];
        display_list_text(list, text);
    }
}

void matrix_plot_draw(struct display_list *list, const struct matrix_plot *plot)
{
    BUG_ON(plot->S < 0 || plot->T < 0);
    struct layout l = {.plot = plot};
    label_set_init(&l.title, &plot->title, plot->title ? 1 : 0);
    label_set_init(&l.source, plot->source, plot->S);
    label_set_init(&l.target, plot->target, plot->T);
    const bool failed = l.title.failed || l.source.failed || l.target.failed;
    if (!failed)
        lay_out(&l);
    display_list_init(list, l.width, l.height, plot->title ? plot->title : "attention weights");
    list->failed |= failed;
    if (!list->failed) {
        display_list_rect(list, (struct display_rect){0, 0, l.width, l.height, paper, NULL});
        draw_title(list, &l);
        draw_cells(list, &l);
        draw_grid(list, &l);
        draw_source(list, &l);
        draw_target(list, &l);
        draw_legend(list, &l);
    }
    label_set_release(&l.title);
    label_set_release(&l.source);
    label_set_release(&l.target);
}

void matrix_plot_svg(struct strbuf *out, const struct matrix_plot *plot)
{
    struct display_list list;
    matrix_plot_draw(&list, plot);
    svg_write(out, &list);
    display_list_release(&list);
}
