#include "train/checkpoint.h"

#include "base/bug.h"
#include "base/error.h"
#include "base/json_writer.h"
#include "base/option_json.h"
#include "base/strbuf.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define INT_ROW(field)                                                                             \
    {                                                                                              \
        .name = #field, .kind = ATTEND_SETTING_INT, .offset = offsetof(struct progress, field),    \
        .max = 2e9                                                                                 \
    }
#define REAL_ROW(field)                                                                            \
    {                                                                                              \
        .name = #field, .kind = ATTEND_SETTING_REAL, .offset = offsetof(struct progress, field),   \
        .min = -1e300, .max = 1e300                                                                \
    }
static const struct attend_setting progress_rows[] = {
    INT_ROW(epoch),
    INT_ROW(window),
    INT_ROW(batch),
    INT_ROW(update),
    INT_ROW(step),
    REAL_ROW(epoch_loss),
    REAL_ROW(epoch_words),
    INT_ROW(validated),
    INT_ROW(best_epoch),
    INT_ROW(best_update),
    REAL_ROW(best_value),
    REAL_ROW(best_loss),
    INT_ROW(worse),
    INT_ROW(falls),
    {.name = "finished",
     .kind = ATTEND_SETTING_FLAG,
     .offset = offsetof(struct progress, finished)},
    {0},
};

enum { STATES = 2 };
static const char *const state_names[STATES] = {"training.state.0", "training.state.1"};
static const char kept_name[] = "training.kept", weights_name[] = "training.weights";

static struct file_tensor vector(const char *name, const real *values, size_t size)
{
    return (struct file_tensor){
        .name = name, .dtype = FILE_REAL, .rows = 1, .cols = size, .bytes = values};
}

/* ---- Saving ---- */

static void add_kept(struct model_extra *extra, const struct kept *kept)
{
    extra->tensor[extra->tensors++] = (struct file_tensor){.name = kept_name,
                                                           .dtype = FILE_F64,
                                                           .rows = 1,
                                                           .cols = 2 * (size_t)kept->count,
                                                           .bytes = kept->model};
}

static void add_state(struct model_extra *extra, const struct updater *u)
{
    const struct optimizer *o = &u->optimizer;
    BUG_ON(o->ops->states > STATES);
    for (int i = 0; i < o->ops->states; i++)
        extra->tensor[extra->tensors++] = vector(state_names[i], o->state[i], o->size);
    if (o->average)
        extra->tensor[extra->tensors++] = vector(weights_name, u->parts.values, o->size);
}

enum attend_status checkpoint_save(const char *path, const struct checkpoint_content *c,
                                   struct attend_error *err)
{
    const struct updater *u = c->updater;
    struct seq2seq *net = u->parts.net;
    struct strbuf progress = {0};
    struct json_writer w = {.out = &progress};
    json_begin_object(&w, NULL);
    option_json_put(&w, progress_rows, c->progress);
    json_end(&w);
    enum attend_status status = strbuf_status(&progress, err);
    if (!status) {
        struct model_extra extra = {.text = {{"progress", progress.text},
                                             {"settings", c->texts->settings},
                                             {"data", c->texts->data}},
                                    .texts = 3};
        add_kept(&extra, c->kept);
        add_state(&extra, u);
        if (u->optimizer.average)
            param_bind(&net->params, u->optimizer.average, u->parts.grads);
        status = model_save(path, net, c->source, c->target, &extra, err);
        param_bind(&net->params, u->parts.values, u->parts.grads);
    }
    strbuf_release(&progress);
    return status;
}

/* ---- Loading ---- */

static enum attend_status load_progress(struct checkpoint *c, const char *path,
                                        struct attend_error *err)
{
    struct file_text text = {.name = "progress"};
    struct attend_settings set = {0};
    char name[sizeof err->message];
    snprintf(name, sizeof name, "%s: its progress", path);
    enum attend_status status = file_find_text(c->file, &text, err);
    option_add(&set, NULL, progress_rows, &c->progress);
    if (!status)
        status = option_json_read(&set, text.text, name, err);
    if (!status && (c->progress.epoch < 1 || c->progress.best_epoch > c->progress.epoch))
        status =
            error_set(err, ATTEND_FORMAT, "%s: is damaged: its progress is inconsistent", path);
    return status;
}

static enum attend_status load_kept(struct checkpoint *c, const char *path,
                                    struct attend_error *err)
{
    struct file_tensor t = {.name = kept_name, .dtype = FILE_F64, .rows = 1};
    const enum attend_status status = file_find_tensor(c->file, &t, err);
    if (status)
        return status;
    if (t.cols > 2 * TRAIN_MAX_AVERAGE || t.cols % 2)
        return error_set(err, ATTEND_FORMAT,
                         "%s: is damaged: its list of kept models has %zu numbers", path, t.cols);
    c->kept.count = (int)t.cols / 2;
    memcpy(c->kept.model, t.bytes, t.cols * sizeof(double));
    return ATTEND_OK;
}

static enum attend_status load_text(struct checkpoint *c, const char *name, const char **out,
                                    struct attend_error *err)
{
    struct file_text text = {.name = name};
    const enum attend_status status = file_find_text(c->file, &text, err);
    *out = text.text;
    return status;
}

enum attend_status checkpoint_load(struct checkpoint **out, const char *path,
                                   struct attend_error *err)
{
    struct checkpoint *c = calloc(1, sizeof *c);
    if (!c)
        return error_set(err, ATTEND_NO_MEMORY, "%s: out of memory", path);
    enum attend_status status = model_load_floats(&c->model, path, err);
    if (!status)
        status = file_open(&c->file, &c->model->map, path, err);
    if (!status)
        status = load_progress(c, path, err);
    if (!status)
        status = load_kept(c, path, err);
    if (!status)
        status = load_text(c, "settings", &c->texts.settings, err);
    if (!status)
        status = load_text(c, "data", &c->texts.data, err);
    if (status) {
        checkpoint_free(c);
        return status;
    }
    *out = c;
    return ATTEND_OK;
}

void checkpoint_free(struct checkpoint *c)
{
    if (!c)
        return;
    file_close(c->file);
    model_free(c->model);
    free(c);
}

static enum attend_status copy_vector(const struct checkpoint *c, const char *name, real *out,
                                      size_t size, struct attend_error *err)
{
    struct file_tensor t = vector(name, NULL, size);
    const enum attend_status status = file_find_tensor(c->file, &t, err);
    if (!status)
        memcpy(out, t.bytes, size * sizeof *out);
    return status;
}

enum attend_status checkpoint_restore(const struct checkpoint *c, struct updater *u,
                                      struct attend_error *err)
{
    struct optimizer *o = &u->optimizer;
    const struct param_set *set = &c->model->net.params;
    BUG_ON(set->size != o->size || o->ops->states > STATES);
    enum attend_status status = ATTEND_OK;
    param_copy(set, o->average ? o->average : u->parts.values);
    if (o->average)
        status = copy_vector(c, weights_name, u->parts.values, o->size, err);
    for (int i = 0; i < o->ops->states && !status; i++)
        status = copy_vector(c, state_names[i], o->state[i], o->size, err);
    o->step = c->progress.step;
    return status;
}
