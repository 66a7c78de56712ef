#include "viz/matrix_term.h"

#include "base/strbuf.h"
#include "base/utf8.h"
#include "viz/fit.h"
#include "viz/panel.h"

#include <math.h>
#include <stdio.h>

/* Columns: wider source labels go to the key below; labels that are cut keep at least this much. */
enum { LABEL_MOST = 8, CUT_LEAST = 6 };

/* Columns of a cell, including the blank before its content. The first width that keeps lines short
 * enough is used, otherwise the last. */
enum { WIDTHS = 3 };
static const int widths[][3][WIDTHS] = {
    /* all weights stay readable, however long the line is */
    [TERM_BLOCKS] = {[ATTEND_VALUES_AUTO] = {7, 5, 5},
                     [ATTEND_VALUES_ALWAYS] = {7, 5, 5},
                     [ATTEND_VALUES_NEVER] = {5, 3, 2}},
    [TERM_TRUECOLOR] = {[ATTEND_VALUES_AUTO] = {6, 4, 2},
                        [ATTEND_VALUES_ALWAYS] = {6, 4, 4},
                        [ATTEND_VALUES_NEVER] = {6, 4, 2}},
};

struct table {
    const struct panel *panel;
    struct strbuf *out;
    enum term_palette palette;
    enum attend_values values;
    int S, width;
    int from, to; /* the source words of this block of columns */
    int margin;   /* columns of the row labels and the blank next to them */
    int cell;     /* columns of a cell */
    bool numbered, mirrored;
};

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
    return t->margin + (long long)t->S * cell <= t->width;
}

/* The first of the widths, and at least `least`, that fits all columns; 0 if none does. */
static int fitting_cell(const struct table *t, int least)
{
    const int *width = widths[t->palette][t->values];
    for (int i = 0; i < WIDTHS; i++) {
        const int cell = least > width[i] ? least : width[i];
        if (fits(t, cell))
            return cell;
    }
    return 0;
}

/* A cell for labels that are cut; 0 if little would be left of them. */
static int cut_cell(const struct table *t, int label)
{
    const int room = t->S > 0 ? (t->width - t->margin) / t->S : 0;
    const int cell = room < label + 1 ? room : label + 1;
    return cell > CUT_LEAST && cell >= widths[t->palette][t->values][WIDTHS - 1] ? cell : 0;
}

/* Labels head the columns if there is room for them, otherwise numbers. In a terminal of known width
 * labels are cut before that, and cells lose their weights before columns go to another block. */
static void lay_out(struct table *t)
{
    const int label = label_set_columns(&t->panel->source);
    t->margin = label_set_columns(&t->panel->target) + 1;
    t->cell = label <= LABEL_MOST ? fitting_cell(t, label + 1) : 0;
    if (!t->cell && t->panel->width)
        t->cell = cut_cell(t, label);
    t->numbered = !t->cell;
    if (!t->cell)
        t->cell = fitting_cell(t, 0);
    if (!t->cell && t->panel->width && t->values == ATTEND_VALUES_AUTO) {
        t->values = ATTEND_VALUES_NEVER;
        t->cell = fitting_cell(t, 0);
    }
    if (!t->cell)
        t->cell = widths[t->palette][t->values][WIDTHS - 1];
    if (label + 1 <= t->cell)
        t->numbered = false;
}

/* Source words in a block of columns; blocks are of similar size. */
static int block_words(const struct table *t)
{
    const int most = t->panel->width ? (t->width - t->margin) / t->cell : t->S;
    if (most >= t->S)
        return t->S;
    const int blocks = most > 0 ? (t->S + most - 1) / most : t->S;
    return (t->S + blocks - 1) / blocks;
}

/* The source word in column `place`, counted from the left; the block's first place is t->from. */
static int word_at(const struct table *t, int place)
{
    return t->mirrored ? t->from + t->to - 1 - place : place;
}

/* ---- Headers --------------------------------------------------------------------------------- */

/* Centered in a cell, after its blank; cut if it is too wide. */
static void add_centered(const struct table *t, const char *text)
{
    struct strbuf cut = {0};
    fit_add(&cut, text, t->cell - 1);
    const char *shown = cut.text ? cut.text : "";
    const int blank = term_rest(t->cell - 1, utf8_columns(shown));
    term_add_spaces(t->out, 1 + blank / 2);
    label_add_isolated(t->out, shown);
    term_add_spaces(t->out, blank - blank / 2);
    t->out->failed = t->out->failed || cut.failed;
    strbuf_release(&cut);
}

static void add_centered_number(const struct table *t, int number)
{
    char text[16];
    snprintf(text, sizeof text, "%d", number);
    add_centered(t, text);
}

static void begin_header(const struct table *t)
{
    term_add_spaces(t->out, t->mirrored ? 0 : t->margin);
}

static void end_header(const struct table *t)
{
    term_add_spaces(t->out, t->mirrored ? t->margin : 0);
    strbuf_addc(t->out, '\n');
}

static void add_labels(const struct table *t)
{
    begin_header(t);
    for (int place = t->from; place < t->to; place++)
        add_centered(t, t->panel->source.text[word_at(t, place)]);
    end_header(t);
}

