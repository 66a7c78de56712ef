/* The public model wraps the internal one. */
#ifndef ATTEND_API_MODEL_H
#define ATTEND_API_MODEL_H

#include "attend/model.h"
#include "model/model.h"

struct attend_model {
    struct model *model;
    int fits; /* tokens of the longest source that attend_model_fit accepts */
};

#endif
