#include "viz/html.h"

#include "attend/plot.h"
#include "base/asset.h"
#include "base/bug.h"
#include "base/json.h"
#include "base/strbuf.h"
#include "viz/colour.h"
#include "viz/label.h"
#include "viz/markup.h"

#include <math.h>
#include <string.h>

enum { DECIMALS = 4, SCALE_STEPS = 64 };

struct page {
    const struct attend_matrix *matrix;
    int count;
    const struct attend_look *look;
    const char *title; /* any bytes */
};

/* ---- Data: what web/page.js reads ------------------------------------------------------------ */

static void add_word(struct strbuf *out, const char *raw)
{
    struct strbuf safe = {0};
    label_add(&safe, raw);
    out->failed |= safe.failed;
    json_add_text(out, safe.text ? safe.text : "");
    strbuf_release(&safe);
}

static void add_words(struct strbuf *out, const char *name, const char *const *word, int count)
{
    strbuf_addf(out, ",\"%s\":[", name);
    for (int i = 0; i < count; i++) {
        strbuf_adds(out, i ? "," : "");
        add_word(out, word[i]);
    }
    strbuf_addc(out, ']');
}

/* Without the zeros at the end: most weights are 0. JSON has no name for what is not finite. */
static void add_weight(struct strbuf *out, double weight)
{
    struct strbuf number = {0};
    label_add_number(&number, weight, DECIMALS);
    if (number.failed || !strchr(number.text, '.')) {
        out->failed |= number.failed;
        strbuf_adds(out, "null");
    } else {
        size_t length = number.length;
        while (number.text[length - 1] == '0')
            length--;
        strbuf_add(out, number.text, length - (number.text[length - 1] == '.'));
    }
    strbuf_release(&number);
}

static void add_weights(struct strbuf *out, const struct attend_matrix *m)
{
    strbuf_adds(out, ",\"weight\":[");
    for (int t = 0; t < m->target_count; t++) {
        const float *row = m->weight + (size_t)t * (size_t)m->source_count;
        strbuf_adds(out, t ? ",[" : "[");
        for (int s = 0; s < m->source_count; s++) {
            strbuf_adds(out, s ? "," : "");
            add_weight(out, (double)row[s]);
        }
        strbuf_addc(out, ']');
    }
    strbuf_addc(out, ']');
}

static void add_item(struct strbuf *out, const struct attend_matrix *m)
{
    strbuf_adds(out, "{\"title\":");
    if (m->title)
        add_word(out, m->title);
    else
        strbuf_adds(out, "null");
    add_words(out, "source", m->source, m->source_count);
    add_words(out, "target", m->target, m->target_count);
    add_weights(out, m);
    strbuf_addc(out, '}');
}

static void add_colour(struct strbuf *out, const struct colour_scale *scale, double weight)
{
    const struct colour c = colour_scale_at(scale, weight);
    strbuf_addf(out, "\"#%02x%02x%02x\"", c.r, c.g, c.b);
}

/* The colours of the weights 0 to 1 in equal steps, and of what is no number. */
static void add_scale(struct strbuf *out, const char *name, bool dark)
{
    const struct colour_scale *scale = colour_scale_find(name, dark);
    strbuf_addf(out, "\"%s\":{\"steps\":[", dark ? "dark" : "light");
    for (int i = 0; i <= SCALE_STEPS; i++) {
        strbuf_adds(out, i ? "," : "");
        add_colour(out, scale, (double)i / SCALE_STEPS);
    }
    strbuf_adds(out, "],\"none\":");
    add_colour(out, scale, (double)NAN);
    strbuf_addc(out, '}');
}

static void add_look(struct strbuf *out, const struct page *page)
{
    static const char *const view[] = {[ATTEND_VIEW_HEATMAP] = "heatmap",
                                       [ATTEND_VIEW_LINKS] = "links",
                                       [ATTEND_VIEW_SALIENCE] = "salience"};
    static const char *const values[] = {[ATTEND_VALUES_AUTO] = "auto",
                                         [ATTEND_VALUES_ALWAYS] = "always",
                                         [ATTEND_VALUES_NEVER] = "never"};
    strbuf_adds(out, "{\"title\":");
    add_word(out, page->title);
    strbuf_addf(out, ",\"view\":\"%s\",\"values\":\"%s\",\"dark\":%s,\"scale\":{",
                view[page->look->view], values[page->look->values],
                page->look->dark ? "true" : "false");
    add_scale(out, page->look->scale, false);
    strbuf_addc(out, ',');
    add_scale(out, page->look->scale, true);
    strbuf_addc(out, '}');
}

