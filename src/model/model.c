#include "model/model.h"

#include "base/bug.h"
#include "base/error.h"
#include "base/json_writer.h"
#include "base/option_json.h"
#include "base/strbuf.h"
#include "model/file.h"
#include "model/model_parts.h"
#include "model/ready.h"
#include "model/weights.h"
#include "text/shortlist.h"
#include "text/vocab.h"

#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- Loading ---- */

/* A model with choices that cannot be combined cannot have been trained. */
static enum attend_status check_config(const struct loading *l, struct attend_error *err)
{
    const struct attend_network_options *c = &l->model->net.config;
    struct attend_error why;
    if (c->source_vocab && c->source_vocab < VOCAB_SPECIALS)
        return error_set(err, ATTEND_FORMAT,
                         "%s: its config is wrong: `source_vocab` takes %d or more, not %d",
                         l->path, VOCAB_SPECIALS, c->source_vocab);
    if (model_config_check(c, &why) == ATTEND_OK)
        return ATTEND_OK;
    return error_set(err, ATTEND_FORMAT, "%s: its config is wrong: %s", l->path, why.message);
}

/* Settings that the file lacks are newer than it and take their default. */
static enum attend_status load_config(struct loading *l, struct attend_error *err)
{
    struct attend_settings set = {0};
    struct file_text text = {.name = "config"};
    char name[sizeof err->message];
    option_add(&set, NULL, model_size_rows, &l->model->net.config);
    option_add(&set, NULL, network_rows, &l->model->net.config);
    option_add(&set, NULL, model_reading_rows, &l->reading);
    enum attend_status status = file_find_text(l->file, &text, err);
    snprintf(name, sizeof name, "%s: its config", l->path);
    if (!status)
        status = option_json_read(&set, text.text, name, err);
    model_config_complete(&l->model->net.config);
    if (!status)
        status = check_config(l, err);
    return status;
}

static enum attend_status load_kind(struct loading *l, struct attend_error *err)
{
    struct file_text text = {.name = WEIGHTS_TEXT};
    if (file_find_text(l->file, &text, NULL))
        return ATTEND_OK;
    l->int8 = strcmp(text.text, WEIGHTS_INT8) == 0;
    return l->int8 ? ATTEND_OK
                   : error_set(err, ATTEND_FORMAT,
                               "%s: its weights are %.64s, which this program does not have; use a "
                               "newer attend",
                               l->path, text.text);
}

/* First only declare the parameters and look them up in the file. So a config that does not match
 * the file cannot make the loader allocate for it. */
static enum attend_status load_net(struct loading *l, struct attend_error *err)
{
    struct seq2seq *net = &l->model->net;
    const struct attend_network_options config = net->config;
    encoder_declare(&net->encoder, &net->params, &config);
    decoder_declare(&net->decoder, &net->params, &config, &net->encoder.embedding);
    enum attend_status status = weights_bind(&net->params, l->file, l->int8, err);
    if (!status)
        status = seq2seq_init(net, &config, l->int8 ? PACKING_INT8 : PACKING_RUN, err);
    if (!status)
        status = weights_bind(&net->params, l->file, l->int8, err);
    return status;
}

static enum attend_status load_settings(struct loading *l, struct attend_error *err)
{
    struct file_text text = {.name = "settings"};
    if (file_find_text(l->file, &text, NULL))
        return ATTEND_OK;
    l->model->settings = strdup(text.text);
    return l->model->settings ? ATTEND_OK
                              : error_set(err, ATTEND_NO_MEMORY, "%s: out of memory", l->path);
}

static enum attend_status load_examples(struct loading *l, struct attend_error *err)
{
    struct file_text text = {.name = MODEL_EXAMPLES};
    char name[sizeof err->message];
    snprintf(name, sizeof name, "%s: is damaged: its " MODEL_EXAMPLES, l->path);
    return file_find_text(l->file, &text, NULL)
               ? ATTEND_OK
               : examples_parse(&l->model->examples, text.text, name, err);
}

static enum attend_status load_scaling(struct loading *l, struct attend_error *err)
{
    struct file_text text = {.name = SCALING_TEXT};
    l->model->scaling = scaling_none;
    if (file_find_text(l->file, &text, NULL))
        return ATTEND_OK;
    l->model->calibrated = true;
    return scaling_read(&l->model->scaling, text.text, l->path, err);
}

/* Lists can only be of words on both sides. */
static enum attend_status load_shortlist(struct loading *l, struct attend_error *err)
{
    const struct model *m = l->model;
    struct file_tensor t = {.name = MODEL_SHORTLIST, .dtype = FILE_U8, .rows = 1};
    char name[sizeof err->message];
    snprintf(name, sizeof name, "%s: its " MODEL_SHORTLIST, l->path);
    if (m->source.frames || m->target.frames || file_find_tensor(l->file, &t, NULL))
        return ATTEND_OK;
    return shortlist_read(&l->model->shortlist, t.bytes, t.cols, vocab_size(m->source.vocab),
                          vocab_size(m->target.vocab), name, err);
}

