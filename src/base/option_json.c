#include "base/option_json.h"

#include "base/bug.h"
#include "base/error.h"
#include "base/json.h"
#include "base/json_writer.h"
#include "base/strbuf.h"

#include <string.h>

static void put_member(struct json_writer *w, const struct attend_setting *row, const void *base)
{
    const bool quoted = row->kind == ATTEND_SETTING_TEXT || row->kind == ATTEND_SETTING_CHOICE;
    char value[256];
    const int length = option_print(row, base, value, sizeof value);
    BUG_ON(length < 0 || (size_t)length >= sizeof value);
    if (quoted && length == 0)
        return; /* not given */
    if (row->absent && strcmp(value, row->absent) == 0)
        return;
    (quoted ? json_put_text : json_put_raw)(w, row->name, value);
}

void option_json_put(struct json_writer *w, const struct attend_setting *rows, const void *base)
{
    for (const struct attend_setting *row = rows; row->name; row++)
        if (!row->local)
            put_member(w, row, base);
}

static enum attend_status assign(struct attend_settings *set, const struct json_walk *w,
                                 const char *name, struct attend_error *err)
{
    if (!option_find(set, w->name, NULL))
        return error_set(err, ATTEND_FORMAT,
                         "%s has the setting %.64s, which this program does not know; use a newer "
                         "attend",
                         name, w->name);
    struct attend_error why = {.message = ""};
    struct strbuf value = {0};
    enum attend_status status = ATTEND_OK;
    strbuf_adds(&value, "");
    if (!json_print(w->value, &value))
        status = error_set(&why, ATTEND_FORMAT, "%s is neither text nor number", w->name);
    if (!status)
        status = strbuf_status(&value, &why);
    if (!status)
        status = option_assign(set, w->name, value.text, &why);
    strbuf_release(&value);
    if (status)
        error_set(err, status, "%s is wrong: %s", name, why.message);
    return status == ATTEND_USAGE ? ATTEND_FORMAT : status;
}

/* Set what a file means by leaving a setting out. */
static enum attend_status assign_absent(struct attend_settings *set, struct attend_error *err)
{
    enum attend_status status = ATTEND_OK;
    for (int g = 0; g < set->count && !status; g++)
        for (const struct attend_setting *row = set->group[g].rows; row->name && !status; row++)
            if (row->absent)
                status = option_assign(set, row->name, row->absent, err);
    return status;
}

enum attend_status option_json_take(struct attend_settings *set, const struct json *object,
                                    const char *name, struct attend_error *err)
{
    struct json_walk w = {0};
    if (json_absent(object))
        return error_set(err, ATTEND_FORMAT, "%s has no settings", name);
    enum attend_status status = assign_absent(set, err);
    while (!status && json_next(object, &w))
        status = assign(set, &w, name, err);
    return status;
}

enum attend_status option_json_read(struct attend_settings *set, const char *text, const char *name,
                                    struct attend_error *err)
{
    struct json *object = NULL;
    enum attend_status status = json_parse(&object, text, strlen(text), name, err);
    if (!status)
        status = option_json_take(set, object, name, err);
    json_free(object);
    return status;
}
