/* POST /attention: one line, translated or with a given translation, and everything about it. */
#include "serve/routes.h"

#include "base/clock.h"
#include "serve/work.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

struct attention_work {
    struct text_job *job;
    struct attend_focus *focus; /* what job->wish points to, as `prefix` */
    char *prefix;
    bool words;
    double begun;
};

static void free_work(void *context)
{
    struct attention_work *w = context;
    text_job_free(w->job);
    free(w->focus);
    free(w->prefix);
    free(w);
}

static bool refuse(struct exchange *e, const char *sentence)
{
    exchange_error(e, 400, "Invalid request: %s", sentence);
    return false;
}

/* ---- What is asked for ---- */

static bool check_line(struct exchange *e, const char *text)
{
    if (text && strpbrk(text, "\n\r"))
        return refuse(e, "a text holds a line end; ask for one line at a time");
    return !text || routes_check_text(e, text);
}

/* By `model`, or by the codes `source` and `target_language`; the first without any. */
static struct served *find_model(struct exchange *e, const struct params *p)
{
    const char *source = params_text(p, "source"), *target = params_text(p, "target_language");
    if (params_given(p, "model") || !source || strcmp(source, "auto") == 0)
        return routes_model(e, p);
    struct served *served = catalog_find_pair(e->catalog, source, target);
    if (!served)
        exchange_error(e, 400, "%.200s is not supported",
                       catalog_speaks(e->catalog, source) && target ? target : source);
    return served;
}

static bool read_focus(struct attend_focus *out, const struct json *value)
{
    const double step = json_number(json_member(value, "step")),
                 source = json_number(json_member(value, "source")),
                 weight = json_number(json_member(value, "weight"));
    if (!(step >= 0 && step < 1e6) || !(source >= 0 && source < 1e6) || isnan(weight))
        return false;
    *out = (struct attend_focus){(int)step, (int)source, weight};
    return true;
}

static bool take_focus(struct exchange *e, struct attention_work *w, const struct params *p)
{
    const struct json *list = params_value(p, "attend");
    const int count = json_length(list);
    if (json_absent(list) || count == 0)
        return true;
    if (count < 0 || count > e->server->limits.characters)
        return refuse(e, "attend parameter is not a list of step, source and weight");
    w->focus = calloc((size_t)count, sizeof *w->focus);
    for (int i = 0; w->focus && i < count; i++)
        if (!read_focus(&w->focus[i], json_at(list, i)))
            return refuse(e, "attend parameter is not a list of step, source and weight");
    w->job->wish->focus = w->focus;
    w->job->wish->focuses = w->focus ? count : 0;
    return w->focus || refuse(e, "out of memory");
}

static bool take_search(struct exchange *e, struct attention_work *w, const struct params *p)
{
    const struct limits *limits = &e->server->limits;
    const int usual = (int)attend_options_number(e->server->options, "beam");
    int beam, alternatives;
    if (!params_whole(p, "beam", usual, &beam) || beam < 1 || beam > limits->beam) {
        exchange_error(e, 400, "Invalid request: beam parameter must be a number from 1 to %d",
                       limits->beam);
        return false;
    }
    if (!params_whole(p, "alternatives", 0, &alternatives))
        return refuse(e, "alternatives parameter is not a number");
    if (alternatives < 0 || alternatives > limits->alternatives) {
        exchange_error(e, 400, "Invalid request: alternatives parameter must be <= %d",
                       limits->alternatives);
        return false;
    }
    w->job->search = (struct attend_search){.beam = beam > alternatives ? beam : alternatives + 1,
                                            .nbest = alternatives + 1,
                                            .each_head = true};
    return true;
}

static bool take_texts(struct exchange *e, struct attention_work *w, const struct params *p)
{
    const char *target = params_text(p, "target"), *prefix = params_text(p, "prefix");
    w->job->line[0] = strdup(params_text(p, "q"));
    if (target)
        w->job->target[0] = strdup(target);
    if (prefix)
        w->prefix = strdup(prefix);
    w->job->wish->prefix = w->prefix;
    if (!w->job->line[0] || (target && !w->job->target[0]) || (prefix && !w->prefix)) {
        exchange_error(e, 500, "Out of memory");
        return false;
    }
    return !target || !(prefix || params_given(p, "attend")) ||
           refuse(e, "target does not go with prefix or attend: nothing is left to choose");
}

