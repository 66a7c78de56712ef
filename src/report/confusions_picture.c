/* Confusions of symbols as a picture:
 *
 *              a    e    nothing
 *     a        .    12   3          a row for each symbol of the reference
 *     e        7    .               a column for each symbol of the output
 *     nothing  1                    the last ones: insertions and deletions
 *
 * A cell is the darker the more often the row's symbol became the column's: sqrt(count / largest),
 * so that rare ones stay visible. Cells of the diagonal are gray: they are right. */
#include "attend/eval_set.h"
#include "base/strbuf.h"
#include "viz/label.h"
#include "viz/panel.h"
#include "viz/picture.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Pixels, unless stated otherwise. */
enum {
    MOST = 60, /* symbols */
    MARGIN = 16,
    TITLE_SIZE = 16,
    TITLE_HEIGHT = 30,
    CAPTION_SIZE = 12,
    CAPTION_HEIGHT = 20,
    SIDE = 1000, /* more symbols get smaller cells, down to CELL_LEAST */
    CELL_LEAST = 17,
    CELL_MOST = 34,
    LABEL_GAP = 6,
    FONT_MOST = 13,
    NUMBER_LEAST = 6,
};

struct drawing {
    const struct attend_confusions *confusions;
    struct theme theme;
    struct label_set label; /* (symbols + 1) the last one stands for nothing */
    int symbols;
    long *times; /* (symbols + 1, symbols + 1) rows are symbols of the reference */
    long most;
    double cell, font, left, top;
};

static int place(const struct drawing *d, const char *text)
{
    if (!text)
        return d->symbols;
    for (int i = 0; i < d->symbols; i++)
        if (d->confusions->symbol[i].text == text)
            return i;
    return -1;
}

static bool prepare(struct drawing *d, const struct attend_style *style)
{
    const struct attend_confusions *c = d->confusions;
    const char *name[MOST + 1];
    d->theme = theme_of(style->dark, style->scale);
    for (; d->symbols < MOST && d->symbols < c->symbols; d->symbols++) {
        const struct attend_symbol *s = &c->symbol[d->symbols];
        if (!(s->substituted + s->deleted + s->instead + s->inserted))
            break;
        name[d->symbols] = strcmp(s->text, " ") == 0 ? "space" : s->text;
    }
    name[d->symbols] = "nothing";
    const size_t side = (size_t)d->symbols + 1;
    label_set_init(&d->label, name, (int)side);
    d->times = calloc(side * side, sizeof *d->times);
    for (int i = 0; d->times && i < c->count; i++) {
        const int row = place(d, c->item[i].reference), column = place(d, c->item[i].output);
        if (row < 0 || column < 0)
            continue;
        d->times[(size_t)row * side + (size_t)column] = c->item[i].count;
        d->most = c->item[i].count > d->most ? c->item[i].count : d->most;
    }
    return d->times && !d->label.failed;
}

static void measure(struct drawing *d, const struct attend_style *style)
{
    const double side = d->symbols + 1;
    d->cell = floor(fmax(CELL_LEAST, fmin(CELL_MOST, SIDE / side)));
    d->font = fmin(FONT_MOST, 0.8 * d->cell);
    const double labels = ceil(label_set_em(&d->label) * d->font) + LABEL_GAP;
    d->left = MARGIN + CAPTION_HEIGHT + labels;
    d->top = MARGIN + (style->title ? TITLE_HEIGHT : 0) + CAPTION_HEIGHT + labels;
}

/* ---- Cells ---- */

static void add_tooltip(struct strbuf *out, const struct drawing *d, int row, int column,
                        long times)
{
    const struct attend_symbol *s = &d->confusions->symbol[row];
    if (row == column)
        strbuf_addf(out, "%s: right %ld of %ld times", d->label.text[row], s->same, s->references);
    else
        strbuf_addf(out, "%s became %s: %ld", d->label.text[row], d->label.text[column], times);
}

static void draw_number(struct display_list *list, const struct drawing *d,
                        const struct display_rect *cell, long times)
{
    char text[24];
    snprintf(text, sizeof text, "%ld", times);
    const double size = fmin(0.55 * d->cell, (d->cell - 2) / label_em(text));
    if (size >= NUMBER_LEAST)
        display_list_text(
            list, (struct display_text){.x = cell->x + cell->width / 2,
                                        .y = cell->y + cell->height / 2 + PANEL_HALF_HEIGHT * size,
                                        .size = size,
                                        .anchor = ANCHOR_MIDDLE,
                                        .color = color_ink(cell->fill),
                                        .text = text,
                                        .tooltip = cell->tooltip});
}