struct model_extra model_kept(const struct model *m, struct strbuf *calibration)
{
    struct model_extra extra = {.shortlist = m->shortlist};
    if (m->settings)
        extra.text[extra.texts++] = (struct file_text){"settings", m->settings};
    if (m->examples.text)
        extra.text[extra.texts++] = (struct file_text){MODEL_EXAMPLES, m->examples.text};
    if (m->calibrated) {
        scaling_write(calibration, &m->scaling);
        extra.text[extra.texts++] =
            (struct file_text){SCALING_TEXT, calibration->text ? calibration->text : ""};
    }
    return extra;
}

/* Everything else, while another thread checks the file. */
static enum attend_status load_rest(void *context, struct attend_error *err)
{
    struct loading *l = context;
    struct model *m = l->model;
    enum attend_status status = model_load_sides(l, err);
    if (!status && m->net.decoder.copy.used)
        status = text_side_copies(&m->copies, &m->source, &m->target, err);
    m->net.decoder.copy.target_of = m->copies;
    if (!status)
        status = load_settings(l, err);
    if (!status)
        status = load_examples(l, err);
    if (!status)
        status = load_scaling(l, err);
    if (!status)
        status = load_shortlist(l, err);
    return status ? status : file_check_all_found(l->file, MODEL_EXTRA_PREFIX, err);
}

/* Whether each side is words or frames. */
static bool has_sides(const struct attend_network_options *c)
{
    return (c->source_vocab || c->source_width) && (c->target_vocab || c->target_width);
}

/* The network without its values. A vocabulary of another size than the config says explains a
 * network that does not fit. */
static enum attend_status load_shape(struct loading *l, struct attend_error *err)
{
    struct attend_error why;
    enum attend_status status = load_config(l, err);
    if (!status && !has_sides(&l->model->net.config)) {
        status = model_load_sides(l, err);
        BUG_ON(!status); /* no vocabulary is empty */
    }
    if (status)
        return status;
    status = load_kind(l, err);
    if (!status)
        status = load_net(l, err);
    if (status == ATTEND_FORMAT && model_load_sides(l, &why) && err)
        *err = why;
    return status;
}

/* Damage explains everything else. */
static enum attend_status load_checked(struct loading *l, struct attend_error *err)
{
    struct attend_error damage;
    const enum attend_status status = load_shape(l, err);
    if (!status)
        return ready_make(&(struct ready){.path = l->path,
                                          .file = l->file,
                                          .map = &l->model->map,
                                          .net = &l->model->net,
                                          .rest = load_rest,
                                          .context = l},
                          err);
    if (status == ATTEND_FORMAT && file_verify(l->file, NULL, NULL, &damage) && err)
        *err = damage;
    return status;
}

static enum attend_status load(struct loading *l, struct attend_error *err)
{
    struct model *m = l->model;
    enum attend_status status = (l->copy ? io_map_copy : io_map)(&m->map, l->path, err);
    if (!status)
        status = file_open_unverified(&l->file, &m->map, l->path, err);
    if (!status)
        status = load_checked(l, err);
    file_close(l->file);
    return status;
}

static enum attend_status load_new(struct model **out, const char *path, bool copy,
                                   struct attend_error *err)
{
    struct model *m = calloc(1, sizeof *m);
    if (!m)
        return error_set(err, ATTEND_NO_MEMORY, "%s: out of memory", path);
    const enum attend_status status =
        load(&(struct loading){.path = path, .model = m, .copy = copy}, err);
    if (status == ATTEND_OK) {
        *out = m;
        return ATTEND_OK;
    }
    model_free(m);
    return status;
}

enum attend_status model_load(struct model **out, const char *path, struct attend_error *err)
{
    return load_new(out, path, false, err);
}

enum attend_status model_load_copy(struct model **out, const char *path, struct attend_error *err)
{
    return load_new(out, path, true, err);
}

enum attend_status model_load_outline(struct model **out, const char *path,
                                      struct attend_error *err)
{
    const enum attend_status status = load_new(out, path, true, err);
    if (status)
        return status;
    struct model *m = *out;
    const size_t file = m->map.size, packed = m->net.packed.size;
    for (int i = 0; i < m->net.params.count; i++)
        m->net.params.item[i]->value = NULL;
    seq2seq_release(&m->net);
    io_unmap(&m->map);
    m->map.size = file;
    m->net.packed.size = packed;
    m->outline = true;
    return ATTEND_OK;
}

enum attend_status model_load_floats(struct model **out, const char *path, struct attend_error *err)
{
    struct model *m = NULL;
    const enum attend_status status = model_load(&m, path, err);
    if (status)
        return status;
    if (m->net.int8) {
        model_free(m);
        return error_set(
            err, ATTEND_FORMAT,
            "%s: its weights are int8, which can only be run; use the model that it was "
            "converted from",
            path);
    }
    *out = m;
    return ATTEND_OK;
}

void model_free(struct model *m)
{
    if (!m)
        return;
    seq2seq_release(&m->net);
    text_side_release(&m->source);
    text_side_release(&m->target);
    io_unmap(&m->map);
    free(m->values);
    free(m->copies);
    free(m->settings);
    examples_release(&m->examples);
    shortlist_free(m->shortlist);
    free(m);
}
