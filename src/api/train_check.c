#include "api/train_check.h"

#include "base/error.h"
#include "model/decoder.h"
#include "model/encoder.h"
#include "settings/train_settings.h"
#include "text/side.h"

#include <string.h>

/* What training a model that writes cannot do. Label smoothing has no effect on it. */
static enum attend_status check_strokes(const struct train_check *c, struct attend_error *err)
{
    const struct attend_train_options *o = &c->options->train;
    const char *metric = o->valid_metric;
    if (!c->side[1].frames)
        return ATTEND_OK;
    if (o->scheduled_sampling > 0)
        return error_set(err, ATTEND_USAGE,
                         "`scheduled_sampling` needs a target of words; leave it out for strokes");
    if (metric && strcmp(metric, "auto") != 0 && strcmp(metric, "loss") != 0)
        return error_set(err, ATTEND_USAGE,
                         "`valid_metric` %s needs a target of words; strokes have only the loss",
                         metric);
    return ATTEND_OK;
}

static enum attend_status check_choices(const struct train_check *c, struct attend_error *err)
{
    if (c->options->train.scheduled_sampling <= 0 || !model_config_attention(c->config)->hard)
        return ATTEND_OK;
    return error_set(err, ATTEND_USAGE,
                     "`scheduled_sampling` needs a soft `attention`; leave it out for %s",
                     model_config_attention(c->config)->name);
}

static enum attend_status check_masks(const struct train_check *c, struct attend_error *err)
{
    const struct attend_train_options *o = &c->options->train;
    if (c->side[0].frames || (!o->time_masks && !o->band_masks))
        return ATTEND_OK;
    return error_set(err, ATTEND_USAGE,
                     "`%s` hides parts of frames, and the source is text; leave it out",
                     o->time_masks ? "time_masks" : "band_masks");
}

static enum attend_status check_guide(const struct train_check *c, struct attend_error *err)
{
    const struct attention_ops *attention = model_config_attention(c->config);
    if (!c->options->data.guide)
        return ATTEND_OK;
    if (c->side[0].frames || c->side[1].frames)
        return error_set(
            err, ATTEND_USAGE,
            "`guide` links words, and one side of the model is not text; leave it out");
    if (attention == &attention_none)
        return error_set(err, ATTEND_USAGE,
                         "`guide` teaches the attention, and `attention` is none; leave it out");
    return attention->hard ? error_set(err, ATTEND_USAGE,
                                       "`guide` teaches the weights of a soft `attention`; leave "
                                       "it out for %s, which sums over the alignments",
                                       attention->name)
                           : ATTEND_OK;
}

static enum attend_status check_layer_drop(const struct train_check *c, struct attend_error *err)
{
    return c->options->train.encoder_layer_drop > 0 && model_config_encoder(c->config)->cells
               ? error_set(err, ATTEND_USAGE,
                           "`encoder_layer_drop` leaves out layers of a transformer encoder, and "
                           "`encoder` is recurrent; leave it out")
               : ATTEND_OK;
}

enum attend_status train_check(const struct train_check *c, struct attend_error *err)
{
    enum attend_status status = check_strokes(c, err);
    if (!status)
        status = check_choices(c, err);
    if (!status)
        status = check_masks(c, err);
    if (!status)
        status = check_layer_drop(c, err);
    return status ? status : check_guide(c, err);
}
