#include "api/presets.h"

#include "base/bug.h"

#include <string.h>

enum { PRESET_SETTINGS = 8 };

/* To add one: a line here; help and tests follow. What a preset does not name keeps its default. */
static const struct preset {
    const char *name;
    struct {
        const char *setting, *value;
    } set[PRESET_SETTINGS];
} presets[] = {
    {"tiny", {{"emb", "128"}, {"hidden", "128"}, {"batch-tokens", "250"}}},
    {"small", {{"emb", "128"}, {"hidden", "256"}, {"batch-tokens", "250"}}},
    {"base",
     {{"emb", "256"},
      {"hidden", "384"},
      {"placement", "conditional"},
      {"readout", "linear"},
      {"batch-tokens", "500"},
      {"dropout", "0.3"}}},
};
enum { PRESETS = sizeof presets / sizeof *presets };

const char *preset_name(int i) { return i < PRESETS ? presets[i].name : NULL; }

enum attend_status preset_apply(struct option_set *set, const char *name, struct attend_error *err)
{
    const struct preset *preset = presets;
    while (strcmp(preset->name, name) != 0)
        BUG_ON(++preset == presets + PRESETS);
    enum attend_status status = ATTEND_OK;
    for (int i = 0; i < PRESET_SETTINGS && preset->set[i].setting && !status; i++)
        status = option_preset(set, preset->set[i].setting, preset->set[i].value, err);
    return status;
}
