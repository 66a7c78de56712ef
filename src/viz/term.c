#include "viz/term.h"

#include "base/bug.h"
#include "base/strbuf.h"
#include "base/utf8.h"
#include "viz/colour.h"
#include "viz/label.h"
#include "viz/matrix_plot.h"

#include <math.h>
#include <stdio.h>

/* Terminal columns. */
enum {
    LINE = 100,     /* what may be taken to fit a terminal */
    LABEL_MOST = 8, /* wider source labels go to the key below */
    SCALE_STEPS = 20,
};

/* Columns of a cell, a blank before its content among them: the first that keeps the line short
 * enough is taken, or else the last. */
enum { WIDTHS = 3 };
static const int widths[][WIDTHS] = {
    [TERM_BLOCKS] = {7, 5, 5}, /* every weight stays readable, however long the line */
    [TERM_TRUECOLOR] = {6, 4, 2},
};

struct table {
    const struct matrix_plot *plot;
    struct strbuf *out;
    enum term_style style;
    struct label_set source, target;
    int margin; /* columns of the row labels and of the blank after them */
    int cell;   /* columns of a cell */
    bool numbered;
};

static void add_spaces(struct strbuf *out, int count) { strbuf_addf(out, "%*s", count, ""); }

/* Columns left, never below 0. */
static int rest(int columns, int used) { return columns > used ? columns - used : 0; }

static int count_digits(int number)
{
    int digits = 1;
    while (number >= 10) {
        number /= 10;
        digits++;
    }
    return digits;
}

/* ---- Layout ---------------------------------------------------------------------------------- */

static bool fits(const struct table *t, int cell)
{
    return t->margin + (long long)t->plot->S * cell <= LINE;
}

/* Labels head the columns if cells with room for them fit, numbers otherwise. */
static void lay_out(struct table *t)
{
    const int *width = widths[t->style];
    const int label = label_set_columns(&t->source);
    t->margin = label_set_columns(&t->target) + 1;
    t->cell = 0;
    for (int i = 0; i < WIDTHS && !t->cell && label <= LABEL_MOST; i++) {
        const int cell = label + 1 > width[i] ? label + 1 : width[i];
        t->cell = fits(t, cell) ? cell : 0;
    }
    for (int i = 0; i < WIDTHS && !t->cell; i++)
        t->cell = fits(t, width[i]) || i == WIDTHS - 1 ? width[i] : 0;
    t->numbered = label + 1 > t->cell;
}

/* ---- Headers --------------------------------------------------------------------------------- */

/* In the middle of a cell, after its blank. */
static void add_centred(const struct table *t, const char *text)
{
    const int blank = rest(t->cell - 1, utf8_width(text));
    add_spaces(t->out, 1 + blank / 2);
    label_add_isolated(t->out, text);
    add_spaces(t->out, blank - blank / 2);
}

static void add_centred_number(const struct table *t, int number)
{
    char text[16];
    snprintf(text, sizeof text, "%d", number);
    add_centred(t, text);
}

static void add_labels(const struct table *t)
{
    add_spaces(t->out, t->margin);
    for (int s = 0; s < t->plot->S; s++)
        add_centred(t, t->source.text[s]);
    strbuf_addc(t->out, '\n');
}

/* One digit of each column's number, the others stand above and below it. */
static void add_digits(const struct table *t, int unit)
{
    add_spaces(t->out, t->margin);
    for (int s = 1; s <= t->plot->S; s++) {
        add_spaces(t->out, t->cell - 1);
        strbuf_addc(t->out, s >= unit ? (char)('0' + s / unit % 10) : ' ');
    }
    strbuf_addc(t->out, '\n');
}

static void add_numbers(const struct table *t)
{
    const int digits = count_digits(t->plot->S);
    if (digits >= t->cell) {
        int unit = 1;
        for (int i = 1; i < digits; i++)
            unit *= 10;
        for (; unit > 0; unit /= 10)
            add_digits(t, unit);
        return;
    }
    add_spaces(t->out, t->margin);
    for (int s = 1; s <= t->plot->S; s++)
        add_centred_number(t, s);
    strbuf_addc(t->out, '\n');
}

