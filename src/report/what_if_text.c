#include "attend/explain.h"
#include "base/json_writer.h"
#include "base/strbuf.h"
#include "report/table.h"
#include "report/translation_text.h"

char *attend_what_if_text(const struct attend_what_if *w)
{
    struct strbuf out = {0};
    for (int i = 0; i < w->focus_count; i++) {
        const struct attend_focus *f = &w->focus[i];
        strbuf_addf(&out, "step %d looks at ", f->target + 1);
        table_add_word(&out, w->before.source[f->source], 0);
        strbuf_addf(&out, " with weight %g\n", f->weight);
    }
    strbuf_addf(&out, "before: %s\nafter:  %s\n", w->before.text, w->after.text);
    strbuf_addf(&out, "log P of before: %.4f, with the weights %.4f (%+.4f)\n",
                w->before.log_probability, w->under, w->under - w->before.log_probability);
    strbuf_addf(&out, "log P of after, with the weights: %.4f\n", w->after.log_probability);
    return strbuf_detach(&out);
}

static void put_translation(struct json_writer *w, const char *name,
                            const struct attend_translation *t)
{
    json_begin_object(w, name);
    translation_put_members(w, t);
    json_end(w);
}

char *attend_what_if_json(const struct attend_what_if *what_if)
{
    struct strbuf out = {0};
    struct json_writer w = {.out = &out};
    json_begin_object(&w, NULL);
    json_begin_array(&w, "attend");
    for (int i = 0; i < what_if->focus_count; i++) {
        json_begin_object(&w, NULL);
        json_put_whole(&w, "step", what_if->focus[i].target);
        json_put_whole(&w, "source", what_if->focus[i].source);
        json_put_number(&w, "weight", what_if->focus[i].weight, 9);
        json_end(&w);
    }
    json_end(&w);
    put_translation(&w, "before", &what_if->before);
    put_translation(&w, "after", &what_if->after);
    json_put_number(&w, "log_probability_of_before", what_if->under, 9);
    json_put_number(&w, "change", what_if->under - what_if->before.log_probability, 9);
    json_end(&w);
    return strbuf_detach(&out);
}
