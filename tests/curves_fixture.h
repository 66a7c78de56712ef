/* What the tests of curves share: curves, a plot to put them in, and its text. */
#ifndef ATTEND_TESTS_CURVES_FIXTURE_H
#define ATTEND_TESTS_CURVES_FIXTURE_H

#include "test.h"

#include "base/strbuf.h"
#include "base/utf8.h"
#include "viz/curves.h"

#include <string.h>

enum { POINTS = 6 };
static const double x[POINTS] = {3, 8, 13, 18, 23, 28};
static const double falling[POINTS] = {98, 90, 71, 52, 30, 10};
static const double level[POINTS] = {98, 96, 97, 95, 96, 94};
static const struct curve two[] = {{"with <attention>", x, level, POINTS, .series = 0},
                                   {"without", x, falling, POINTS, .series = 1}};

static inline struct curves_panel panel_of(const struct curve *curve, int count)
{
    return (struct curves_panel){"accuracy (%)", curve, count, 0, 100, 1};
}

static inline struct curves_plot plot_of(const struct curves_panel *panel, int panels)
{
    return (struct curves_plot){
        .title = "a & b", .x_label = "words", .panel = panel, .panels = panels};
}

static const double doubling[] = {-1, 1, 4, 16, 64};
static const struct curve powers = {"powers", doubling, level, 5, .series = 0};

static inline char *text_of(void (*output)(struct strbuf *, const struct curves_plot *),
                            const struct curve *curve, int count)
{
    struct strbuf out = {0};
    const struct curves_panel panel = panel_of(curve, count);
    const struct curves_plot plot = plot_of(&panel, 1);
    output(&out, &plot);
    assert_false(out.failed);
    assert_true(utf8_valid(out.text, out.length, NULL));
    return strbuf_detach(&out);
}

static inline int count_of(const char *text, const char *part)
{
    int found = 0;
    for (const char *at = text; (at = strstr(at, part)); at += strlen(part))
        found++;
    return found;
}

#endif
