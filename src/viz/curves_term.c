#include "viz/curves.h"

#include "base/bug.h"
#include "base/strbuf.h"
#include "base/utf8.h"
#include "viz/axis.h"
#include "viz/fit.h"
#include "viz/label.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Sizes in characters. Each character has 2 x 4 Braille dots, which make up the lines. */
enum {
    COLUMNS = 64, /* of the plot area, unless the plot has a width */
    COLUMNS_LEAST = 16,
    COLUMNS_MOST = 120,
    OVERHANG = 3, /* half of the last number below the x axis */
    ROWS = 17,    /* a panel of height 1 */
    X_MOST = 8,   /* most steps of the axes, with COLUMNS of them */
    Y_MOST = 5,
    LETTERS = 26,
    LETTERS_APART = 4, /* columns between two letters of a curve, so that they do not hide the
                        * line */
};

/* Marks points of several curves at the same position. */
static const char together = '*';

/* One panel. */
struct chart {
    const struct curves_panel *panel;
    struct strbuf *out;
    struct axis x, y;
    int margin;                             /* width of the numbers of the y axes */
    int rows, columns;                      /* of dots and letter in use */
    int width;                              /* of the terminal; 0: any */
    unsigned char dots[ROWS][COLUMNS_MOST]; /* offset from U+2800 */
    char letter[ROWS][COLUMNS_MOST];        /* 0: none */
};

static void add_spaces(struct strbuf *out, int count) { strbuf_addf(out, "%*s", count, ""); }

static char letter_of(const struct curve *curve) { return (char)('A' + curve->series % LETTERS); }

/* ---- Positions, in dots from the upper left corner ------------------------------------------- */

static int place(double share, int size)
{
    return (int)lround(fmin(fmax(share, 0), 1) * (size - 1));
}

static int x_at(const struct chart *t, double x)
{
    return place(axis_share(&t->x, x), 2 * t->columns);
}
static int y_at(const struct chart *t, double y)
{
    return place(1 - axis_share(&t->y, y), 4 * t->rows);
}

static void set_dot(struct chart *t, int x, int y)
{
    /* Unicode numbers the dots down the left and then down the right column, except the lowest two,
     * which were added later. */
    static const unsigned char bit[4][2] = {{0x01, 0x08}, {0x02, 0x10}, {0x04, 0x20}, {0x40, 0x80}};
    t->dots[y / 4][x / 2] |= bit[y % 4][x % 2];
}

static void set_segment(struct chart *t, const struct curves_segment *s, int apart)
{
    const int across = 2 * t->columns, x = place(s->x[0], across), y = y_at(t, s->y[0]);
    const int dx = place(s->x[1], across) - x, dy = y_at(t, s->y[1]) - y;
    const int steps = (int)fmax(abs(dx), abs(dy));
    for (int i = 0; i <= steps; i += apart)
        set_dot(t, x + (int)lround((double)dx * i / fmax(steps, 1)),
                y + (int)lround((double)dy * i / fmax(steps, 1)));
}

/* Styles differ in the distance of their dots. */
static void set_line(struct chart *t, const struct curve *curve)
{
    const int apart = curve->style == CURVE_THIN ? 1 : curve->series % 4 + 1;
    for (int i = 1; i < curve->count; i++) {
        struct curves_segment s;
        if (curves_cut(curve, i, &t->x, &t->y, &s))
            set_segment(t, &s, apart);
    }
}

static void set_letter(struct chart *t, char letter, int row, int column)
{
    char *place = &t->letter[row][column];
    *place = *place && *place != letter ? together : letter;
}

static void set_letters(struct chart *t, const struct curve *curve)
{
    int last = -LETTERS_APART;
    for (int i = 0; i < curve->count; i++) {
        if (!curves_shows(curve, i, &t->x, &t->y))
            continue;
        const int column = x_at(t, curve->x[i]) / 2;
        if (column - last >= LETTERS_APART) {
            set_letter(t, letter_of(curve), y_at(t, curve->y[i]) / 4, column);
            last = column;
        }
    }
}

