#include "model/config.h"

#define ROW(field, flag, text, low, high, what)                                                    \
    {                                                                                              \
        .name = flag, .kind = OPTION_INT, .offset = offsetof(struct model_config, field),          \
        .fallback = text, .min = low, .max = high, .value = "N", .help = what                      \
    }

const struct option_row model_config_rows[] = {
    ROW(emb, "emb", "128", 1, 8192, "embedding size of both sides"),
    ROW(hidden, "hidden", "256", 1, 8192,
        "state size of each encoder direction and of the decoder"),
    ROW(attention_size, "attention-size", "0", 0, 8192,
        "width of the attention's hidden layer; 0: as --hidden"),
    ROW(readout_size, "readout-size", "0", 0, 8192,
        "width of the layer before the output; 0: as --emb"),
    {0},
};

void model_config_complete(struct model_config *c)
{
    if (c->attention_size == 0)
        c->attention_size = c->hidden;
    if (c->readout_size == 0)
        c->readout_size = c->emb;
}
