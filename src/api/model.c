#include "api/model.h"

#include "api/options.h"
#include "base/error.h"
#include "base/option_json.h"
#include "base/strbuf.h"
#include "text/tokenizer.h"
#include "text/vocab.h"

#include <stdlib.h>
#include <string.h>

static enum attend_status load(struct attend_model **out, const char *path, bool copy,
                               struct attend_error *err)
{
    struct attend_model *m = calloc(1, sizeof *m);
    if (!m)
        return error_set(err, ATTEND_NO_MEMORY, "%s: out of memory", path);
    const enum attend_status status = (copy ? model_load_copy : model_load)(&m->model, path, err);
    if (status) {
        free(m);
        return status;
    }
    *out = m;
    return ATTEND_OK;
}

enum attend_status attend_model_load(struct attend_model **out, const char *path,
                                     struct attend_error *err)
{
    return load(out, path, false, err);
}

enum attend_status attend_model_load_copy(struct attend_model **out, const char *path,
                                          struct attend_error *err)
{
    return load(out, path, true, err);
}

void attend_model_free(struct attend_model *m)
{
    if (!m)
        return;
    model_free(m->model);
    free(m);
}

bool attend_model_attends(const struct attend_model *m)
{
    return m->model->net.decoder.attention.ops != &attention_none;
}

struct attend_model_info attend_model_info(const struct attend_model *model)
{
    const struct model *m = model->model;
    const struct model_config *c = &m->net.config;
    return (struct attend_model_info){.source = m->source.language,
                                      .target = m->target.language,
                                      .attention = c->attention,
                                      .placement = c->placement,
                                      .cell = c->cell,
                                      .heads = c->heads,
                                      .parameters = m->net.params.size,
                                      .int8 = m->net.int8};
}

static void describe_side(struct strbuf *out, const char *name, const struct model_side *side)
{
    strbuf_addf(out, "%-18s %s, %d tokens%s%s\n", name, side->tokenizer->ops->name,
                vocab_size(side->vocab), side->language ? ", language " : "",
                side->language ? side->language : "");
}

char *attend_model_describe(const struct attend_model *model)
{
    const struct model *m = model->model;
    const struct param_set *set = &m->net.params;
    struct strbuf out = {0};
    strbuf_addf(&out, "%-18s %zu parameters, %.1f MB%s\n", "model", set->size,
                (double)m->map.size / 1e6, m->net.int8 ? ", weights in int8" : "");
    describe_side(&out, "source", &m->source);
    describe_side(&out, "target", &m->target);
    for (const struct option_row *row = model_config_rows; row->name; row++) {
        char value[64];
        option_print(row, &m->net.config, value, sizeof value);
        strbuf_addf(&out, "%-18s %s\n", row->name, value);
    }
    strbuf_adds(&out, "tensors\n");
    for (int i = 0; i < set->count; i++)
        strbuf_addf(&out, "  %-32s %6d x %d\n", set->item[i]->path, set->item[i]->rows,
                    set->item[i]->cols);
    return strbuf_detach(&out);
}

/* ---- Settings as YAML ---- */

/* What was asked for; where it was not left open (0), what it is: --init-from may have said. */
static void add_rows(struct strbuf *out, const struct option_row *rows, const void *asked,
                     const void *has)
{
    for (const struct option_row *row = rows; row->name; row++) {
        char value[256];
        if (row->local || option_print(row, asked, value, sizeof value) <= 0)
            continue;
        if (strcmp(value, "0") != 0)
            option_print(row, has, value, sizeof value);
        strbuf_addf(out, "%s: %s\n", row->name, value);
    }
}

static void add_settings(struct strbuf *out, const struct attend_options *o,
                         const struct model_config *config)
{
    for (int i = 0; i < o->set.count; i++) {
        const struct option_group *group = &o->set.group[i];
        const bool network = group->rows == model_config_rows;
        add_rows(out, group->rows, group->base, network ? (const void *)config : group->base);
    }
}

char *attend_model_config(const struct attend_model *model, struct attend_error *err)
{
    const struct model *m = model->model;
    struct attend_options *o;
    struct strbuf out = {0};
    if (attend_options_new(&o, "train", err))
        return NULL;
    enum attend_status status =
        m->settings ? option_json_read(&o->set, m->settings, "the model's settings", err)
                    : ATTEND_OK;
    if (!status)
        add_settings(&out, o, &m->net.config);
    attend_options_free(o);
    if (!status)
        status = strbuf_status(&out, err);
    if (!status)
        return strbuf_detach(&out);
    strbuf_release(&out);
    return NULL;
}

void attend_text_free(char *text) { free(text); }