/* "(A)" replaces other letters, as far as there is room around it. */
static void set_best(struct chart *t, const struct curve *curve)
{
    for (int i = 0; i < curve->count; i++) {
        if (!curves_shows(curve, i, &t->x, &t->y))
            continue;
        const int row = y_at(t, curve->y[i]) / 4, column = x_at(t, curve->x[i]) / 2;
        t->letter[row][column] = letter_of(curve);
        if (column > 0 && !t->letter[row][column - 1])
            t->letter[row][column - 1] = '(';
        if (column + 1 < t->columns && !t->letter[row][column + 1])
            t->letter[row][column + 1] = ')';
    }
}

static void set_curve(struct chart *t, const struct curve *curve)
{
    if (curve->style == CURVE_BEST)
        set_best(t, curve);
    else
        set_line(t, curve);
    if (curve->style == CURVE_MARKED)
        set_letters(t, curve);
}

/* ---- Lines of text --------------------------------------------------------------------------- */

/* The tick in a row of the y axis or a column of the x axis, or -1. */
static int tick_in(const struct chart *t, int row, int column)
{
    const struct axis *axis = row >= 0 ? &t->y : &t->x;
    for (int i = 0; i <= axis->steps; i++) {
        const double value = axis_tick(axis, i);
        if (row >= 0 ? y_at(t, value) / 4 == row : x_at(t, value) / 2 == column)
            return i;
    }
    return -1;
}

static void add_cell(const struct chart *t, int row, int column)
{
    const unsigned dots = t->dots[row][column];
    const char braille[] = {(char)0xe2, (char)(0xa0 | dots >> 6), (char)(0x80 | (dots & 0x3f)), 0};
    if (t->letter[row][column])
        strbuf_addc(t->out, t->letter[row][column]);
    else
        strbuf_adds(t->out, dots ? braille : " ");
}

static void add_row(const struct chart *t, int row)
{
    const int tick = tick_in(t, row, -1);
    struct strbuf number = {0};
    int last = t->columns - 1;
    if (tick >= 0)
        axis_add_tick(&number, &t->y, tick);
    strbuf_addf(t->out, "%*s %s", t->margin, tick >= 0 && number.text ? number.text : "",
                tick >= 0 ? "\u2524" : "\u2502");
    while (last >= 0 && !t->dots[row][last] && !t->letter[row][last])
        last--;
    for (int column = 0; column <= last; column++)
        add_cell(t, row, column);
    strbuf_addc(t->out, '\n');
    t->out->failed |= number.failed;
    strbuf_release(&number);
}

/* The numbers below the axis, each centered under its tick. */
static void add_x_numbers(const struct chart *t)
{
    int used = 0;
    for (int column = 0; column < t->columns; column++) {
        const int tick = tick_in(t, -1, column);
        if (tick < 0)
            continue;
        struct strbuf number = {0};
        axis_add_tick(&number, &t->x, tick);
        const int from = t->margin + 2 + column - ((int)number.length - 1) / 2;
        if (number.text && from > used) {
            add_spaces(t->out, from - used);
            strbuf_adds(t->out, number.text);
            used = from + (int)number.length;
        }
        t->out->failed |= number.failed;
        strbuf_release(&number);
    }
    strbuf_addc(t->out, '\n');
}

static void add_x_axis(const struct chart *t)
{
    add_spaces(t->out, t->margin + 1);
    strbuf_adds(t->out, "\u2514");
    for (int column = 0; column < t->columns; column++)
        strbuf_adds(t->out, tick_in(t, -1, column) >= 0 ? "\u252c" : "\u2500");
    strbuf_addc(t->out, '\n');
}

/* A line of text centered below the plot area, or left-aligned if it is too wide. */
static void add_caption(const struct chart *t, const char *raw)
{
    struct strbuf safe = {0};
    label_add(&safe, raw);
    t->out->failed |= safe.failed;
    if (safe.text) {
        const int blank = t->columns - utf8_columns(safe.text);
        add_spaces(t->out, t->margin + 2 + (blank > 0 ? blank / 2 : 0));
        strbuf_addf(t->out, "%s\n", safe.text);
    }
    strbuf_release(&safe);
}

/* A sample of a curve, three columns wide. */
static void add_sample(struct strbuf *out, const struct curve *curve)
{
    static const char *const keys[] = {
        [CURVE_MARKED] = "A-Z", [CURVE_THIN] = "\u2812\u2812\u2812", [CURVE_BEST] = "( )"};
    if (curve->series == CURVES_KEY || curve->style == CURVE_THIN)
        strbuf_adds(out, keys[curve->style]);
    else
        strbuf_addf(out, curve->style == CURVE_BEST ? "(%c)" : " %c ", letter_of(curve));
}