/* One digit of each column's number; the digits of a number are stacked. */
static void add_digits(const struct table *t, int unit)
{
    begin_header(t);
    for (int place = t->from; place < t->to; place++) {
        const int number = word_at(t, place) + 1;
        term_add_spaces(t->out, t->cell - 1);
        strbuf_addc(t->out, number >= unit ? (char)('0' + number / unit % 10) : ' ');
    }
    end_header(t);
}

static void add_numbers(const struct table *t)
{
    const int digits = count_digits(t->S);
    if (digits >= t->cell) {
        int unit = 1;
        for (int i = 1; i < digits; i++)
            unit *= 10;
        for (; unit > 0; unit /= 10)
            add_digits(t, unit);
        return;
    }
    begin_header(t);
    for (int place = t->from; place < t->to; place++)
        add_centered_number(t, word_at(t, place) + 1);
    end_header(t);
}

/* The labels of numbered columns one after another, for a terminal that is too narrow for a table. */
static void add_flowing_key(const struct table *t)
{
    const int digits = count_digits(t->S);
    int used = 0;
    for (int s = 0; s < t->S; s++) {
        const char *label = t->panel->source.text[s];
        const int columns = digits + 1 + utf8_columns(label);
        const bool breaks = used > 0 && used + 2 + columns > t->width;
        strbuf_adds(t->out, breaks ? "\n" : used > 0 ? "  " : "");
        strbuf_addf(t->out, "%*d ", digits, s + 1);
        label_add_isolated(t->out, label);
        used = (breaks || used == 0 ? 0 : used + 2) + columns;
    }
    strbuf_addc(t->out, '\n');
}

/* The labels of numbered columns, as many per line as fit. */
static void add_key(const struct table *t)
{
    const struct label_set *source = &t->panel->source;
    const int digits = count_digits(t->S), label = label_set_columns(source);
    const int fit = t->width / (digits + label + 3), each = fit > 0 ? fit : 1;
    strbuf_addc(t->out, '\n');
    if (t->panel->width && fit < 2) {
        add_flowing_key(t);
        return;
    }
    for (int s = 0; s < t->S; s++) {
        const bool ends = (s + 1) % each == 0 || s + 1 == t->S;
        strbuf_addf(t->out, "%*d ", digits, s + 1);
        label_add_isolated(t->out, source->text[s]);
        term_add_spaces(t->out, ends ? 0 : term_rest(label + 2, utf8_columns(source->text[s])));
        strbuf_adds(t->out, ends ? "\n" : "");
    }
}

/* ---- Cells ----------------------------------------------------------------------------------- */

static void add_block_cell(const struct table *t, double weight)
{
    const bool value = t->values != ATTEND_VALUES_NEVER;
    strbuf_addc(t->out, ' ');
    for (int i = 0; i < t->cell - (value ? 4 : 1); i++)
        strbuf_adds(t->out, term_shade(weight));
    if (value)
        term_add_weight(t->out, weight);
}

static void add_color_cell(const struct table *t, double weight)
{
    const int percent = isnan(weight) ? 0 : (int)lround(fmin(fmax(weight, 0), 1) * 100);
    if (percent == 0 || t->cell < 3 || t->values == ATTEND_VALUES_NEVER) {
        term_add_background(t->out, t->panel->theme, weight);
        term_add_spaces(t->out, t->cell);
        return;
    }
    term_add_fill(t->out, t->panel->theme, weight);
    add_centered_number(t, percent);
}

static void add_row_label(const struct table *t, int row)
{
    const char *label = t->panel->target.text[row];
    const int blank = term_rest(t->margin - 1, utf8_columns(label));
    if (t->mirrored)
        strbuf_addc(t->out, ' ');
    else
        term_add_spaces(t->out, blank);
    label_add_isolated(t->out, label);
    if (t->mirrored)
        term_add_spaces(t->out, blank);
    else
        strbuf_addc(t->out, ' ');
}

static void add_row(const struct table *t, int row)
{
    if (!t->mirrored)
        add_row_label(t, row);
    for (int place = t->from; place < t->to; place++) {
        const double weight = panel_weight(t->panel, row, word_at(t, place));
        if (t->palette == TERM_BLOCKS)
            add_block_cell(t, weight);
        else
            add_color_cell(t, weight);
    }
    if (t->palette == TERM_TRUECOLOR)
        term_add_reset(t->out);
    if (t->mirrored)
        add_row_label(t, row);
    strbuf_addc(t->out, '\n');
}

static void add_block(const struct table *t)
{
    if (t->numbered)
        add_numbers(t);
    else
        add_labels(t);
    for (int row = 0; row < t->panel->target.count; row++)
        add_row(t, row);
}

void matrix_term_add(struct strbuf *out, const struct panel *panel, enum term_palette palette)
{
    struct table t = {.panel = panel,
                      .out = out,
                      .palette = palette,
                      .values = panel->values,
                      .S = panel->source.count,
                      .width = panel->width ? panel->width : TERM_LINE,
                      .mirrored = panel->source_reversed};
    lay_out(&t);
    const int words = block_words(&t);
    do {
        t.from = t.to;
        t.to = t.S - t.from < words ? t.S : t.from + words;
        strbuf_adds(out, t.from ? "\n" : "");
        add_block(&t);
    } while (t.to < t.S);
    if (t.numbered)
        add_key(&t);
}
