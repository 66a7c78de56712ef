#include "attend/convert.h"

#include "base/error.h"
#include "base/path.h"
#include "base/strbuf.h"
#include "model/model.h"
#include "model/quantize.h"

#include <unistd.h>

/* Weights that a training still needs are not to be replaced by rounded ones. */
static enum attend_status check_target(const char *from, const char *to, struct attend_error *err)
{
    struct strbuf checkpoint = {0};
    if (path_same(from, to))
        return error_set(err, ATTEND_USAGE,
                         "%s: would be replaced by its own conversion; choose another file", to);
    strbuf_addf(&checkpoint, "%s.ckpt", to);
    enum attend_status status = strbuf_status(&checkpoint, err);
    if (!status && access(checkpoint.text, F_OK) == 0)
        status =
            error_set(err, ATTEND_USAGE, "%s: belongs to the training of %s; choose another file",
                      to, checkpoint.text);
    strbuf_release(&checkpoint);
    return status;
}

static enum attend_status save(const struct model *m, const char *to, struct attend_error *err)
{
    const struct model_extra extra = {.text = {{"settings", m->settings}},
                                      .texts = m->settings ? 1 : 0};
    return model_save_with(to, &m->net, &m->source, &m->target, &extra, err);
}

enum attend_status attend_convert(const char *from, const char *to,
                                  const struct attend_conversion *c, struct attend_error *err)
{
    struct model *model = NULL;
    enum attend_status status = check_target(from, to, err);
    if (!status)
        status = (c->int8 ? model_load_floats : model_load)(&model, from, err);
    if (!status)
        status = model_side_name(&model->source, c->source_lang, err);
    if (!status)
        status = model_side_name(&model->target, c->target_lang, err);
    if (!status)
        status = c->int8 ? quantize_save(model, from, to, err) : save(model, to, err);
    model_free(model);
    return status;
}

enum attend_status attend_convert_int8(const char *from, const char *to, struct attend_error *err)
{
    return attend_convert(from, to, &(struct attend_conversion){.int8 = true}, err);
}
