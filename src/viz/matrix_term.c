#include "viz/matrix_term.h"

#include "base/strbuf.h"
#include "base/utf8.h"
#include "viz/panel.h"

#include <math.h>
#include <stdio.h>

enum { LABEL_MOST = 8 }; /* columns; wider source labels go to the key below */

/* Columns of a cell, a blank before its content among them: the first that keeps the line short
 * enough is taken, or else the last. */
enum { WIDTHS = 3 };
static const int widths[][3][WIDTHS] = {
    /* every weight stays readable, however long the line */
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
    enum term_style style;
    int S;
    int margin; /* columns of the row labels and of the blank beside them */
    int cell;   /* columns of a cell */
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
    return t->margin + (long long)t->S * cell <= TERM_LINE;
}

/* Labels head the columns if cells with room for them fit, numbers otherwise. */
static void lay_out(struct table *t)
{
    const int *width = widths[t->style][t->panel->values];
    const int label = label_set_columns(&t->panel->source);
    t->margin = label_set_columns(&t->panel->target) + 1;
    t->cell = 0;
    for (int i = 0; i < WIDTHS && !t->cell && label <= LABEL_MOST; i++) {
        const int cell = label + 1 > width[i] ? label + 1 : width[i];
        t->cell = fits(t, cell) ? cell : 0;
    }
    for (int i = 0; i < WIDTHS && !t->cell; i++)
        t->cell = fits(t, width[i]) || i == WIDTHS - 1 ? width[i] : 0;
    t->numbered = label + 1 > t->cell;
}

/* The source word in the column at `place`, counted from the left. */
static int word_at(const struct table *t, int place)
{
    return t->mirrored ? t->S - 1 - place : place;
}

/* ---- Headers --------------------------------------------------------------------------------- */

/* In the middle of a cell, after its blank. */
static void add_centred(const struct table *t, const char *text)
{
    const int blank = term_rest(t->cell - 1, utf8_width(text));
    term_add_spaces(t->out, 1 + blank / 2);
    label_add_isolated(t->out, text);
    term_add_spaces(t->out, blank - blank / 2);
}

static void add_centred_number(const struct table *t, int number)
{
    char text[16];
    snprintf(text, sizeof text, "%d", number);
    add_centred(t, text);
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
    for (int place = 0; place < t->S; place++)
        add_centred(t, t->panel->source.text[word_at(t, place)]);
    end_header(t);
}

/* One digit of each column's number, the others stand above and below it. */
static void add_digits(const struct table *t, int unit)
{
    begin_header(t);
    for (int place = 0; place < t->S; place++) {
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
    for (int place = 0; place < t->S; place++)
        add_centred_number(t, word_at(t, place) + 1);
    end_header(t);
}

/* The labels of numbered columns, as many in a line as fit. */
static void add_key(const struct table *t)
{
    const struct label_set *source = &t->panel->source;
    const int digits = count_digits(t->S), label = label_set_columns(source);
    const int fit = TERM_LINE / (digits + label + 3), each = fit > 0 ? fit : 1;
    strbuf_addc(t->out, '\n');
    for (int s = 0; s < t->S; s++) {
        const bool ends = (s + 1) % each == 0 || s + 1 == t->S;
        strbuf_addf(t->out, "%*d ", digits, s + 1);
        label_add_isolated(t->out, source->text[s]);
        term_add_spaces(t->out, ends ? 0 : term_rest(label + 2, utf8_width(source->text[s])));
        strbuf_adds(t->out, ends ? "\n" : "");
    }
}

/* ---- Cells ----------------------------------------------------------------------------------- */

static void add_block_cell(const struct table *t, double weight)
{
    const bool value = t->panel->values != ATTEND_VALUES_NEVER;
    strbuf_addc(t->out, ' ');
    for (int i = 0; i < t->cell - (value ? 4 : 1); i++)
        strbuf_adds(t->out, term_shade(weight));
    if (value)
        term_add_weight(t->out, weight);
}

static void add_colour_cell(const struct table *t, double weight)
{
    const int percent = isnan(weight) ? 0 : (int)lround(fmin(fmax(weight, 0), 1) * 100);
    if (percent == 0 || t->cell < 3 || t->panel->values == ATTEND_VALUES_NEVER) {
        term_add_background(t->out, t->panel->theme, weight);
        term_add_spaces(t->out, t->cell);
        return;
    }
    term_add_fill(t->out, t->panel->theme, weight);
    add_centred_number(t, percent);
}

static void add_row_label(const struct table *t, int row)
{
    const char *label = t->panel->target.text[row];
    const int blank = term_rest(t->margin - 1, utf8_width(label));
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
    for (int place = 0; place < t->S; place++) {
        const double weight = panel_weight(t->panel, row, word_at(t, place));
        if (t->style == TERM_BLOCKS)
            add_block_cell(t, weight);
        else
            add_colour_cell(t, weight);
    }
    if (t->style == TERM_TRUECOLOR)
        term_add_reset(t->out);
    if (t->mirrored)
        add_row_label(t, row);
    strbuf_addc(t->out, '\n');
}

void matrix_term_add(struct strbuf *out, const struct panel *panel, enum term_style style)
{
    struct table t = {.panel = panel,
                      .out = out,
                      .style = style,
                      .S = panel->source.count,
                      .mirrored = panel->source_reversed};
    lay_out(&t);
    if (t.numbered)
        add_numbers(&t);
    else
        add_labels(&t);
    for (int row = 0; row < panel->target.count; row++)
        add_row(&t, row);
    if (t.numbered)
        add_key(&t);
}
