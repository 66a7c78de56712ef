/* POST /attention: translate one line, or score a given translation, and return all details. */
#include "serve/routes.h"

#include "base/json_writer.h"
#include "base/clock.h"
#include "serve/upload.h"
#include "serve/work.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

struct attention_work {
    struct text_job *job;
    struct attend_focus *focus; /* borrowed by job->constraint, as is `prefix` */
    char *prefix;
    bool words;
    bool values; /* show what the frames of the upload hold, too */
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

/* ---- Parameters ---- */

static bool check_line(struct exchange *e, const char *text)
{
    if (text && strpbrk(text, "\n\r"))
        return routes_refuse(e, "a text contains a line end; send one line at a time");
    return !text || routes_check_text(e, text);
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

static bool read_focuses(struct exchange *e, struct attention_work *w, const struct json *list)
{
    const int count = json_length(list);
    if (json_absent(list) || count == 0)
        return true;
    if (count < 0 || count > e->server->limits.characters)
        return routes_refuse(e, "attend parameter must be a list of [step, source, weight]");
    w->focus = calloc((size_t)count, sizeof *w->focus);
    for (int i = 0; w->focus && i < count; i++)
        if (!read_focus(&w->focus[i], json_at(list, i)))
            return routes_refuse(e, "attend parameter must be a list of [step, source, weight]");
    w->job->constraint->focus = w->focus;
    w->job->constraint->focus_count = w->focus ? count : 0;
    return w->focus || routes_refuse(e, "out of memory");
}

/* A form, which is how an upload comes, holds the list as JSON. */
static bool take_focus(struct exchange *e, struct attention_work *w, const struct params *p)
{
    const char *text = p->json ? NULL : params_text(p, "attend");
    struct attend_error err;
    struct json *of_form = NULL;
    if (text && json_parse_any(&of_form, text, strlen(text), "attend", &err))
        return routes_refuse(e, "attend parameter is not JSON");
    const bool good = read_focuses(e, w, text ? of_form : params_value(p, "attend"));
    json_free(of_form);
    return good;
}

static bool take_search(struct exchange *e, struct attention_work *w, const struct params *p)
{
    const struct limits *limits = &e->server->limits;
    const int usual = e->server->search.beam;
    int beam, alternatives;
    if (!params_whole(p, "beam", usual, &beam) || beam < 1 || beam > limits->beam) {
        exchange_error(e, 400, "Invalid request: beam parameter must be a number from 1 to %d",
                       limits->beam);
        return false;
    }
    if (!params_whole(p, "alternatives", 0, &alternatives))
        return routes_refuse(e, "alternatives parameter is not a number");
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
    w->job->frames = e->upload ? e->upload->frames : NULL;
    w->job->line[0] = strdup(e->upload ? e->upload->name : params_text(p, "q"));
    if (target)
        w->job->target[0] = strdup(target);
    if (prefix)
        w->prefix = strdup(prefix);
    w->job->constraint->prefix = w->prefix;
    if (!w->job->line[0] || (target && !w->job->target[0]) || (prefix && !w->prefix)) {
        exchange_error(e, 500, "Out of memory");
        return false;
    }
    return !target || !(prefix || params_given(p, "attend")) ||
           routes_refuse(e, "target cannot be combined with prefix or attend");
}

static bool check_texts(struct exchange *e, const struct params *p)
{
    static const char *const names[] = {"q", "target", "prefix"};
    if (!params_given(p, "q") && !e->upload)
        return routes_refuse(e, "missing q parameter");
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
    struct served *served = routes_pair(e, p);
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
    w->values = params_flag(p, "values");
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

/* (heads, target, source) */
static void put_heads(struct json_writer *out, const struct attend_translation *t)
{
    const size_t head = (size_t)t->target_count * (size_t)t->source_count;
    json_begin_array(out, "heads");
    for (int h = 0; h < t->heads; h++)
        json_put_matrix(out, NULL, t->head_attention + (size_t)h * head, t->target_count,
                        t->source_count);
    json_end(out);
}

/* The JSON of attend translate, with additional members around it. */
static char *answer(const struct exchange *e, const struct attend_translation *t)
{
    const struct attention_work *w = e->work;
    struct strbuf text = {0};
    struct json_writer out = {.out = &text};
    char *members = attend_translation_members(t);
    json_begin_object(&out, NULL);
    json_put_text(&out, "model", w->job->served->name);
    json_put_raw(&out, NULL, members);
    if (t->others == 0)
        json_put_texts(&out, "alternatives", NULL, 0);
    if (t->head_attention)
        put_heads(&out, t);
    if (e->upload)
        upload_put(&out, e->upload, w->values);
    json_put_flag(&out, "complete", t->complete);
    json_put_fixed(&out, "milliseconds", 1000 * (clock_seconds() - w->begun), 3);
    json_end(&out);
    attend_text_free(members);
    return strbuf_detach(&text);
}

void attention_finish(struct exchange *e)
{
    const struct attention_work *w = e->work;
    const struct attend_translation *t = w->job->result;
    struct attend_translation folded = {0};
    struct attend_error err;
    if (work_failed(e, &w->job->job))
        return;
    if (w->words && attend_translation_fold(&folded, t, w->job->served->model, &err)) {
        exchange_error(e, 500, "Cannot translate text: %s", err.message);
        return;
    }
    exchange_json(e, 200, answer(e, w->words ? &folded : t));
    attend_translation_release(&folded);
}
