#include "viz/salience_plot.h"

#include "base/strbuf.h"
#include "viz/display_list.h"
#include "viz/panel.h"

#include <math.h>

/* Pixels. */
enum {
    FONT = 16,
    PADDING = 6, /* between a word and the sides of its box */
    BOX_HEIGHT = 28,
    BASELINE = 20, /* from the top of the box */
    BOX_GAP = 4,
    NUMBER_SIZE = 10,
    NUMBER_GAP = 3, /* between a box and the number beneath */
    LINE_GAP = 12,
    LINE_WIDTH = 680, /* longer lines are wrapped; a longer word gets its own line */
};

static bool shows_numbers(const struct panel *p) { return p->values != ATTEND_VALUES_NEVER; }

static double line_height(const struct panel *p)
{
    return BOX_HEIGHT + (shows_numbers(p) ? NUMBER_GAP + NUMBER_SIZE : 0);
}

static void add_received(struct strbuf *out, const struct panel *p, int s)
{
    label_add_number(out, panel_received(p, s), 2);
}

static double number_width(struct panel *p, int s)
{
    struct strbuf number = {0};
    add_received(&number, p, s);
    p->failed |= number.failed;
    const double width = number.text ? label_em(number.text) * NUMBER_SIZE : 0;
    strbuf_release(&number);
    return width;
}

static double box_width(const struct panel *p, int s)
{
    return ceil(label_em(p->source.text[s]) * FONT + 2 * PADDING);
}

/* A number may be wider than the box above it. */
static double slot_width(struct panel *p, int s)
{
    return ceil(fmax(box_width(p, s), shows_numbers(p) ? number_width(p, s) : 0));
}

void salience_plot_measure(struct panel *p)
{
    double x = 0, y = 0, widest = 0;
    for (int s = 0; s < p->source.count; s++) {
        const double slot = slot_width(p, s);
        if (x > 0 && x + slot > LINE_WIDTH) {
            x = 0;
            y += line_height(p) + LINE_GAP;
        }
        p->x[s] = x + (slot - box_width(p, s)) / 2;
        p->y[s] = y;
        widest = fmax(widest, x + slot);
        x += slot + BOX_GAP;
    }
    for (int s = 0; s < p->source.count && p->source_reversed; s++)
        p->x[s] = widest - p->x[s] - box_width(p, s);
    p->room =
        (struct panel_room){.right = widest, .below = p->source.count ? y + line_height(p) : 0};
}

/* "ghar: 1.03" */
static void add_tooltip(struct strbuf *tip, const struct panel *p, int s)
{
    label_add_isolated(tip, p->source.text[s]);
    strbuf_adds(tip, ": ");
    label_add_number(tip, panel_received(p, s), 3);
}

static void draw_number(struct display_list *list, const struct panel *p, int s, double middle,
                        double top)
{
    struct strbuf number = {0};
    add_received(&number, p, s);
    list->failed |= number.failed;
    display_list_text(list, (struct display_text){.x = middle,
                                                  .y = top + BOX_HEIGHT + NUMBER_GAP + NUMBER_SIZE,
                                                  .size = NUMBER_SIZE,
                                                  .anchor = ANCHOR_MIDDLE,
                                                  .color = p->theme->faint,
                                                  .text = number.text});
    strbuf_release(&number);
}

static void draw_word(struct display_list *list, const struct panel *p, int s, double share,
                      double x, double y)
{
    struct strbuf tip = {0};
    const double width = box_width(p, s);
    const struct color fill = theme_weight(p->theme, share);
    add_tooltip(&tip, p, s);
    list->failed |= tip.failed;
    display_list_rect(list, (struct display_rect){x, y, width, BOX_HEIGHT, fill, tip.text});
    display_list_text(list, (struct display_text){.x = x + width / 2,
                                                  .y = y + BASELINE,
                                                  .size = FONT,
                                                  .anchor = ANCHOR_MIDDLE,
                                                  .color = color_ink(fill),
                                                  .text = p->source.text[s],
                                                  .tooltip = tip.text});
    if (shows_numbers(p))
        draw_number(list, p, s, x + width / 2, y);
    strbuf_release(&tip);
}

void salience_plot_draw(struct display_list *list, const struct panel *p, double x, double y)
{
    const double most = panel_most_received(p);
    for (int s = 0; s < p->source.count; s++)
        draw_word(list, p, s, panel_share(p, s, most), x + p->x[s], y + p->y[s]);
}
