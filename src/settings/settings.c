#include "attend/settings.h"

#include "attend/shelf.h"
#include "base/error.h"
#include "base/io.h"
#include "base/option.h"
#include "base/strbuf.h"
#include "frames/options.h"
#include "model/config.h"
#include "settings/presets.h"
#include "settings/tables.h"

#include <stdlib.h>
#include <string.h>

static const struct attend_setting *const tables[ATTEND_TABLES] = {
    [ATTEND_TABLE_DATA] = data_rows,
    [ATTEND_TABLE_TOKENS] = token_rows,
    [ATTEND_TABLE_NETWORK] = network_rows,
    [ATTEND_TABLE_TRAIN] = run_rows,
    [ATTEND_TABLE_LEARNING] = learning_rows,
    [ATTEND_TABLE_SEARCH] = search_rows,
    [ATTEND_TABLE_SPEED] = speed_rows,
    [ATTEND_TABLE_DIRECTION] = direction_rows,
    [ATTEND_TABLE_WRITER] = writer_rows,
    [ATTEND_TABLE_ALIGN] = align_rows,
    [ATTEND_TABLE_ALIGN_BOTH] = align_both_rows,
    [ATTEND_TABLE_ALIGN_GOLD] = align_gold_rows,
    [ATTEND_TABLE_ALIGN_SPEED] = align_speed_rows,
    [ATTEND_TABLE_EVAL] = eval_rows,
    [ATTEND_TABLE_METRICS] = metric_rows,
    [ATTEND_TABLE_SERVE_MODELS] = serve_model_rows,
    [ATTEND_TABLE_SERVE] = serve_rows,
    [ATTEND_TABLE_SERVE_LIMITS] = serve_limit_rows,
    [ATTEND_TABLE_BENCH] = bench_rows,
    [ATTEND_TABLE_FRAMES] = frame_rows,
    [ATTEND_TABLE_DISTILL] = distill_rows,
};

enum attend_status attend_settings_new(struct attend_settings **out, struct attend_error *err)
{
    struct attend_settings *s = calloc(1, sizeof *s);
    if (!s)
        return error_set(err, ATTEND_NO_MEMORY, "out of memory for settings");
    *out = s;
    return ATTEND_OK;
}

void attend_settings_free(struct attend_settings *s)
{
    if (!s)
        return;
    option_release(s);
    free(s);
}

enum attend_status attend_settings_add_rows(struct attend_settings *s, const char *title,
                                            const struct attend_setting *rows, void *options,
                                            struct attend_error *err)
{
    if (s->count == OPTION_GROUPS)
        return error_set(err, ATTEND_USAGE, "at most %d tables of settings", OPTION_GROUPS);
    option_add(s, title, rows, options);
    return ATTEND_OK;
}

enum attend_status attend_settings_add(struct attend_settings *s, const char *title,
                                       enum attend_table table, void *options,
                                       struct attend_error *err)
{
    if ((unsigned)table >= ATTEND_TABLES)
        return error_set(err, ATTEND_USAGE, "there is no table %d", (int)table);
    return attend_settings_add_rows(s, title, tables[table], options, err);
}

enum attend_status attend_settings_default(struct attend_settings *s, const char *name,
                                           const char *text, struct attend_error *err)
{
    int group;
    const struct attend_setting *row = option_find(s, name, &group);
    if (!row)
        return error_set(err, ATTEND_USAGE, "there is no `%s`", name);
    s->group[group].fallback[row - s->group[group].rows] = text;
    return option_preset(s, name, text, err);
}

void attend_settings_models(struct attend_settings *s, const char *const *folders)
{
    s->folders = folders;
}

static enum attend_status set_model(struct attend_settings *s, const char *name, const char *text,
                                    struct attend_error *err)
{
    char *path = NULL;
    enum attend_status status = attend_model_find(&path, text, s->folders, err);
    if (!status || status == ATTEND_IO)
        status = option_assign(s, name, path ? path : text, err);
    attend_text_free(path);
    return status;
}

enum attend_status attend_settings_set(struct attend_settings *s, const char *name,
                                       const char *text, struct attend_error *err)
{
    int group;
    const struct attend_setting *row = option_find(s, name, &group);
    const bool model = row && row->value && strcmp(row->value, "MODEL") == 0;
    return model && s->folders ? set_model(s, name, text, err) : option_assign(s, name, text, err);
}

struct attend_choice attend_preset(int i) { return preset_choice(i); }

enum attend_status attend_settings_preset(struct attend_settings *s, const char *preset,
                                          struct attend_error *err)
{
    return preset_apply(s, preset, err);
}

bool attend_settings_given(const struct attend_settings *s, const char *name)
{
    int group;
    const struct attend_setting *row = option_find(s, name, &group);
    return row && s->group[group].given[row - s->group[group].rows];
}

static enum attend_status set_from_file(void *context, const char *name, const char *value,
                                        bool item, struct attend_error *err)
{
    const struct attend_setting *row = option_find(context, name, NULL);
    if (item && row && row->kind != ATTEND_SETTING_LIST)
        return error_set(err, ATTEND_USAGE, "%s takes one value, not a list", name);
    return attend_settings_set(context, name, value, err);
}

enum attend_status attend_settings_load(struct attend_settings *s, const char *path,
                                        attend_yaml_read_fn *read, struct attend_error *err)
{
    if (!read)
        return error_set(err, ATTEND_USAGE, "%s: there is no function to read it with", path);
    struct strbuf bytes = {0};
    struct attend_error why = {.message = ""};
    size_t line = 0;
    enum attend_status status = io_read(path, &bytes, err);
    if (!status) {
        const char *text = bytes.text ? bytes.text : "";
        status = read(text, bytes.length, set_from_file, s, &line, &why);
        if (status && line)
            error_at(err, status, path, line, "%s", why.message);
        else if (status)
            error_set(err, status, "%s: %s", path, why.message);
    }
    option_close_lists(s);
    strbuf_release(&bytes);
    return status;
}

/* Whether an earlier group has a setting of this name, which is the one that option_find finds. */
static bool is_hidden(const struct attend_settings *s, int group, const char *name)
{
    int first = group;
    return option_find(s, name, &first) && first < group;
}

bool attend_settings_describe(const struct attend_settings *s, int i,
                              struct attend_setting_info *out)
{
    for (int g = 0; g < s->count; g++)
        for (const struct attend_setting *row = s->group[g].rows; row->name; row++)
            if (!is_hidden(s, g, row->name) && i-- == 0) {
                const char *other = s->group[g].fallback[row - s->group[g].rows];
                *out = (struct attend_setting_info){.group = s->group[g].title,
                                                    .row = row,
                                                    .options = s->group[g].base,
                                                    .fallback = other ? other : row->fallback};
                return true;
            }
    return false;
}

const char *attend_nearest(const char *name, const char *(*next)(void *context), void *context)
{
    return option_nearest(name, next, context);
}
