/* Tokenizers and vocabularies of both sides, made from the training text. */
#ifndef ATTEND_API_TRAIN_SIDES_H
#define ATTEND_API_TRAIN_SIDES_H

#include "api/train_data.h"

struct pairs;

enum attend_status train_sides_make(struct model_side side[2], struct pairs *,
                                    const struct train_data_job *, struct attend_error *err);

#endif
