/* Presets: named sets of sizes and related settings. */
#ifndef ATTEND_SETTINGS_PRESETS_H
#define ATTEND_SETTINGS_PRESETS_H

#include "base/option.h"

struct attend_choice preset_choice(int i);
/* Apply a preset to the settings that the user has not set. */
enum attend_status preset_apply(struct attend_settings *, const char *name,
                                struct attend_error *err);

#endif
