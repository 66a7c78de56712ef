#include "attend/explain.h"

#include "api/focus.h"
#include "api/explain_pair.h"
#include "base/error.h"
#include "explain/trace.h"

#include <stdlib.h>
#include <string.h>

/* A focus on a step that neither translation reaches is a mistake. */
static enum attend_status check_reached(const struct attend_what_if *w, const struct focus_plan *p,
                                        struct attend_error *err)
{
    const int before = w->before.target_count, after = w->after.target_count;
    const int steps = before > after ? before : after;
    return p->steps <= steps
               ? ATTEND_OK
               : error_set(err, ATTEND_USAGE,
                           "there is no step %d (counted from 1); the translation has %d", p->steps,
                           steps);
}

/* Sum log P over the words of `before`. If the length limit cut it off, </s> does not count. */
static enum attend_status score_before(struct attend_what_if *w, const struct attend_translator *t,
                                       const struct explain_pair *p, const struct focus_plan *plan,
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
                                     int focus_count, struct attend_error *err)
{
    w->focus = malloc(((size_t)focus_count + 1) * sizeof *w->focus);
    w->focus_count = focus_count;
    if (!w->focus)
        return error_set(err, ATTEND_NO_MEMORY, "out of memory for %d weights", focus_count);
    if (focus_count)
        memcpy(w->focus, focus, (size_t)focus_count * sizeof *focus);
    return ATTEND_OK;
}

enum attend_status attend_what_if(struct attend_what_if *out, struct attend_translator *t,
                                  const char *source, const char *target,
                                  const struct attend_focus *focus, int focus_count,
                                  struct attend_error *err)
{
    const struct attend_constraint constraint = {.focus = focus, .focus_count = focus_count};
    struct attend_what_if w = {0};
    struct focus_plan plan = {0};
    struct explain_pair pair = {0};
    enum attend_status status = explain_pair_make(&pair, t, source, target, NULL, err);
    if (!status)
        status = focus_plan_make(&plan, t->model, pair.translation.source_count, focus, focus_count,
                                 err);
    if (!status)
        status = translation_search(t, &pair.source, &constraint, &w.after, NULL, err);
    if (!status) {
        w.before = pair.translation;
        pair.translation = (struct attend_translation){0};
        status = check_reached(&w, &plan, err);
    }
    if (!status)
        status = score_before(&w, t, &pair, &plan, err);
    if (!status)
        status = keep_focus(&w, focus, focus_count, err);
    if (status)
        attend_what_if_release(&w);
    else
        *out = w;
    explain_pair_release(&pair);
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
