#include "viz/links_plot.h"

#include "base/strbuf.h"
#include "viz/display_list.h"
#include "viz/panel.h"

#include <math.h>
#include <stdlib.h>

/* Pixels, unless stated otherwise. */
enum {
    FONT = 15,
    WORD_GAP = 16,      /* between two words of a row */
    WORD_GAP_MOST = 64, /* the shorter row is spread to the length of the other, up to this gap */
    CURVE_GAP = 8,      /* between a word's baseline or top and its curves */
    DEPTH_LEAST = 110,  /* of the curves */
    DEPTH_MOST = 260,
    WIDTH_MOST = 8, /* of a curve */
};

static const double depth_share = 0.22; /* of the picture's width */
static const double descent = 0.3;      /* of the font size, below the baseline */

double links_plot_width(double weight) { return fmax(0.8, WIDTH_MOST * fmin(fmax(weight, 0), 1)); }

/* The first part of the scale is too close to the paper for a thin line. */
struct color links_plot_color(const struct theme *theme, double weight)
{
    const double from = 0.28;
    return theme_weight(theme, from + (1 - from) * weight);
}

/* ---- Layout ---------------------------------------------------------------------------------- */

static double word_width(const struct label_set *set, int i)
{
    return label_em(set->text[i]) * FONT;
}

static double words_width(const struct label_set *set)
{
    double width = 0;
    for (int i = 0; i < set->count; i++)
        width += word_width(set, i);
    return width;
}

static double row_width(const struct label_set *set, double gap)
{
    return words_width(set) + gap * (set->count > 1 ? set->count - 1 : 0);
}

/* Set the center of each word; the row is centered in `width`. */
static void place_row(double *middle, const struct label_set *set, bool reversed, double width)
{
    double gap = WORD_GAP;
    if (set->count > 1)
        gap = fmax(gap, fmin(WORD_GAP_MOST, (width - words_width(set)) / (set->count - 1)));
    double at = (width - row_width(set, gap)) / 2;
    for (int i = 0; i < set->count; i++) {
        const double half = word_width(set, i) / 2;
        middle[i] = reversed ? width - at - half : at + half;
        at += 2 * half + gap;
    }
}

void links_plot_measure(struct panel *p)
{
    const int S = p->source.count, T = p->target.count;
    const double width =
        ceil(fmax(row_width(&p->source, WORD_GAP), row_width(&p->target, WORD_GAP)));
    const double depth = ceil(fmin(DEPTH_MOST, fmax(DEPTH_LEAST, depth_share * width)));
    place_row(p->x, &p->source, p->source_reversed, width);
    place_row(p->x + S, &p->target, p->target_reversed, width);
    for (int i = 0; i < S + T; i++)
        p->y[i] = i < S ? FONT : FONT + 2 * CURVE_GAP + depth + FONT;
    p->room = (struct panel_room){.right = width,
                                  .below = ceil(2 * FONT + 2 * CURVE_GAP + depth + descent * FONT)};
}

/* ---- Drawing --------------------------------------------------------------------------------- */

struct link {
    double weight;
    int t, s;
};

/* Light links first, so that strong ones are on top; equal ones in the order of the matrix. */
static int compare(const void *one, const void *other)
{
    const struct link *a = one, *b = other;
    if (a->weight < b->weight || a->weight > b->weight)
        return a->weight < b->weight ? -1 : 1;
    return a->t != b->t ? a->t - b->t : a->s - b->s;
}

/* NaN is not a link. */
static size_t collect(struct link *link, const struct panel *p)
{
    size_t count = 0;
    for (int t = 0; t < p->target.count; t++)
        for (int s = 0; s < p->source.count; s++)
            if (panel_weight(p, t, s) >= PANEL_LINK_LEAST)
                link[count++] = (struct link){panel_weight(p, t, s), t, s};
    return count;
}

static void draw_link(struct display_list *list, const struct panel *p, const struct link *link,
                      double x, double y)
{
    struct strbuf tip = {0};
    const int to = p->source.count + link->t;
    panel_add_tooltip(&tip, p, link->t, link->s);
    list->failed |= tip.failed;
    display_list_curve(list,
                       (struct display_curve){.x1 = x + p->x[link->s],
                                              .y1 = y + p->y[link->s] + CURVE_GAP,
                                              .x2 = x + p->x[to],
                                              .y2 = y + p->y[to] - FONT - CURVE_GAP + 4,
                                              .width = links_plot_width(link->weight),
                                              .color = links_plot_color(p->theme, link->weight),
                                              .tooltip = tip.text});
    strbuf_release(&tip);
}

static void draw_links(struct display_list *list, const struct panel *p, double x, double y)
{
    const size_t cells = (size_t)p->source.count * (size_t)p->target.count;
    struct link *link = calloc(cells + 1, sizeof *link);
    list->failed |= !link;
    if (!link)
        return;
    const size_t count = collect(link, p);
    qsort(link, count, sizeof *link, compare);
    for (size_t i = 0; i < count; i++)
        draw_link(list, p, &link[i], x, y);
    free(link);
}

static void draw_words(struct display_list *list, const struct panel *p, double x, double y)
{
    for (int i = 0; i < p->source.count + p->target.count; i++)
        display_list_text(list,
                          (struct display_text){.x = x + p->x[i],
                                                .y = y + p->y[i],
                                                .size = FONT,
                                                .anchor = ANCHOR_MIDDLE,
                                                .color = p->theme->ink,
                                                .text = i < p->source.count
                                                            ? p->source.text[i]
                                                            : p->target.text[i - p->source.count]});
}

void links_plot_draw(struct display_list *list, const struct panel *p, double x, double y)
{
    draw_links(list, p, x, y);
    draw_words(list, p, x, y);
}
