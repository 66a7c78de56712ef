/* Deletion curves of a sentence or a file, for a terminal or as a picture. */
#include "attend/explain.h"
#include "viz/picture.h"
#include "base/strbuf.h"
#include "viz/curves.h"

#include <math.h>
#include <stdlib.h>

struct drawing {
    struct curve curve[ATTEND_ORDERS];
    struct curves_panel panel;
    struct curves_plot plot;
    double *x; /* (points) */
};

/* Curves of `points` values, over x = 0, step, 2 step ... A curve may be NULL. */
struct falling {
    const double *y[ATTEND_ORDERS];
    int points;
    double step;
    const char *title, *x_label;
};

static void add_curve(struct drawing *d, const struct falling *f, int c)
{
    d->curve[d->panel.count++] =
        (struct curve){attend_measure_name(c), d->x, f->y[c], f->points, .series = c};
    for (int k = 0; k < f->points; k++) {
        d->panel.y_min = fmin(d->panel.y_min, f->y[c][k]);
        d->panel.y_max = fmax(d->panel.y_max, f->y[c][k]);
    }
}

static bool drawing_init(struct drawing *d, const struct falling *f)
{
    d->x = malloc((size_t)f->points * sizeof *d->x);
    for (int k = 0; d->x && k < f->points; k++)
        d->x[k] = f->step * k;
    d->panel = (struct curves_panel){
        .y_label = "log P per token", .curve = d->curve, .y_max = -(double)INFINITY, .height = 1};
    for (int c = 0; c < ATTEND_ORDERS; c++)
        if (f->y[c])
            add_curve(d, f, c);
    d->plot = (struct curves_plot){
        .title = f->title, .x_label = f->x_label, .panel = &d->panel, .panels = 1, .whole_x = true};
    return d->x;
}

static char *as_text(const struct falling *f, int width)
{
    struct drawing d;
    struct strbuf out = {0};
    out.failed = !drawing_init(&d, f);
    d.plot.width = width;
    if (!out.failed)
        curves_term(&out, &d.plot);
    free(d.x);
    return strbuf_detach(&out);
}

static struct attend_picture *as_picture(const struct falling *f, bool dark)
{
    struct drawing d;
    const bool good = drawing_init(&d, f);
    d.plot.dark = dark;
    struct attend_picture *picture = good ? picture_curves(&d.plot) : NULL;
    free(d.x);
    return picture;
}

/* ---- One sentence ---- */

static struct falling of_sentence(const struct attend_explanation *e, const char *title)
{
    struct falling f = {
        .points = e->points, .step = 1, .title = title, .x_label = "source words removed"};
    for (int c = 0; c < ATTEND_ORDERS; c++)
        f.y[c] = e->curve[c];
    return f;
}

char *attend_explanation_curves(const struct attend_explanation *e,
                                const struct attend_style *style)
{
    const struct falling f = of_sentence(e, style->title);
    return as_text(&f, style->width);
}

struct attend_picture *attend_explanation_picture(const struct attend_explanation *e,
                                                  const struct attend_style *style)
{
    const struct falling f = of_sentence(e, style->title);
    return as_picture(&f, style->dark);
}

/* ---- A file ---- */

static struct falling of_file(const struct attend_faithfulness *from, const char *title)
{
    struct falling f = {.points = ATTEND_SHARES,
                        .step = 100.0 / (ATTEND_SHARES - 1),
                        .title = title,
                        .x_label = "source words removed, percent"};
    for (int c = 0; c < ATTEND_ORDERS; c++)
        f.y[c] = isnan(from->curve[c][0]) ? NULL : from->curve[c];
    return f;
}

char *attend_faithfulness_curves(const struct attend_faithfulness *faithfulness,
                                 const struct attend_style *style)
{
    const struct falling f = of_file(faithfulness, style->title);
    return as_text(&f, style->width);
}

struct attend_picture *attend_faithfulness_picture(const struct attend_faithfulness *faithfulness,
                                                   const struct attend_style *style)
{
    const struct falling f = of_file(faithfulness, style->title);
    return as_picture(&f, style->dark);
}
