/* The shape of a model: what is fixed when it is made and stored in its file. */
#ifndef ATTEND_MODEL_CONFIG_H
#define ATTEND_MODEL_CONFIG_H

#include "base/option.h"

struct model_config {
    int source_vocab, target_vocab; /* V of each side, specials included */
    int emb;                        /* E */
    int hidden;                     /* H */
    int attention_size;             /* A; 0 on the command line: the same as hidden */
    int readout_size;               /* R; 0 on the command line: the same as emb */
};

/* The settings a user may choose, over struct model_config. */
extern const struct option_row model_config_rows[];

/* Fill in what 0 stands for. */
void model_config_complete(struct model_config *);

#endif
