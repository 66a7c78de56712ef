#include "viz/legend.h"

#include "viz/display_list.h"
#include "viz/label.h"
#include "viz/theme.h"
#include "viz/matrix_view.h"

#include <math.h>

/* Pixels. */
enum {
    SIZE = 11, /* of the font */
    STRIP = 12,
    STEPS = 40,
    STEP_BELOW = 4,
    CAPTION = 24, /* height of the caption above a vertical legend */
    TICK_GAP = 6,
    PART_GAP = 10, /* between caption, strip and note in a row */
    UPRIGHT_WIDTH = 58,
};

static const double half_height = 0.36; /* of small letters, in units of the font size */

static double text_width(const char *text) { return text ? label_em(text) * SIZE : 0; }

struct legend_size legend_measure(const struct matrix_view_legend *legend, double beside)
{
    if (!legend->color)
        return (struct legend_size){.width = ceil(text_width(legend->caption)), .height = STRIP};
    if (legend->below) {
        const double note = legend->note ? PART_GAP + text_width(legend->note) : 0;
        return (struct legend_size){.width = ceil(text_width(legend->caption) + PART_GAP +
                                                  text_width("01") + 2 * TICK_GAP +
                                                  STEPS * STEP_BELOW + note),
                                    .height = STRIP};
    }
    /* Each step has an integer number of pixels: 80 to 200 in all. */
    const double step = floor(fmax(2, fmin(5, (beside - CAPTION) / STEPS)));
    return (struct legend_size){
        .step = step, .width = UPRIGHT_WIDTH, .height = CAPTION + step * STEPS + SIZE / 2.0};
}

/* Draw step i of the strip, counted from 0. If width shows the weight, steps are strokes along the
 * middle that overlap slightly: a wedge without seams. */
static void draw_step(struct display_list *list, const struct matrix_view_legend *legend,
                      const struct theme *theme, struct display_rect full, int i)
{
    const double weight = i / (STEPS - 1.0), middle = full.y + full.height / 2;
    full.fill = legend->color(theme, weight);
    if (!legend->width) {
        display_list_rect(list, full);
        return;
    }
    display_list_polyline(
        list, (struct display_polyline){.x = (const double[]){full.x, full.x + full.width + 0.5},
                                        .y = (const double[]){middle, middle},
                                        .count = 2,
                                        .width = legend->width(weight),
                                        .color = full.fill});
}

/* The frame is needed because one end has the color of the paper. */
static void draw_frame(struct display_list *list, const struct matrix_view_legend *legend,
                       const struct theme *theme, struct display_rect strip)
{
    if (!legend->width)
        display_list_rect(list, (struct display_rect){strip.x - 1, strip.y - 1, strip.width + 2,
                                                      strip.height + 2, theme->rule, NULL});
}

static void draw_upright(struct display_list *list, const struct matrix_view_legend *legend,
                         const struct theme *theme, const struct legend_size *size, double x,
                         double y)
{
    static const char *const tick[] = {"1", "0.5", "0"};
    struct display_text text = {
        .x = x, .y = y + SIZE, .size = SIZE, .color = theme->faint, .text = legend->caption};
    display_list_text(list, text);
    const double top = y + CAPTION, length = size->step * STEPS;
    draw_frame(list, legend, theme,
               (struct display_rect){x, top, STRIP, length, theme->rule, NULL});
    for (int i = 0; i < STEPS; i++)
        draw_step(list, legend, theme,
                  (struct display_rect){.x = x,
                                        .y = top + (STEPS - 1 - i) * size->step,
                                        .width = STRIP,
                                        .height = size->step},
                  i);
    text.x = x + STRIP + TICK_GAP;
    for (int i = 0; i < 3; i++) {
        text.y = top + i * length / 2 + half_height * SIZE;
        text.text = tick[i];
        display_list_text(list, text);
    }
}

/* Draw a text of the row and return the x of the next part. */
static double draw_part(struct display_list *list, const struct theme *theme, const char *text,
                        double x, double y)
{
    display_list_text(list, (struct display_text){.x = x,
                                                  .y = y + STRIP / 2.0 + half_height * SIZE,
                                                  .size = SIZE,
                                                  .color = theme->faint,
                                                  .text = text});
    return x + text_width(text);
}

/* 0 [strip] 1 caption note */
static void draw_line(struct display_list *list, const struct matrix_view_legend *legend,
                      const struct theme *theme, double x, double y)
{
    x = draw_part(list, theme, "0", x, y) + TICK_GAP;
    draw_frame(list, legend, theme,
               (struct display_rect){x, y, STEPS * STEP_BELOW, STRIP, theme->rule, NULL});
    for (int i = 0; i < STEPS; i++, x += STEP_BELOW)
        draw_step(list, legend, theme,
                  (struct display_rect){.x = x, .y = y, .width = STEP_BELOW, .height = STRIP}, i);
    x = draw_part(list, theme, "1", x + TICK_GAP, y) + PART_GAP;
    x = draw_part(list, theme, legend->caption, x, y) + PART_GAP;
    if (legend->note)
        draw_part(list, theme, legend->note, x, y);
}

void legend_draw(struct display_list *list, const struct matrix_view_legend *legend,
                 const struct theme *theme, const struct legend_size *size, double x, double y)
{
    if (!legend->color)
        draw_part(list, theme, legend->caption, x, y);
    else if (legend->below)
        draw_line(list, legend, theme, x, y);
    else
        draw_upright(list, legend, theme, size, x, y);
}
