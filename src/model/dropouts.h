/* The dropout of a run, for encoder and decoder. */
#ifndef ATTEND_MODEL_DROPOUTS_H
#define ATTEND_MODEL_DROPOUTS_H

#include "nn/dropout.h"

struct dropouts {
    struct dropout plain;     /* embeddings, between layers, annotations, readout */
    struct dropout recurrent; /* on the recurrence: one mask per sentence */
    struct dropout words;     /* whole source and target words */
    struct dropout layers;    /* whole layers of a transformer encoder, for all sentences alike */
};

#endif
