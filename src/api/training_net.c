#include "api/train_check.h"
#include "api/training.h"

#include "base/error.h"
#include "corpus/store.h"
#include "frames/source.h"
#include "text/vocab.h"

#include <stdlib.h>

/* Numbers in a frame of a side; 0: it is tokens. */
static int width_of(const struct text_side *side)
{
    return side->frames ? frame_source_width(side->frames) : 0;
}

static int vocab_of(const struct text_side *side)
{
    return side->frames ? 0 : vocab_size(side->vocab);
}

static struct attend_network_options config_of(const struct attend_training *s)
{
    const struct model *from = s->found ? s->found->model : s->parent;
    if (from)
        return from->net.config;
    struct attend_network_options config = s->options.network;
    /* The data decides, whatever a caller wrote into these fields. */
    config.source_width = width_of(&s->data.side[0]);
    config.source_vocab = vocab_of(&s->data.side[0]);
    config.target_width = width_of(&s->data.side[1]);
    config.target_vocab = vocab_of(&s->data.side[1]);
    if (config.positions == 0)
        config.positions = store_longest_source(s->data.train) + 1;
    model_config_complete(&config);
    return config;
}

enum attend_status training_make_net(struct attend_training *s, struct attend_error *err)
{
    const struct attend_network_options config = config_of(s);
    const struct train_check check = {&s->options, s->data.side, &config};
    enum attend_status status = train_check(&check, err);
    if (!status)
        status = model_config_check(&config, err);
    if (!status)
        status = seq2seq_init(&s->net, &config, PACKING_TRAIN, err);
    if (status)
        return status;
    s->values = calloc(s->net.params.size, sizeof *s->values);
    s->grads = calloc(s->net.params.size, sizeof *s->grads);
    if (!s->values || !s->grads)
        return error_set(err, ATTEND_NO_MEMORY, "out of memory for %zu parameters",
                         s->net.params.size);
    if (config.copy)
        status = text_side_copies(&s->copies, &s->data.side[0], &s->data.side[1], err);
    if (status)
        return status;
    s->net.decoder.copy.target_of = s->copies;
    param_bind(&s->net.params, s->values, s->grads);
    if (s->parent)
        param_copy(&s->parent->net.params, s->values);
    else
        status = param_initialize(&s->net.params, (uint64_t)s->options.train.seed, err);
    return status;
}
