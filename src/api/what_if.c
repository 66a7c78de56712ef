#include "attend/explain.h"

#include "api/cells.h"
#include "api/focus.h"
#include "api/pair.h"
#include "base/error.h"
#include "base/json.h"
#include "base/strbuf.h"
#include "explain/trace.h"

#include <stdlib.h>
#include <string.h>

/* A step that neither translation gets to was asked for by mistake. */
static enum attend_status check_reached(const struct attend_what_if *w, const struct focus_plan *p,
                                        struct attend_error *err)
{
    const int before = w->before.target_count, after = w->after.target_count;
    const int steps = before > after ? before : after;
    return p->steps <= steps
               ? ATTEND_OK
               : error_set(err, ATTEND_USAGE, "there is no step %d: the translation has 0 to %d",
                           p->steps - 1, steps - 1);
}

/* log P of the words of `before`; one that the length limit cut off has no </s> to count. */
static enum attend_status score_before(struct attend_what_if *w, const struct attend_translator *t,
                                       const struct pair *p, const struct focus_plan *plan,
                                       struct attend_error *err)
{
    struct trace trace;
    const struct trace_job job = {.net = &t->model->net,
                                  .source = p->source.ids.ids,
                                  .target = p->target.ids.ids,
                                  .source_length = tokenized_count(&p->source, 0),
                                  .target_length = tokenized_count(&p->target, 0),
                                  .focus = plan->step,
                                  .focus_steps = plan->steps,
                                  .stop = t->setup.stop};
    const enum attend_status status = trace_run(&trace, &job, err);
    w->under = 0;
    for (int i = 0; i < w->before.target_count && !status; i++)
        w->under += trace.word[i].log_probability;
    trace_release(&trace);
    return status;
}

static enum attend_status keep_focus(struct attend_what_if *w, const struct attend_focus *focus,
                                     int focuses, struct attend_error *err)
{
    w->focus = malloc(((size_t)focuses + 1) * sizeof *w->focus);
    w->focuses = focuses;
    if (!w->focus)
        return error_set(err, ATTEND_NO_MEMORY, "out of memory for %d weights", focuses);
    if (focuses)
        memcpy(w->focus, focus, (size_t)focuses * sizeof *focus);
    return ATTEND_OK;
}

enum attend_status attend_what_if(struct attend_what_if *out, struct attend_translator *t,
                                  const char *source, const char *target,
                                  const struct attend_focus *focus, int focuses,
                                  struct attend_error *err)
{
    const struct attend_wish wish = {.focus = focus, .focuses = focuses};
    struct attend_what_if w = {0};
    struct focus_plan plan = {0};
    struct pair pair = {0};
    enum attend_status status = pair_make(&pair, t, source, target, NULL, err);
    if (!status)
        status =
            focus_plan_make(&plan, t->model, pair.translation.source_count, focus, focuses, err);
    if (!status)
        status = translation_search(t, &pair.source, &wish, &w.after, NULL, err);
    if (!status) {
        w.before = pair.translation;
        pair.translation = (struct attend_translation){0};
        status = check_reached(&w, &plan, err);
    }
    if (!status)
        status = score_before(&w, t, &pair, &plan, err);
    if (!status)
        status = keep_focus(&w, focus, focuses, err);
    if (status)
        attend_what_if_release(&w);
    else
        *out = w;
    pair_release(&pair);
    focus_plan_release(&plan);
    return status;
}

void attend_what_if_release(struct attend_what_if *w)
{
    attend_translation_release(&w->before);
    attend_translation_release(&w->after);
    free(w->focus);
    *w = (struct attend_what_if){0};
}

/* ---- As text ---- */

char *attend_what_if_text(const struct attend_what_if *w)
{
    struct strbuf out = {0};
    for (int i = 0; i < w->focuses; i++) {
        const struct attend_focus *f = &w->focus[i];
        strbuf_addf(&out, "step %d looks at ", f->target);
        cells_add_word(&out, w->before.source[f->source], 0);
        strbuf_addf(&out, " with weight %g\n", f->weight);
    }
    strbuf_addf(&out, "before: %s\nafter:  %s\n", w->before.text, w->after.text);
    strbuf_addf(&out, "log P of before: %.4f, with the weights %.4f (%+.4f)\n",
                w->before.log_probability, w->under, w->under - w->before.log_probability);
    strbuf_addf(&out, "log P of after, with the weights: %.4f\n", w->after.log_probability);
    return strbuf_detach(&out);
}

static void add_translation(struct strbuf *out, const char *name,
                            const struct attend_translation *t)
{
    char *json = attend_translation_json(t);
    strbuf_addf(out, ",\"%s\":", name);
    strbuf_adds(out, json ? json : "null");
    out->failed = out->failed || !json;
    free(json);
}

char *attend_what_if_json(const struct attend_what_if *w)
{
    struct strbuf out = {0};
    strbuf_adds(&out, "{\"attend\":[");
    for (int i = 0; i < w->focuses; i++) {
        strbuf_addf(&out, "%s{\"step\":%d,\"source\":%d,\"weight\":", i ? "," : "",
                    w->focus[i].target, w->focus[i].source);
        json_add_number(&out, w->focus[i].weight, 9);
        strbuf_addc(&out, '}');
    }
    strbuf_addc(&out, ']');
    add_translation(&out, "before", &w->before);
    add_translation(&out, "after", &w->after);
    strbuf_adds(&out, ",\"log_probability_of_before\":");
    json_add_number(&out, w->under, 9);
    strbuf_adds(&out, ",\"change\":");
    json_add_number(&out, w->under - w->before.log_probability, 9);
    strbuf_addc(&out, '}');
    return strbuf_detach(&out);
}
