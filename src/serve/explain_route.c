/* POST /explain: which source words mattered, and POST /self-attention: how the encoder read them.
 * They are slow, so they have a thread and limits of their own. */
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
    int seed;   /* of the random orderings */
    bool words; /* of self-attention: words, not their pieces */
    char *answer;
};

/* Of self-attention: about 10 MB of JSON. */
static const double WEIGHTS_MOST = 1e6;

static void free_work(void *context)
{
    struct explain_work *w = context;
    free(w->source);
    free(w->target);
    attend_text_free(w->answer);
    served_release(w->task.served);
    free(w);
}

static enum attend_status explain(struct task *task, struct attend_translator *translator,
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

static enum attend_status show_encoder(struct task *task, struct attend_translator *translator,
                                       struct attend_error *err)
{
    struct explain_work *w = task->owner;
    struct attend_self_attention *self = NULL;
    const struct attend_self_attention_job job = {
        .source = w->source, .frames = w->frames, .words = w->words, .max_weights = WEIGHTS_MOST};
    const enum attend_status status = attend_self_attention_new(&self, translator, &job, err);
    if (!status)
        w->answer = attend_self_attention_json(self);
    attend_self_attention_free(self);
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

static void begin(struct exchange *e, const struct params *p, const char *target, task_run_fn *run)
{
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
        w->words = params_flag(p, "words");
        w->frames = e->upload ? e->upload->frames : NULL;
        w->source = strdup(e->upload ? e->upload->name : params_text(p, "q"));
        w->target = target ? strdup(target) : NULL;
    }
    if (!w || !w->source || (target && !w->target))
        exchange_error(e, 500, "Out of memory");
    e->model = served->name;
    e->lines = 1;
}

void explain_begin(struct exchange *e, const struct params *p)
{
    if (check(e, p, "q", !e->upload) && check(e, p, "target", false))
        begin(e, p, params_text(p, "target"), explain);
}

void self_attention_begin(struct exchange *e, const struct params *p)
{
    if (check(e, p, "q", !e->upload))
        begin(e, p, NULL, show_encoder);
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
