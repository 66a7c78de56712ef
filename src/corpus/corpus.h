/* Pairs of sequences in memory: a window of the training text, or all of the validation text. */
#ifndef ATTEND_CORPUS_CORPUS_H
#define ATTEND_CORPUS_CORPUS_H

#include "text/sequences.h"

struct corpus {
    struct sequences source, target; /* with the same count */
    int *line;                       /* (count) line number of each pair in the files, from 1 */
};

void corpus_release(struct corpus *);

#endif
