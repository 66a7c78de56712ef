/* Models from JavaScript: a handle is a model with its translator. */
#include "wasm/calls.h"

#include "attend/explain.h"
#include "attend/model.h"
#include "attend/translate.h"
#include "base/error.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

struct opened {
    struct attend_settings *settings; /* which fill the options, and own their texts */
    struct attend_translator_options options;
    struct attend_model *model;
    struct attend_translator *translator;
};

void WASM_CALL(model_close)(struct opened *m);
void model_close(struct opened *m)
{
    if (!m)
        return;
    attend_translator_free(m->translator);
    attend_model_free(m->model);
    attend_settings_free(m->settings);
    free(m);
}

static enum attend_status take_settings(struct opened *m, const struct json *request,
                                        struct attend_error *err)
{
    static const enum attend_table tables[] = {ATTEND_TABLE_SEARCH, ATTEND_TABLE_SPEED,
                                               ATTEND_TABLE_DIRECTION};
    enum attend_status status = attend_settings_new(&m->settings, err);
    m->options = attend_translator_defaults();
    for (size_t i = 0; i < sizeof tables / sizeof *tables && !status; i++)
        status = attend_settings_add(m->settings, "", tables[i], &m->options, err);
    return status ? status : settings_take_object(m->settings, request, err);
}

/* Open a model file; the request has the settings of `attend translate`. Answers {"model": handle}.
 */
char *WASM_CALL(model_open)(const char *path, const char *text);
char *model_open(const char *path, const char *text)
{
    struct attend_error err;
    struct json *request = NULL;
    struct opened *m = calloc(1, sizeof *m);
    enum attend_status status = m ? request_parse(&request, text, &err)
                                  : error_set(&err, ATTEND_NO_MEMORY, "out of memory for a model");
    if (!status)
        status = take_settings(m, request, &err);
    if (!status)
        status = attend_model_load_copy(&m->model, path, &err);
    const struct attend_model *model = m ? m->model : NULL;
    if (!status)
        status = attend_translator_new(&m->translator, &model, 1, &m->options, &err);
    json_free(request);
    if (status) {
        model_close(m);
        m = NULL;
    }
    return answer_handle(status, "model", m, &err);
}

/* ---- What a model is ---- */

static void put_pairs(struct json_writer *w, const struct attend_model *model)
{
    enum { MOST = 64 };
    struct attend_direction pair[MOST];
    const int count = attend_model_pairs(model, pair, MOST);
    json_begin_array(w, "pairs");
    for (int i = 0; i < count && i < MOST; i++) {
        json_begin_object(w, NULL);
        json_put_text(w, "from", pair[i].from);
        json_put_text(w, "to", pair[i].to);
        json_end(w);
    }
    json_end(w);
}

char *WASM_CALL(model_info)(const struct opened *m);
char *model_info(const struct opened *m)
{
    const struct attend_model_info info = attend_model_info(m->model);
    const struct attend_error none = {0};
    struct attend_network_options network = {.size = sizeof network};
    struct strbuf out = {0};
    struct json_writer w = {.out = &out};
    int examples = 0;
    attend_model_network(m->model, &network);
    const char *const *example = attend_model_examples(m->model, &examples);
    json_begin_object(&w, NULL);
    json_put_text(&w, "attention", info.attention);
    json_put_text(&w, "placement", info.placement);
    json_put_text(&w, "cell", info.cell);
    json_put_whole(&w, "emb", network.emb);
    json_put_whole(&w, "hidden", network.hidden);
    json_put_whole(&w, "heads", info.heads);
    json_put_whole(&w, "source_vocab", network.source_vocab);
    json_put_whole(&w, "target_vocab", network.target_vocab);
    json_put_whole(&w, "parameters", (int64_t)info.parameters);
    json_put_flag(&w, "int8", info.int8);
    json_put_flag(&w, "calibrated", info.calibrated);
    json_put_whole(&w, "longest_source", info.longest_source);
    json_put_text(&w, "frames", info.frames);
    put_pairs(&w, m->model);
    json_put_texts(&w, "examples", example, examples);
    json_end(&w);
    return answer_text(ATTEND_OK, strbuf_detach(&out), &none);
}

/* ---- Requests: {"source", "target", "prefix", "require", "focus", "from", "to", ...} ---- */

/* A request with the arrays that a constraint points to. */
struct asked {
    struct json *json;
    const char *source, *target; /* target NULL: the model's own translation */
    struct attend_constraint constraint;
    const char *require[ATTEND_MAX_PHRASES];
    struct attend_focus *focus;
};

static void asked_release(struct asked *a)
{
    json_free(a->json);
    free(a->focus);
}

/* A list of {"target": step, "source": token, "weight": 0 to 1}, counted from 0. */
static enum attend_status take_focus(struct asked *a, const struct json *list,
                                     struct attend_error *err)
{
    const int count = json_length(list);
    if (count <= 0)
        return ATTEND_OK;
    a->focus = calloc((size_t)count, sizeof *a->focus);
    if (!a->focus)
        return error_set(err, ATTEND_NO_MEMORY, "out of memory for a request");
    for (int i = 0; i < count; i++) {
        const struct json *item = json_at(list, i);
        const double target = json_number(json_member(item, "target")),
                     source = json_number(json_member(item, "source")),
                     weight = json_number(json_member(item, "weight"));
        if (!(target >= 0 && target < 1e6 && source >= 0 && source < 1e6) || isnan(weight))
            return error_set(err, ATTEND_USAGE, "`focus` has target, source and weight");
        a->focus[i] = (struct attend_focus){(int)target, (int)source, weight};
    }
    a->constraint.focus = a->focus;
    a->constraint.focus_count = count;
    return ATTEND_OK;
}

