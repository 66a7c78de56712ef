/* POST /explain: which source words mattered. It is slow, so it has a thread and limits of its
 * own. */
#include "serve/routes.h"

#include "attend/explain.h"
#include "serve/upload.h"
#include "serve/work.h"

#include <stdlib.h>
#include <string.h>

struct explain_work {
    struct task task;
    char *source, *target;              /* target NULL: the model's own translation */
    const struct attend_frames *frames; /* instead of `source`; borrowed from the upload; or NULL */
    double max_cost;
    int seed; /* of the random orderings */
    char *answer;
};

static void free_work(void *context)
{
    struct explain_work *w = context;
    free(w->source);
    free(w->target);
    attend_text_free(w->answer);
    served_release(w->task.served);
    free(w);
}

static enum attend_status run(struct task *task, struct attend_translator *translator,
                              struct attend_error *err)
{
    struct explain_work *w = task->owner;
    struct attend_explanation *explanation = NULL;
    const enum attend_status status =
        attend_explain(&explanation, translator,
                       &(struct attend_explain_job){.source = w->source,
                                                    .target = w->target,
                                                    .seed = w->seed,
                                                    .max_cost = w->max_cost,
                                                    .frames = w->frames},
                       err);
    if (!status)
        w->answer = attend_explanation_json(explanation);
    attend_explanation_free(explanation);
    return status;
}

static bool check(struct exchange *e, const struct params *p, const char *name, bool needed)
{
    const char *text = params_text(p, name);
    const int most = e->server->limits.explain;
    if (!text && !needed && !params_given(p, name))
        return true;
    if (!text) {
        exchange_error(e, 400, "Invalid request: %s %s parameter%s",
                       params_given(p, name) ? "the" : "missing", name,
                       params_given(p, name) ? " is not a text" : "");
        return false;
    }
    if (strpbrk(text, "\n\r")) {
        exchange_error(e, 400,
                       "Invalid request: a text contains a line end; send one line at a time");
        return false;
    }
    if (routes_characters(text) > most) {
        exchange_error(e, 400, "Invalid request: request (%ld) exceeds text limit (%d)",
                       routes_characters(text), most);
        return false;
    }
    return routes_check_text(e, text);
}

void explain_begin(struct exchange *e, const struct params *p)
{
    if (!check(e, p, "q", !e->upload) || !check(e, p, "target", false))
        return;
    const char *target = params_text(p, "target");
    struct served *served = routes_pair(e, p);
    if (!served)
        return;
    struct explain_work *w = calloc(1, sizeof *w);
    e->work = w;
    e->free_work = free_work;
    if (w) {
        w->task = (struct task){
            .job = work_job(e, 1), .served = served_hold(served), .run = run, .owner = w};
        w->max_cost = e->server->limits.explain_cost;
        w->seed = e->server->search.seed;
        w->frames = e->upload ? e->upload->frames : NULL;
        w->source = strdup(e->upload ? e->upload->name : params_text(p, "q"));
        w->target = target ? strdup(target) : NULL;
    }
    if (!w || !w->source || (target && !w->target))
        exchange_error(e, 500, "Out of memory");
    e->model = served->name;
    e->lines = 1;
}

bool explain_submit(struct exchange *e)
{
    struct explain_work *w = e->work;
    return routes_submit_task(e, &w->task.job);
}

void explain_finish(struct exchange *e)
{
    struct explain_work *w = e->work;
    if (work_failed(e, &w->task.job))
        return;
    exchange_json(e, 200, w->answer); /* exchange_json took ownership */
    w->answer = NULL;
}
