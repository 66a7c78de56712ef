#include "settings/presets.h"

#include "base/error.h"

#include <string.h>

enum { PRESET_SETTINGS = 8 };

/* To add a preset: one row here; help and tests use the table. Settings that a preset does not name
 * keep their defaults. */
static const struct preset {
    const char *name, *help;
    struct {
        const char *setting, *value;
    } set[PRESET_SETTINGS];
} presets[] = {
    {"tiny",
     "for a few thousand words",
     {{"emb", "128"}, {"hidden", "128"}, {"batch-tokens", "250"}}},
    {"small",
     "for tens of thousands of words, or short sentences",
     {{"emb", "128"}, {"hidden", "256"}, {"batch-tokens", "250"}}},
    {"base",
     "for sentences",
     {{"emb", "256"},
      {"hidden", "384"},
      {"placement", "conditional"},
      {"readout", "linear"},
      {"batch-tokens", "500"},
      {"dropout", "0.3"}}},
};
enum { PRESETS = sizeof presets / sizeof *presets };

struct attend_choice preset_choice(int i)
{
    return i < PRESETS ? (struct attend_choice){presets[i].name, presets[i].help, NULL}
                       : (struct attend_choice){0};
}

enum attend_status preset_apply(struct attend_settings *set, const char *name,
                                struct attend_error *err)
{
    const struct preset *preset = presets;
    while (preset < presets + PRESETS && strcmp(preset->name, name) != 0)
        preset++;
    if (preset == presets + PRESETS)
        return error_set(err, ATTEND_USAGE, "there is no preset '%.64s'", name);
    enum attend_status status = ATTEND_OK;
    for (int i = 0; i < PRESET_SETTINGS && preset->set[i].setting && !status; i++)
        status = option_preset(set, preset->set[i].setting, preset->set[i].value, err);
    return status;
}
