/* Sizes and what goes with them, under one name. */
#ifndef ATTEND_API_PRESETS_H
#define ATTEND_API_PRESETS_H

#include "base/option.h"

/* The i-th name, NULL past the last. */
const char *preset_name(int i);
/* Give the settings of a preset to whatever the user has not set. */
enum attend_status preset_apply(struct option_set *, const char *name, struct attend_error *err);

#endif
