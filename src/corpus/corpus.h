/* Pairs of sequences in memory: a window of the training text, or all of the validation text. */
#ifndef ATTEND_CORPUS_CORPUS_H
#define ATTEND_CORPUS_CORPUS_H

#include "text/sequences.h"

struct corpus {
    struct sequences source, target; /* with the same count */
    struct sequences links; /* of each pair, see struct pair_ids: two numbers each; or all zero */
    int *line;              /* (count) line number of each pair in the files, from 1 */
};

void corpus_release(struct corpus *);

#endif