static enum attend_status asked_take(struct asked *a, const char *text, struct attend_error *err)
{
    enum attend_status status = request_parse(&a->json, text, err);
    if (status)
        return status;
    const struct json *require = json_member(a->json, "require");
    const int required =
        json_absent(require) ? 0 : json_texts(require, a->require, ATTEND_MAX_PHRASES);
    a->source = json_text(json_member(a->json, "source"));
    a->target = json_text(json_member(a->json, "target"));
    if (!a->source || required < 0)
        return error_set(err, ATTEND_USAGE,
                         a->source ? "`require` is a list of up to %d texts" : "`source` is needed",
                         ATTEND_MAX_PHRASES);
    a->constraint = (struct attend_constraint){.prefix = json_text(json_member(a->json, "prefix")),
                                               .require = a->require,
                                               .require_count = required,
                                               .from = json_text(json_member(a->json, "from")),
                                               .to = json_text(json_member(a->json, "to"))};
    return take_focus(a, json_member(a->json, "focus"), err);
}

static int whole_of(const struct asked *a, const char *name)
{
    const double x = json_number(json_member(a->json, name));
    return x > 0 && x < 1e6 ? (int)x : 0;
}

/* beam and nbest of this request only. */
static enum attend_status set_search(struct opened *m, const struct asked *a,
                                     struct attend_error *err)
{
    const int nbest = whole_of(a, "nbest"), beam = whole_of(a, "beam");
    const struct attend_search search = {.nbest = nbest, .beam = nbest > beam ? nbest : beam};
    return attend_translator_search(m->translator, &search, err);
}

/* Translate the source, or score the given target. */
char *WASM_CALL(model_translate)(struct opened *m, const char *text);
char *model_translate(struct opened *m, const char *text)
{
    struct attend_error err;
    struct asked a = {0};
    struct attend_translation t = {0};
    char *json = NULL;
    enum attend_status status = asked_take(&a, text, &err);
    if (!status)
        status = set_search(m, &a, &err);
    if (!status)
        status = a.target ? attend_force(m->translator, &a.source, &a.target, 1, &t, &err)
                          : attend_translate_constrained(m->translator, &a.source, &a.constraint, 1,
                                                         &t, &err);
    if (!status)
        json = attend_translation_json_parts(&t, ATTEND_LINE_PROBABILITIES);
    attend_translation_release(&t);
    asked_release(&a);
    return answer_text(status, json, &err);
}

/* Every step of the decoder: scores, weights, states, gates, and `top` likely words. */
char *WASM_CALL(model_steps)(struct opened *m, const char *text);
char *model_steps(struct opened *m, const char *text)
{
    struct attend_error err;
    struct asked a = {0};
    struct attend_steps *steps = NULL;
    char *json = NULL;
    enum attend_status status = asked_take(&a, text, &err);
    if (!status)
        status =
            attend_steps_new(&steps, m->translator,
                             &(struct attend_steps_job){.source = a.source,
                                                        .target = a.target,
                                                        .focus = a.focus,
                                                        .focus_count = a.constraint.focus_count,
                                                        .top = whole_of(&a, "top")},
                             &err);
    if (!status)
        json = attend_steps_json(steps);
    attend_steps_free(steps);
    asked_release(&a);
    return answer_text(status, json, &err);
}

/* Which source words mattered. */
char *WASM_CALL(model_explain)(struct opened *m, const char *text);
char *model_explain(struct opened *m, const char *text)
{
    struct attend_error err;
    struct asked a = {0};
    struct attend_explanation *explanation = NULL;
    char *json = NULL;
    enum attend_status status = asked_take(&a, text, &err);
    if (!status)
        status = attend_explain(&explanation, m->translator,
                                &(struct attend_explain_job){.source = a.source,
                                                             .target = a.target,
                                                             .ig_steps = whole_of(&a, "ig_steps")},
                                &err);
    if (!status)
        json = attend_explanation_json(explanation);
    attend_explanation_free(explanation);
    asked_release(&a);
    return answer_text(status, json, &err);
}

/* The translation without and with a focus. */
char *WASM_CALL(model_what_if)(struct opened *m, const char *text);
char *model_what_if(struct opened *m, const char *text)
{
    struct attend_error err;
    struct asked a = {0};
    struct attend_what_if what_if = {0};
    char *json = NULL;
    enum attend_status status = asked_take(&a, text, &err);
    if (!status)
        status = attend_what_if(&what_if, m->translator, a.source, a.target, a.focus,
                                a.constraint.focus_count, &err);
    if (!status)
        json = attend_what_if_json(&what_if);
    attend_what_if_release(&what_if);
    asked_release(&a);
    return answer_text(status, json, &err);
}
