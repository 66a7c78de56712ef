/* Which models can be an ensemble. */
#ifndef ATTEND_MODEL_ENSEMBLE_H
#define ATTEND_MODEL_ENSEMBLE_H

#include <stdbool.h>

struct model;

/* Whether the models read the same sources and have the same tokens. */
bool ensemble_agrees(const struct model *, const struct model *);

#endif