static void draw_cell(struct display_list *list, const struct drawing *d, int row, int column)
{
    const long times = d->times[(size_t)row * ((size_t)d->symbols + 1) + (size_t)column];
    const bool same = row == column;
    struct strbuf tip = {0};
    if (row == d->symbols && same)
        return;
    add_tooltip(&tip, d, row, column, times);
    list->failed |= tip.failed;
    const struct display_rect cell = {
        .x = d->left + column * d->cell,
        .y = d->top + row * d->cell,
        .width = d->cell,
        .height = d->cell,
        .fill = same ? d->theme.rule
                     : theme_weight(&d->theme, sqrt((double)times / (double)fmax(d->most, 1))),
        .tooltip = tip.text};
    display_list_rect(list, cell);
    if (times)
        draw_number(list, d, &cell, times);
    strbuf_release(&tip);
}

/* ---- Around them ---- */

static void draw_grid(struct display_list *list, const struct drawing *d)
{
    const double end = (d->symbols + 1) * d->cell;
    for (int i = 0; i <= d->symbols + 1; i++) {
        const double at = i * d->cell;
        const struct color color = i == d->symbols ? d->theme.axis : d->theme.rule;
        display_list_line(list, (struct display_line){d->left + at, d->top, d->left + at,
                                                      d->top + end, 1, color});
        display_list_line(list, (struct display_line){d->left, d->top + at, d->left + end,
                                                      d->top + at, 1, color});
    }
}

static void draw_labels(struct display_list *list, const struct drawing *d)
{
    const double shift = PANEL_HALF_HEIGHT * d->font;
    for (int i = 0; i <= d->symbols; i++) {
        const double at = (i + 0.5) * d->cell;
        struct display_text text = {.x = d->left - LABEL_GAP,
                                    .y = d->top + at + shift,
                                    .size = d->font,
                                    .anchor = ANCHOR_END,
                                    .color = d->theme.ink,
                                    .text = d->label.text[i]};
        display_list_text(list, text);
        text.x = d->left + at;
        text.y = d->top - LABEL_GAP;
        text.anchor = ANCHOR_MIDDLE;
        if (label_em(text.text) * d->font > d->cell) {
            text.x += shift;
            text.turn = 90;
            text.anchor = ANCHOR_START;
        }
        display_list_text(list, text);
    }
}

static void draw_captions(struct display_list *list, const struct drawing *d,
                          const struct attend_style *style, const char *title)
{
    const double middle = (d->symbols + 1) * d->cell / 2;
    const double above = MARGIN + (style->title ? TITLE_HEIGHT : 0) + CAPTION_SIZE;
    struct display_text text = {.x = MARGIN,
                                .y = MARGIN + TITLE_SIZE,
                                .size = TITLE_SIZE,
                                .color = d->theme.ink,
                                .text = title};
    if (style->title)
        display_list_text(list, text);
    text = (struct display_text){.x = d->left + middle,
                                 .y = above,
                                 .size = CAPTION_SIZE,
                                 .anchor = ANCHOR_MIDDLE,
                                 .color = d->theme.faint,
                                 .text = "output"};
    display_list_text(list, text);
    text.x = MARGIN + CAPTION_SIZE;
    text.y = d->top + middle;
    text.turn = 90;
    text.text = "right";
    display_list_text(list, text);
}

static void draw(struct display_list *list, const struct drawing *d,
                 const struct attend_style *style)
{
    const double side = (d->symbols + 1) * d->cell;
    struct strbuf title = {0};
    label_add(&title, style->title ? style->title : "confusions");
    const char *safe = title.text ? title.text : "";
    const double least = style->title ? label_em(safe) * TITLE_SIZE + 2 * MARGIN : 0;
    const double width = fmax(d->left + side + MARGIN, ceil(least)),
                 height = d->top + side + MARGIN;
    display_list_init(list, width, height, safe);
    display_list_rect(list, (struct display_rect){0, 0, width, height, d->theme.paper, NULL});
    for (int row = 0; row <= d->symbols; row++)
        for (int column = 0; column <= d->symbols; column++)
            draw_cell(list, d, row, column);
    draw_grid(list, d);
    draw_labels(list, d);
    draw_captions(list, d, style, safe);
    list->failed |= title.failed;
    strbuf_release(&title);
}

struct attend_picture *attend_picture_confusions(const struct attend_confusions *confusions,
                                                 const struct attend_style *style)
{
    struct drawing d = {.confusions = confusions};
    struct attend_picture *picture = calloc(1, sizeof *picture);
    if (picture && prepare(&d, style)) {
        measure(&d, style);
        draw(&picture->list, &d, style);
    }
    const bool failed = !picture || !d.times || d.label.failed || picture->list.failed;
    label_set_release(&d.label);
    free(d.times);
    if (!failed)
        return picture;
    attend_picture_free(picture);
    return NULL;
}
