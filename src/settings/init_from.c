#include "settings/init_from.h"

#include "base/error.h"
#include "frames/options.h"
#include "model/model.h"
#include "settings/train_settings.h"
#include "text/tokenizer.h"

#include <string.h>

static bool differs(const struct attend_setting *row, const void *asked, const void *usual)
{
    char a[256], b[256];
    option_print(row, asked, a, sizeof a);
    option_print(row, usual, b, sizeof b);
    return strcmp(a, b) != 0;
}

/* Frames are read as the other model reads them. */
static enum attend_status check_frames(const struct train_settings *s, struct attend_error *err)
{
    const struct attend_frame_options usual = attend_frame_defaults();
    for (const struct attend_setting *row = frame_rows; row->name; row++)
        if (differs(row, &s->frames, &usual))
            return error_set(err, ATTEND_USAGE,
                             "`%s` does not go with `init_from`: frames are read as for %s; leave "
                             "it out",
                             row->name, s->train.init_from);
    return ATTEND_OK;
}

/* The vocabulary is that of the other model, so the options that make one must not be given. */
static enum attend_status check_tokens(const struct train_settings *s, const struct model *parent,
                                       struct attend_error *err)
{
    static const char *const names[] = {
        "normalize", "tokenizer",   "src-tokenizer",   "tgt-tokenizer",       "vocab-size",
        "subwords",  "joint-vocab", "tokenizer-model", "src-tokenizer-model", "tgt-tokenizer-model",
        "case"};
    const struct attend_data_options usual = attend_data_defaults();
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        const struct attend_setting *row = option_find(&s->set, names[i], NULL);
        if (differs(row, &s->data, &usual))
            return error_set(err, ATTEND_USAGE,
                             "`%s` does not go with `init_from`: the vocabulary of %s is kept; "
                             "leave it out",
                             names[i], s->train.init_from);
    }
    const struct tokenizer *tokenizer = parent->source.tokenizer;
    const bool features = tokenizer && tokenizer->features;
    if (!s->data.features != !features)
        return error_set(err, ATTEND_USAGE, "%s was trained with%s `features`; do the same here",
                         s->train.init_from, features ? "" : "out");
    return ATTEND_OK;
}

/* The shape is that of the other model; fields that are not at their default must agree. */
static enum attend_status check_shape(const struct train_settings *s, const struct model *parent,
                                      struct attend_error *err)
{
    const struct attend_network_options usual = attend_network_defaults();
    for (const struct attend_setting *row = network_rows; row->name; row++) {
        char asked[64], has[64], fallback[64];
        option_print(row, &s->network, asked, sizeof asked);
        option_print(row, &parent->net.config, has, sizeof has);
        option_print(row, &usual, fallback, sizeof fallback);
        if (strcmp(asked, has) != 0 && strcmp(asked, fallback) != 0)
            return error_set(err, ATTEND_USAGE, "`%s` is %s in %s, not %s; leave it out", row->name,
                             has, s->train.init_from, asked);
    }
    return ATTEND_OK;
}

enum attend_status init_from_check(const struct train_settings *s, const struct model *parent,
                                   struct attend_error *err)
{
    enum attend_status status = check_tokens(s, parent, err);
    if (!status)
        status = check_frames(s, err);
    return status ? status : check_shape(s, parent, err);
}