static bool check_texts(struct exchange *e, const struct params *p)
{
    static const char *const names[] = {"q", "target", "prefix"};
    if (!params_given(p, "q"))
        return refuse(e, "missing q parameter");
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        if (params_given(p, names[i]) && !params_text(p, names[i])) {
            exchange_error(e, 400, "Invalid request: %s parameter is not a text", names[i]);
            return false;
        }
        if (!check_line(e, params_text(p, names[i])))
            return false;
    }
    return true;
}

void attention_begin(struct exchange *e, const struct params *p)
{
    if (!check_texts(e, p))
        return;
    struct served *served = find_model(e, p);
    if (!served)
        return;
    struct attention_work *w = calloc(1, sizeof *w);
    e->work = w;
    e->free_work = free_work;
    if (w)
        w->job = text_job_new(e, served, 1, params_text(p, "target"));
    if (!w || !w->job) {
        exchange_error(e, 500, "Out of memory");
        return;
    }
    w->job->shows = true;
    e->model = served->name;
    e->lines = 1;
    w->words = params_flag(p, "words");
    w->begun = clock_seconds();
    if (take_texts(e, w, p) && take_search(e, w, p))
        take_focus(e, w, p);
}

bool attention_submit(struct exchange *e)
{
    struct attention_work *w = e->work;
    return routes_submit_text(e, &w->job->job);
}

/* ---- The answer ---- */

static void add_row(struct strbuf *out, const float *weight, int count)
{
    strbuf_addc(out, '[');
    for (int j = 0; j < count; j++) {
        strbuf_adds(out, j ? "," : "");
        json_add_number(out, (double)weight[j], 7);
    }
    strbuf_addc(out, ']');
}

/* (heads, target, source) */
static void add_heads(struct strbuf *out, const struct attend_translation *t)
{
    const float *weight = t->head_attention;
    strbuf_adds(out, ",\"heads\":[");
    for (int h = 0; h < t->heads; h++) {
        strbuf_adds(out, h ? ",[" : "[");
        for (int i = 0; i < t->target_count; i++, weight += t->source_count) {
            strbuf_adds(out, i ? "," : "");
            add_row(out, weight, t->source_count);
        }
        strbuf_addc(out, ']');
    }
    strbuf_addc(out, ']');
}

/* What the program's own JSON says, with more around it. */
static void add_all(struct strbuf *out, const struct attention_work *w,
                    const struct attend_translation *t)
{
    char *text = attend_translation_json(t);
    strbuf_adds(out, "{\"model\":");
    json_add_text(out, w->job->served->name);
    if (text)
        strbuf_addf(out, ",%.*s", (int)strlen(text) - 2, text + 1);
    out->failed = out->failed || !text;
    if (t->others == 0)
        strbuf_adds(out, ",\"alternatives\":[]");
    if (t->head_attention)
        add_heads(out, t);
    strbuf_addf(out, ",\"complete\":%s,\"milliseconds\":%.3f}", t->complete ? "true" : "false",
                1000 * (clock_seconds() - w->begun));
    attend_text_free(text);
}

void attention_finish(struct exchange *e)
{
    const struct attention_work *w = e->work;
    const struct attend_translation *t = w->job->result;
    struct attend_translation folded = {0};
    struct attend_error err;
    struct strbuf out = {0};
    if (work_failed(e, &w->job->job))
        return;
    if (w->words && attend_translation_fold(&folded, t, w->job->served->model, &err)) {
        exchange_error(e, 500, "Cannot translate text: %s", err.message);
        return;
    }
    add_all(&out, w, w->words ? &folded : t);
    exchange_json(e, 200, &out);
    attend_translation_release(&folded);
}
