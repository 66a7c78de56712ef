#include "base/option_json.h"

#include "base/bug.h"
#include "base/error.h"
#include "base/json.h"
#include "base/strbuf.h"

#include <string.h>

static void add_member(struct strbuf *s, const struct option_row *row, const void *base)
{
    const bool quoted = row->kind == OPTION_TEXT || row->kind == OPTION_CHOICE;
    char value[256];
    const int length = option_print(row, base, value, sizeof value);
    BUG_ON(length < 0 || (size_t)length >= sizeof value);
    if (quoted && length == 0)
        return; /* not given */
    if (s->length && s->text[s->length - 1] != '{')
        strbuf_addc(s, ',');
    json_add_text(s, row->name);
    strbuf_addc(s, ':');
    if (quoted)
        json_add_text(s, value);
    else
        strbuf_adds(s, value);
}

void option_json_add(struct strbuf *s, const struct option_row *rows, const void *base)
{
    for (const struct option_row *row = rows; row->name; row++)
        if (!row->local)
            add_member(s, row, base);
}

static enum attend_status assign(struct option_set *set, const struct json_walk *w,
                                 const char *name, struct attend_error *err)
{
    if (!option_find(set, w->name, NULL))
        return error_set(err, ATTEND_FORMAT,
                         "%s has the setting %.64s, which this program does not know; use a newer "
                         "attend",
                         name, w->name);
    struct attend_error why = {""};
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

enum attend_status option_json_read(struct option_set *set, const char *text, const char *name,
                                    struct attend_error *err)
{
    struct json *object = NULL;
    struct json_walk w = {0};
    enum attend_status status = json_parse(&object, text, strlen(text), name, err);
    while (!status && json_next(object, &w))
        status = assign(set, &w, name, err);
    json_free(object);
    return status;
}