/* The labels of numbered columns, as many in a line as fit. */
static void add_key(const struct table *t)
{
    const int digits = count_digits(t->plot->S), label = label_set_columns(&t->source);
    const int fit = LINE / (digits + label + 3), each = fit > 0 ? fit : 1;
    strbuf_addc(t->out, '\n');
    for (int s = 0; s < t->plot->S; s++) {
        const bool ends = (s + 1) % each == 0 || s + 1 == t->plot->S;
        strbuf_addf(t->out, "%*d ", digits, s + 1);
        label_add_isolated(t->out, t->source.text[s]);
        add_spaces(t->out, ends ? 0 : rest(label + 2, utf8_width(t->source.text[s])));
        strbuf_adds(t->out, ends ? "\n" : "");
    }
}

/* ---- Cells ----------------------------------------------------------------------------------- */

/* Space, light, medium, dark shade, full block. */
static const char *shade(double weight)
{
    static const struct {
        double least;
        const char *block;
    } shades[] = {{0.75, "\u2588"}, {0.5, "\u2593"}, {0.25, "\u2592"}, {0.05, "\u2591"}};
    for (size_t i = 0; i < sizeof shades / sizeof *shades; i++)
        if (weight >= shades[i].least)
            return shades[i].block;
    return " ";
}

/* A part of one as `unit` parts, clamped: 0.873 of 100 is 87. */
static int in_parts(double weight, int unit)
{
    return (int)lround(fmin(fmax(weight, 0), 1) * unit);
}

/* ".87", "1.0"; a plain 0 lets the others stand out. */
static void add_block_cell(const struct table *t, double weight)
{
    strbuf_addc(t->out, ' ');
    for (int i = 0; i < t->cell - 4; i++)
        strbuf_adds(t->out, shade(weight));
    const int hundredths = isnan(weight) ? 0 : in_parts(weight, 100);
    if (hundredths > 0 && hundredths < 100)
        strbuf_addf(t->out, ".%02d", hundredths);
    else
        strbuf_adds(t->out, isnan(weight) ? "nan" : hundredths ? "1.0" : "  0");
}

static void add_background(struct strbuf *out, struct colour c)
{
    strbuf_addf(out, "\033[48;2;%d;%d;%dm", c.r, c.g, c.b);
}

static void add_colour_cell(const struct table *t, double weight)
{
    const struct colour fill = colour_scale(weight), ink = colour_ink(fill);
    const int percent = isnan(weight) ? 0 : in_parts(weight, 100);
    add_background(t->out, fill);
    if (percent == 0 || t->cell < 3) {
        add_spaces(t->out, t->cell);
        return;
    }
    strbuf_addf(t->out, "\033[38;2;%d;%d;%dm", ink.r, ink.g, ink.b);
    add_centred_number(t, percent);
}

static void add_row(const struct table *t, int row)
{
    const char *label = t->target.text[row];
    const float *weight = t->plot->weight + (size_t)row * (size_t)t->plot->S;
    add_spaces(t->out, rest(t->margin - 1, utf8_width(label)));
    label_add_isolated(t->out, label);
    strbuf_addc(t->out, ' ');
    for (int s = 0; s < t->plot->S; s++) {
        if (t->style == TERM_BLOCKS)
            add_block_cell(t, (double)weight[s]);
        else
            add_colour_cell(t, (double)weight[s]);
    }
    strbuf_adds(t->out, t->style == TERM_BLOCKS ? "\n" : "\033[0m\n");
}

static void add_scale(struct strbuf *out)
{
    strbuf_adds(out, "\nweight 0 ");
    for (int i = 0; i <= SCALE_STEPS; i++) {
        add_background(out, colour_scale((double)i / SCALE_STEPS));
        strbuf_addc(out, ' ');
    }
    strbuf_adds(out, "\033[0m 1\n");
}

static void add_table(struct table *t)
{
    lay_out(t);
    if (t->plot->title) {
        label_add(t->out, t->plot->title);
        strbuf_adds(t->out, "\n\n");
    }
    if (t->numbered)
        add_numbers(t);
    else
        add_labels(t);
    for (int row = 0; row < t->plot->T; row++)
        add_row(t, row);
    if (t->numbered)
        add_key(t);
    if (t->style == TERM_TRUECOLOR)
        add_scale(t->out);
}

void term_matrix(struct strbuf *out, const struct matrix_plot *plot, enum term_style style)
{
    BUG_ON(plot->S < 0 || plot->T < 0);
    struct table t = {.plot = plot, .out = out, .style = style};
    label_set_init(&t.source, plot->source, plot->S);
    label_set_init(&t.target, plot->target, plot->T);
    if (t.source.failed || t.target.failed)
        out->failed = true;
    else
        add_table(&t);
    label_set_release(&t.source);
    label_set_release(&t.target);
}