/* A script ends at the next "</script", even within a string, so no < is left as it is. */
static void add_without_tags(struct strbuf *out, const char *json)
{
    for (const char *mark; (mark = strchr(json, '<')); json = mark + 1) {
        strbuf_add(out, json, (size_t)(mark - json));
        strbuf_adds(out, "\\u003c");
    }
    strbuf_adds(out, json);
}

static void add_data(struct strbuf *out, const struct page *page)
{
    struct strbuf json = {0};
    add_look(&json, page);
    strbuf_adds(&json, ",\"items\":[");
    for (int i = 0; i < page->count; i++) {
        strbuf_adds(&json, i ? ",\n" : "\n");
        add_item(&json, &page->matrix[i]);
    }
    strbuf_adds(&json, "]}");
    out->failed |= json.failed;
    if (!json.failed)
        add_without_tags(out, json.text);
    strbuf_release(&json);
}

/* ---- The other parts ------------------------------------------------------------------------- */

static void add_title(struct strbuf *out, const struct page *page)
{
    struct strbuf safe = {0};
    label_add(&safe, page->title);
    out->failed |= safe.failed;
    markup_add(out, safe.text ? safe.text : "");
    strbuf_release(&safe);
}

static void add_style(struct strbuf *out, const struct page *page)
{
    (void)page;
    strbuf_adds(out, asset_get("theme.css")->bytes);
    strbuf_adds(out, asset_get("page.css")->bytes);
}

static bool begins(const char *text, const char *start)
{
    return strncmp(text, start, strlen(start)) == 0;
}

/* In one document several modules are one, which neither exports nor imports; both stand at the
 * beginning of a line, an import on a line of its own. */
static void add_module(struct strbuf *out, const char *script)
{
    while (*script) {
        const size_t line = strcspn(script, "\n"), length = line + (script[line] == '\n');
        const size_t skipped = begins(script, "export ") ? strlen("export ") : 0;
        if (!begins(script, "import "))
            strbuf_add(out, script + skipped, length - skipped);
        script += length;
    }
}

static void add_script(struct strbuf *out, const struct page *page)
{
    (void)page;
    static const char *const modules[] = {"attention.js", "links.js", "follow.js", "page.js"};
    for (size_t i = 0; i < sizeof modules / sizeof *modules; i++)
        add_module(out, asset_get(modules[i])->bytes);
}

/* To add a place to the template: {{name}} there, and its row here. */
static const struct place {
    const char *name;
    void (*add)(struct strbuf *, const struct page *);
} places[] = {
    {"title", add_title}, {"style", add_style}, {"data", add_data}, {"script", add_script}};

static const struct place *find_place(const char *name, size_t length)
{
    for (size_t i = 0; i < sizeof places / sizeof *places; i++)
        if (strlen(places[i].name) == length && strncmp(places[i].name, name, length) == 0)
            return &places[i];
    return NULL;
}

void html_page(struct strbuf *out, const struct attend_matrix *matrix, int count,
               const struct attend_look *look)
{
    BUG_ON(count < 1);
    const char *only = count == 1 ? matrix->title : NULL;
    const struct page page = {matrix, count, look,
                              look->title ? look->title
                              : only      ? only
                                          : "Attention"};
    const char *at = asset_get("page.html")->bytes;
    for (const char *mark; (mark = strstr(at, "{{")); at = strstr(mark, "}}") + 2) {
        const struct place *place = find_place(mark + 2, strcspn(mark + 2, "}"));
        BUG_ON(!place);
        strbuf_add(out, at, (size_t)(mark - at));
        place->add(out, &page);
    }
    strbuf_adds(out, at);
}
