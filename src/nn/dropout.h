/* Dropout: y = x * mask / (1 - rate). The mask is sampled from a key, so backward samples the same
 * mask again and nothing is stored. */
#ifndef ATTEND_NN_DROPOUT_H
#define ATTEND_NN_DROPOUT_H

#include "tensor/view.h"

#include <stdbool.h>
#include <stdint.h>

/* Where dropout is applied; part of the key. Layer l of a stack has site + DROPOUT_SITES * l. */
enum dropout_site {
    DROPOUT_SOURCE,
    DROPOUT_TARGET,
    DROPOUT_ANNOTATION,
    DROPOUT_READOUT,
    DROPOUT_ENCODER_LAYER, /* between layers of a stack */
    DROPOUT_DECODER_LAYER,
    DROPOUT_FORWARD_STATE, /* the state that a recurrent product reads */
    DROPOUT_BACKWARD_STATE,
    DROPOUT_DECODER_STATE,
    DROPOUT_SITES,
    /* transformer layers, past the layers of every stack */
    DROPOUT_SELF_WEIGHT = 0x10000,
    DROPOUT_SELF_OUTPUT,
    DROPOUT_FEED_HIDDEN,
    DROPOUT_FEED_OUTPUT,
    DROPOUT_WHOLE_LAYER
};

struct dropout {
    double rate;  /* 0: nothing is dropped */
    uint64_t key; /* of this update */
};

/* Multiply one row of n numbers by its mask, in forward and in backward. The mask is a function of
 * the site, the sentence and the position. */
void dropout_row(const struct dropout *, int site, int sentence, int position, real *x, int n);
/* The same for rows [from, to) of x; place (rows, 2) has the sentence and position of each. */
void dropout_rows(const struct dropout *, int site, struct view x, const int *place, int from,
                  int to);
/* One mask for all positions of a sentence (Gal and Ghahramani 2016): a function of the site and
 * the sentence, different from all masks of dropout_rows. */
void dropout_sentences(const struct dropout *, int site, struct view x, const int *place, int from,
                       int to);
/* Drop whole rows: each becomes 0 with probability `rate`. The others are not scaled, because a row
 * is a word and should look the same as without dropout. Each row is sampled independently of the
 * others and of dropout_rows at the same site. */
void dropout_words(const struct dropout *, int site, struct view x, const int *place, int from,
                   int to);
/* Whether something is dropped as a whole in this update, with probability `rate`. */
bool dropout_whole(const struct dropout *, int site);

#endif
