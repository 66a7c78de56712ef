#include "viz/html.h"

#include "attend/plot.h"
#include "base/asset.h"
#include "base/bug.h"
#include "base/json_writer.h"
#include "base/strbuf.h"
#include "viz/color.h"
#include "viz/label.h"
#include "viz/template.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

enum { DECIMALS = 4, SCALE_STEPS = 64 };

struct page {
    const struct attend_matrix *matrix;
    int count;
    const struct attend_style *style;
    const char *title; /* any bytes */
};

/* ---- Data: what web/page.js reads ------------------------------------------------------------ */

static void put_word(struct json_writer *w, const char *name, const char *raw)
{
    struct strbuf safe = {0};
    label_add(&safe, raw);
    w->out->failed |= safe.failed;
    json_put_text(w, name, safe.text ? safe.text : "");
    strbuf_release(&safe);
}

static void put_words(struct json_writer *w, const char *name, const char *const *word, int count)
{
    json_begin_array(w, name);
    for (int i = 0; i < count; i++)
        put_word(w, NULL, word[i]);
    json_end(w);
}

/* Without trailing zeros, because most weights are 0. JSON cannot represent NaN or infinity. */
static void put_weight(struct json_writer *w, double weight)
{
    struct strbuf number = {0};
    label_add_number(&number, weight, DECIMALS);
    char *end = number.text + number.length;
    if (!number.failed && strchr(number.text, '.')) {
        while (end[-1] == '0')
            *--end = '\0';
        if (end[-1] == '.')
            end[-1] = '\0';
        json_put_raw(w, NULL, number.text);
    } else {
        w->out->failed |= number.failed;
        json_put_text(w, NULL, NULL);
    }
    strbuf_release(&number);
}

static void put_weights(struct json_writer *w, const struct attend_matrix *m)
{
    json_begin_array(w, "weight");
    for (int t = 0; t < m->target_count; t++) {
        const float *row = m->weight + (size_t)t * (size_t)m->source_count;
        json_begin_array(w, NULL);
        for (int s = 0; s < m->source_count; s++)
            put_weight(w, (double)row[s]);
        json_end(w);
    }
    json_end(w);
}

static void put_item(struct json_writer *w, const struct attend_matrix *m)
{
    json_begin_object(w, NULL);
    if (m->title)
        put_word(w, "title", m->title);
    else
        json_put_text(w, "title", NULL);
    put_words(w, "source", m->source, m->source_count);
    put_words(w, "target", m->target, m->target_count);
    put_weights(w, m);
    json_end(w);
}

static void put_color(struct json_writer *w, const char *name, const struct color_scale *scale,
                      double weight)
{
    const struct color c = color_scale_at(scale, weight);
    char text[8];
    snprintf(text, sizeof text, "#%02x%02x%02x", c.r, c.g, c.b);
    json_put_text(w, name, text);
}

/* The colors of the weights 0 to 1 in equal steps, and of NaN. */
static void put_scale(struct json_writer *w, const char *name, bool dark)
{
    const struct color_scale *scale = color_scale_find(name, dark);
    json_begin_object(w, dark ? "dark" : "light");
    json_begin_array(w, "steps");
    for (int i = 0; i <= SCALE_STEPS; i++)
        put_color(w, NULL, scale, (double)i / SCALE_STEPS);
    json_end(w);
    put_color(w, "none", scale, (double)NAN);
    json_end(w);
}

static void put_picture_style(struct json_writer *w, const struct page *page)
{
    static const char *const view[] = {[ATTEND_VIEW_HEATMAP] = "heatmap",
                                       [ATTEND_VIEW_LINKS] = "links",
                                       [ATTEND_VIEW_SALIENCE] = "salience"};
    static const char *const values[] = {[ATTEND_VALUES_AUTO] = "auto",
                                         [ATTEND_VALUES_ALWAYS] = "always",
                                         [ATTEND_VALUES_NEVER] = "never"};
    put_word(w, "title", page->title);
    json_put_text(w, "view", view[page->style->view]);
    json_put_text(w, "values", values[page->style->values]);
    json_put_flag(w, "dark", page->style->dark);
    json_begin_object(w, "scale");
    put_scale(w, page->style->scale, false);
    put_scale(w, page->style->scale, true);
    json_end(w);
}

static void add_data(struct strbuf *out, const void *context)
{
    const struct page *page = context;
    struct json_writer w = {.out = out, .in_script = true};
    json_begin_object(&w, NULL);
    put_picture_style(&w, page);
    json_begin_array(&w, "items");
    for (int i = 0; i < page->count; i++) {
        w.new_line = true;
        put_item(&w, &page->matrix[i]);
    }
    json_end(&w);
    json_end(&w);
}

/* ---- The other parts ------------------------------------------------------------------------- */

static void add_title(struct strbuf *out, const void *context)
{
    template_add_text(out, ((const struct page *)context)->title);
}

static void add_style(struct strbuf *out, const void *context)
{
    (void)context;
    strbuf_adds(out, asset_get("theme.css")->bytes);
    strbuf_adds(out, asset_get("page.css")->bytes);
}

static void add_script(struct strbuf *out, const void *context)
{
    (void)context;
    static const char *const modules[] = {"attention.js", "links.js", "follow.js", "page.js"};
    for (size_t i = 0; i < sizeof modules / sizeof *modules; i++)
        template_add_script(out, modules[i]);
}

/* To add a placeholder to the template: write {{name}} there and add its row here. */
static const struct template_place places[] = {
    {"title", add_title}, {"style", add_style}, {"data", add_data}, {"script", add_script}, {0}};

void html_page(struct strbuf *out, const struct attend_matrix *matrix, int count,
               const struct attend_style *style)
{
    BUG_ON(count < 1);
    const char *only = count == 1 ? matrix->title : NULL;
    const struct page page = {matrix, count, style,
                              style->title ? style->title
                              : only       ? only
                                           : "Attention"};
    template_fill(out, "page.html", places, &page);
}
