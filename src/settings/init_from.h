/* What a run that starts from another model takes over from it. */
#ifndef ATTEND_SETTINGS_INIT_FROM_H
#define ATTEND_SETTINGS_INIT_FROM_H

#include "attend/status.h"

struct model;
struct train_settings;

/* The tokens, the frames and the shape are those of the other model: options that say otherwise are
 * ATTEND_USAGE. */
enum attend_status init_from_check(const struct train_settings *, const struct model *parent,
                                   struct attend_error *err);

#endif
