#include "attend/convert.h"

#include "api/shortlist.h"
#include "base/error.h"
#include "base/path.h"
#include "base/strbuf.h"
#include "model/model.h"
#include "model/quantize.h"
#include "text/vocab.h"

#include <unistd.h>

/* Do not overwrite the model of an unfinished run, which still needs its weights. */
static enum attend_status check_target(const char *from, const char *to, struct attend_error *err)
{
    struct strbuf checkpoint = {0};
    if (path_same(from, to))
        return error_set(err, ATTEND_USAGE,
                         "%s: is the model to convert; choose another output file", to);
    strbuf_addf(&checkpoint, "%s.ckpt", to);
    enum attend_status status = strbuf_status(&checkpoint, err);
    if (!status && access(checkpoint.text, F_OK) == 0)
        status = error_set(err, ATTEND_USAGE, "%s: belongs to the run of %s; choose another file",
                           to, checkpoint.text);
    strbuf_release(&checkpoint);
    return status;
}

static enum attend_status save(const struct model *m, const char *to, struct attend_error *err)
{
    struct strbuf calibration = {0};
    const struct model_extra extra = model_kept(m, &calibration);
    enum attend_status status = strbuf_status(&calibration, err);
    if (!status)
        status = model_save(to, &m->net, &m->source, &m->target, &extra, err);
    strbuf_release(&calibration);
    return status;
}

/* The model gets a copy of the lists. */
static enum attend_status take_lists(struct model *m, const struct shortlist *lists,
                                     const char *from, struct attend_error *err)
{
    struct shortlist *copy = NULL;
    const struct vocab *source = m->source.vocab, *target = m->target.vocab;
    if (!source || !target || lists->sources != vocab_size(source) ||
        lists->targets != vocab_size(target))
        return error_set(err, ATTEND_USAGE, "%s: the lists of words are of another model", from);
    const enum attend_status status = shortlist_read(&copy, lists->bytes, lists->length,
                                                     lists->sources, lists->targets, from, err);
    if (status)
        return status;
    shortlist_free(m->shortlist);
    m->shortlist = copy;
    return ATTEND_OK;
}

enum attend_status attend_convert(const char *from, const char *to,
                                  const struct attend_conversion *c, struct attend_error *err)
{
    struct model *model = NULL;
    enum attend_status status = check_target(from, to, err);
    if (!status)
        status = (c->int8 ? model_load_floats : model_load)(&model, from, err);
    if (!status && model->source.languages && (c->source_lang || c->target_lang))
        status = error_set(err, ATTEND_USAGE,
                           "%s: has several pairs of languages, which cannot be changed", from);
    if (!status)
        status = text_side_name(&model->source, c->source_lang, err);
    if (!status)
        status = text_side_name(&model->target, c->target_lang, err);
    if (!status && c->calibration) {
        model->scaling = *c->calibration;
        model->calibrated = true;
    }
    if (!status && c->shortlist)
        status = take_lists(model, c->shortlist->lists, from, err);
    if (!status)
        status = c->int8 ? quantize_save(model, from, to, err) : save(model, to, err);
    model_free(model);
    return status;
}
