#include "corpus/columns.h"

#include "base/error.h"
#include "base/strbuf.h"

#include <ctype.h>
#include <stdbool.h>
#include <string.h>

/* ---- Fields ---- */

struct walk {
    const char *at, *end; /* `at` is NULL after the last field */
    char separator;
};

static bool next_field(struct walk *w, struct columns_field *out)
{
    if (!w->at)
        return false;
    const char *stop = memchr(w->at, w->separator, (size_t)(w->end - w->at));
    *out = (struct columns_field){w->at, (size_t)((stop ? stop : w->end) - w->at)};
    w->at = stop ? stop + 1 : NULL;
    return true;
}

int columns_split(const struct columns *columns, const char *row, size_t length,
                  struct columns_row *out)
{
    struct walk walk = {row, row + length, '\t'};
    struct columns_field field;
    int count = 0;
    *out = (struct columns_row){0};
    for (; next_field(&walk, &field); count++) {
        if (count == columns->source)
            out->source = field;
        else if (count == columns->target)
            out->target = field;
        else if (count == columns->features)
            out->features = field;
        for (int i = 0; i < 2; i++)
            if (count == columns->language[i])
                out->language[i] = field;
    }
    return count;
}

/* ---- Names ---- */

/* A list of names, and where it is from, for messages. */
struct list {
    const char *text;
    char separator;
    const char *file; /* whose header it is; NULL: the names are an option */
};

static struct walk walk_list(const struct list *list)
{
    return (struct walk){list->text, list->text + strlen(list->text), list->separator};
}

/* Append the names of a list to a message. Control characters become '?', and a long list is
 * shortened. */
static void add_names(struct strbuf *out, const struct list *list)
{
    enum { ENOUGH = 200 };
    struct walk walk = walk_list(list);
    struct columns_field field;
    for (const char *comma = ""; next_field(&walk, &field); comma = ", ") {
        strbuf_adds(out, comma);
        if (out->length + field.length > ENOUGH) {
            strbuf_adds(out, "...");
            break;
        }
        for (size_t i = 0; i < field.length; i++)
            strbuf_addc(out, iscntrl((unsigned char)field.text[i]) ? '?' : field.text[i]);
    }
}

static enum attend_status refuse(const struct list *list, const char *what,
                                 const struct columns_field *name, struct attend_error *err)
{
    const int length = name->length < 100 ? (int)name->length : 100;
    if (!list->file)
        return error_set(err, ATTEND_USAGE, "`columns` %s %s '%.*s'", list->text, what, length,
                         name->text);
    struct strbuf names = {0};
    add_names(&names, list);
    enum attend_status status = strbuf_status(&names, err);
    if (!status)
        status = error_set(err, ATTEND_DATA, "%s:1: the header %s '%.*s'; its columns are: %s",
                           list->file, what, length, name->text, names.text);
    strbuf_release(&names);
    return status;
}

static enum attend_status locate(int *out, const struct list *list,
                                 const struct columns_field *name, struct attend_error *err)
{
    struct walk walk = walk_list(list);
    struct columns_field field;
    int at = -1, times = 0;
    for (int i = 0; next_field(&walk, &field); i++)
        if (field.length == name->length && memcmp(field.text, name->text, name->length) == 0) {
            at = i;
            times++;
        }
    if (times != 1)
        return refuse(list, times ? "has more than one column" : "has no column", name, err);
    *out = at;
    return ATTEND_OK;
}

/* Parse "A,B", the names of two columns, which option `what` takes. */
static enum attend_status parse_two(struct columns_field out[2], const char *names,
                                    const char *what, struct attend_error *err)
{
    struct walk walk = {names, names + strlen(names), ','};
    struct columns_field more;
    const bool two = next_field(&walk, &out[0]) && next_field(&walk, &out[1]);
    if (!two || next_field(&walk, &more))
        return error_set(err, ATTEND_USAGE,
                         "%s takes two names, of the source and the target column, not '%s'", what,
                         names);
    if (out[0].length == out[1].length && memcmp(out[0].text, out[1].text, out[0].length) == 0)
        return error_set(err, ATTEND_USAGE, "%s %s names one column twice", what, names);
    return ATTEND_OK;
}

/* The positions of the columns with languages. */
static enum attend_status locate_languages(struct columns *c, const struct list *list,
                                           const char *names, struct attend_error *err)
{
    struct columns_field name[2] = {{0}};
    enum attend_status status = parse_two(name, names, "`language_columns`", err);
    for (int i = 0; i < 2 && !status; i++) {
        if (name[i].length == 1 && name[i].text[0] == '_')
            continue;
        status = locate(&c->language[i], list, &name[i], err);
        const int at = c->language[i];
        if (!status && (at == c->source || at == c->target || at == c->features))
            status =
                error_set(err, ATTEND_USAGE,
                          "`language_columns` %s has a column of the text or its features", names);
        if (!status && at >= c->needed)
            c->needed = at + 1;
    }
    return status;
}

/* The positions of source, target, features and languages in a list. */
static enum attend_status resolve(struct columns *out, const struct list *list,
                                  const struct columns_field role[2],
                                  const struct columns_names *asked, struct attend_error *err)
{
    const char *features = asked->features;
    struct columns c = {.features = -1, .language = {-1, -1}};
    enum attend_status status = locate(&c.source, list, &role[0], err);
    if (!status)
        status = locate(&c.target, list, &role[1], err);
    if (!status && features)
        status =
            locate(&c.features, list, &(struct columns_field){features, strlen(features)}, err);
    if (status)
        return status;
    if (c.features == c.source || c.features == c.target)
        return error_set(err, ATTEND_USAGE,
                         "`features` %s is the source or the target; name another column",
                         features);
    const int last = c.source > c.target ? c.source : c.target;
    c.needed = (last > c.features ? last : c.features) + 1;
    if (asked->languages)
        status = locate_languages(&c, list, asked->languages, err);
    if (!status)
        *out = c;
    return status;
}

static const struct columns_field usual[2] = {{"src", 3}, {"tgt", 3}};

enum attend_status columns_from_names(struct columns *out, const struct columns_names *asked,
                                      struct attend_error *err)
{
    const struct list list = {asked->names ? asked->names : "src,tgt", ',', NULL};
    return resolve(out, &list, usual, asked, err);
}

enum attend_status columns_from_header(struct columns *out, const struct columns_names *asked,
                                       const char *header, const char *file,
                                       struct attend_error *err)
{
    const struct list list = {header, '\t', file};
    struct columns_field role[2] = {usual[0], usual[1]};
    const enum attend_status status =
        asked->names ? parse_two(role, asked->names, "`columns` with `header`", err) : ATTEND_OK;
    return status ? status : resolve(out, &list, role, asked, err);
}