/* A label in what is left of the line after `used` columns. */
static void add_label(struct strbuf *out, const char *raw, int used, int width)
{
    struct strbuf safe = {0};
    label_add(&safe, raw);
    if (safe.text && width > 0)
        fit_add(out, safe.text, width > used ? width - used : 1);
    else if (safe.text)
        strbuf_adds(out, safe.text);
    out->failed |= safe.failed;
    strbuf_release(&safe);
}

static void add_legend(struct strbuf *out, const struct curves_panel *panel, int margin, int width)
{
    for (int c = 0; c < panel->count; c++) {
        if (!panel->curve[c].label)
            continue;
        add_spaces(out, margin);
        add_sample(out, &panel->curve[c]);
        strbuf_adds(out, "  ");
        add_label(out, panel->curve[c].label, margin + 5, width);
        strbuf_addc(out, '\n');
    }
}

static int widest_number(struct strbuf *out, const struct axis *axis)
{
    size_t most = 0;
    for (int i = 0; i <= axis->steps; i++) {
        struct strbuf number = {0};
        axis_add_tick(&number, axis, i);
        most = number.length > most ? number.length : most;
        out->failed |= number.failed;
        strbuf_release(&number);
    }
    return (int)most;
}

/* The same for all panels, so that their plot areas are aligned. */
static int common_margin(struct strbuf *out, const struct curves_plot *plot)
{
    int most = 0;
    for (int p = 0; p < plot->panels; p++) {
        const struct axis y = curves_y_axis(&plot->panel[p], Y_MOST);
        const int width = widest_number(out, &y);
        most = width > most ? width : most;
    }
    return most;
}

/* Returns whether points of several curves share a position. */
static bool add_chart(struct chart *t)
{
    BUG_ON(t->panel->height <= 0 || t->panel->height > 1);
    t->rows = (int)ceil(ROWS * t->panel->height);
    t->y = curves_y_axis(t->panel, Y_MOST);
    for (int c = 0; c < t->panel->count; c++)
        set_curve(t, &t->panel->curve[c]);
    if (t->panel->y_label) {
        add_label(t->out, t->panel->y_label, 0, t->width);
        strbuf_addc(t->out, '\n');
    }
    for (int row = 0; row < t->rows; row++)
        add_row(t, row);
    add_x_axis(t);
    return memchr(t->letter, together, sizeof t->letter);
}

static void add_legends(struct strbuf *out, const struct curves_plot *plot, int margin,
                        bool several)
{
    /* A narrow terminal has no room for an indent. */
    if (plot->width > 0 && plot->width < COLUMNS)
        margin = 0;
    strbuf_addc(out, '\n');
    for (int p = 0; p < plot->panels; p++)
        add_legend(out, &plot->panel[p], margin, plot->width);
    if (several)
        strbuf_addf(out, "%*c   several\n", margin + 2, together);
}

/* Columns of the plot area. */
static int columns_of(const struct curves_plot *plot, int margin)
{
    const int room = plot->width - margin - 2 - OVERHANG;
    if (plot->width <= 0)
        return COLUMNS;
    return room < COLUMNS_LEAST ? COLUMNS_LEAST : room > COLUMNS_MOST ? COLUMNS_MOST : room;
}

/* Most steps of the x axis: as far apart as usual in a narrower plot. */
static int x_steps(int columns)
{
    const int steps = X_MOST * columns / COLUMNS;
    return steps < 2 ? 2 : steps < X_MOST ? steps : X_MOST;
}

void curves_term(struct strbuf *out, const struct curves_plot *plot)
{
    const int margin = common_margin(out, plot), columns = columns_of(plot, margin);
    const struct axis x = curves_x_axis(plot, x_steps(columns));
    const struct chart empty = {
        .out = out, .x = x, .margin = margin, .columns = columns, .width = plot->width};
    struct chart t = empty;
    bool several = false;
    if (plot->title) {
        add_label(out, plot->title, 0, plot->width);
        strbuf_adds(out, "\n\n");
    }
    for (int p = 0; p < plot->panels; p++) {
        t = empty;
        t.panel = &plot->panel[p];
        several |= add_chart(&t);
    }
    add_x_numbers(&t);
    if (plot->x_label)
        add_caption(&t, plot->x_label);
    add_legends(out, plot, margin, several);
}
