/* Traces as documents: InkML of the W3C, and the page web/writing.html. */
#include "attend/plot.h"
#include "base/asset.h"
#include "base/json_writer.h"
#include "base/strbuf.h"
#include "viz/label.h"
#include "viz/pen_path.h"
#include "viz/template.h"

enum { DECIMALS = 4 };

/* ---- InkML: absolute points, y down, one <trace> for each line of the pen ---- */

static void add_point(struct strbuf *out, const struct pen_path *p, int i)
{
    label_add_number(out, p->x[i], DECIMALS);
    strbuf_addc(out, ' ');
    label_add_number(out, p->y[i], DECIMALS);
}

static void add_group(struct strbuf *out, const struct attend_trace *trace)
{
    struct pen_path p;
    pen_path_init(&p, trace);
    out->failed |= p.failed;
    strbuf_adds(out, "<traceGroup>\n");
    if (trace->title) {
        strbuf_adds(out, "<annotation type=\"truth\">");
        template_add_text(out, trace->title);
        strbuf_adds(out, "</annotation>\n");
    }
    for (int from = 0, to; from < p.count; from = to) {
        to = pen_path_line(trace, from);
        strbuf_adds(out, "<trace>");
        for (int i = from; i < to; i++) {
            strbuf_adds(out, i > from ? ", " : "");
            add_point(out, &p, i);
        }
        strbuf_adds(out, "</trace>\n");
    }
    strbuf_adds(out, "</traceGroup>\n");
    pen_path_release(&p);
}

char *attend_writing_inkml(const struct attend_trace *traces, int count)
{
    struct strbuf out = {0};
    strbuf_adds(&out, "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n"
                      "<ink xmlns=\"http://www.w3.org/2003/InkML\">\n");
    for (int i = 0; i < count; i++)
        add_group(&out, &traces[i]);
    strbuf_adds(&out, "</ink>\n");
    return strbuf_detach(&out);
}

/* ---- The page ---- */

struct page {
    const struct attend_trace *trace;
    int count;
    const struct attend_style *style;
    const char *title; /* any bytes */
};

static void put_safe(struct json_writer *w, const char *name, const char *raw)
{
    struct strbuf safe = {0};
    label_add(&safe, raw);
    w->out->failed |= safe.failed;
    json_put_text(w, name, safe.text ? safe.text : "");
    strbuf_release(&safe);
}

static void put_fixed(struct json_writer *w, const char *name, const double *x, int count)
{
    json_begin_array(w, name);
    for (int i = 0; i < count; i++)
        json_put_fixed(w, NULL, x[i], DECIMALS);
    json_end(w);
}

/* The points after which the pen is lifted. */
static void put_lifts(struct json_writer *w, const struct attend_trace *trace)
{
    json_begin_array(w, "lift");
    for (int at = pen_path_line(trace, 0); at < trace->count; at = pen_path_line(trace, at))
        json_put_whole(w, NULL, at - 1);
    json_end(w);
}

static void put_weights(struct json_writer *w, const struct attend_trace *trace)
{
    json_begin_array(w, "weight");
    for (int t = 0; trace->weight && t < trace->count; t++) {
        const float *row = trace->weight + (size_t)t * (size_t)trace->source_count;
        json_begin_array(w, NULL);
        for (int s = 0; s < trace->source_count; s++)
            json_put_number(w, NULL, (double)row[s] < 0.005 ? 0 : (double)row[s], 2);
        json_end(w);
    }
    json_end(w);
}

static void put_trace(struct json_writer *w, const struct attend_trace *trace)
{
    struct pen_path p;
    pen_path_init(&p, trace);
    w->out->failed |= p.failed;
    json_begin_object(w, NULL);
    put_safe(w, "title", trace->title ? trace->title : "");
    json_begin_array(w, "source");
    for (int s = 0; s < trace->source_count; s++)
        put_safe(w, NULL, trace->source[s]);
    json_end(w);
    put_fixed(w, "x", p.x, p.count);
    put_fixed(w, "y", p.y, p.count);
    put_lifts(w, trace);
    put_weights(w, trace);
    json_end(w);
    pen_path_release(&p);
}

static void add_data(struct strbuf *out, const void *context)
{
    const struct page *page = context;
    struct json_writer w = {.out = out, .in_script = true};
    json_begin_object(&w, NULL);
    json_put_flag(&w, "dark", page->style->dark);
    json_begin_array(&w, "traces");
    for (int i = 0; i < page->count; i++) {
        w.new_line = true;
        put_trace(&w, &page->trace[i]);
    }
    json_end(&w);
    json_end(&w);
}

static void add_title(struct strbuf *out, const void *context)
{
    template_add_text(out, ((const struct page *)context)->title);
}

static void add_style(struct strbuf *out, const void *context)
{
    (void)context;
    strbuf_adds(out, asset_get("theme.css")->bytes);
    strbuf_adds(out, asset_get("writing.css")->bytes);
}

static void add_script(struct strbuf *out, const void *context)
{
    (void)context;
    template_add_script(out, "writing.js");
}

static const struct template_place places[] = {
    {"title", add_title}, {"style", add_style}, {"data", add_data}, {"script", add_script}, {0}};

char *attend_writing_page(const struct attend_trace *traces, int count,
                          const struct attend_style *style)
{
    struct strbuf out = {0};
    const struct page page = {traces, count, style, style->title ? style->title : "Handwriting"};
    template_fill(&out, "writing.html", places, &page);
    return strbuf_detach(&out);
}
