/* Tokenizers and vocabularies of both sides, made from the training text. */
#ifndef ATTEND_CORPUS_SIDES_H
#define ATTEND_CORPUS_SIDES_H

#include "corpus/dataset.h"

struct pairs;

/* Whether the options ask for a source of frames, and for a target of strokes. */
bool sides_has_frames(const struct attend_data_options *);
bool sides_writes(const struct attend_data_options *);

enum attend_status sides_make(struct text_side side[2], struct pairs *, const struct dataset_job *,
                              struct attend_error *err);

#endif
