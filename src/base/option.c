#include "base/option.h"

#include "base/bug.h"
#include "base/error.h"
#include "base/strbuf.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- Values ---- */

static enum attend_status wrong(struct attend_error *err, const struct option_row *row,
                                const char *text, const char *wanted)
{
    return error_set(err, ATTEND_USAGE, "--%s takes %s, not '%s'", row->name, wanted, text);
}

static bool parse_number(const char *text, double *out)
{
    char *end;
    errno = 0;
    *out = strtod(text, &end);
    return *text && !*end && !errno && isfinite(*out);
}

static enum attend_status assign_number(const struct option_row *row, void *field, const char *text,
                                        struct attend_error *err)
{
    const bool whole = row->kind == OPTION_INT;
    double number;
    char wanted[96];
    snprintf(wanted, sizeof wanted, "a %s from %.10g to %.10g", whole ? "whole number" : "number",
             row->min, row->max);
    if (!parse_number(text, &number) || number < row->min || number > row->max ||
        (whole && number != floor(number)))
        return wrong(err, row, text, wanted);
    if (whole)
        *(int *)field = (int)number;
    else
        *(double *)field = number;
    return ATTEND_OK;
}

static enum attend_status assign_flag(const struct option_row *row, void *field, const char *text,
                                      struct attend_error *err)
{
    const bool on = strcmp(text, "true") == 0;
    if (!on && strcmp(text, "false") != 0)
        return wrong(err, row, text, "true or false");
    *(bool *)field = on;
    return ATTEND_OK;
}

static enum attend_status assign_text(const struct option_row *row, void *field, const char *text,
                                      struct attend_error *err)
{
    char *copy = strdup(text);
    if (!copy)
        return error_set(err, ATTEND_NO_MEMORY, "out of memory for --%s", row->name);
    free(*(char **)field);
    *(char **)field = copy;
    return ATTEND_OK;
}

static enum attend_status assign_choice(const struct option_row *row, void *field, const char *text,
                                        struct attend_error *err)
{
    struct strbuf known = {0};
    for (int i = 0; row->choices(i); i++) {
        if (strcmp(row->choices(i), text) == 0) {
            strbuf_release(&known);
            return assign_text(row, field, text, err);
        }
        strbuf_addf(&known, "%s%s", i ? ", " : "one of ", row->choices(i));
    }
    const enum attend_status status =
        wrong(err, row, text, known.failed ? "another value" : known.text);
    strbuf_release(&known);
    return status;
}

static enum attend_status append_text(const struct option_row *row, void *field, const char *text,
                                      struct attend_error *err)
{
    char **list = *(char ***)field;
    size_t count = 0;
    while (list && list[count])
        count++;
    char *copy = strdup(text);
    char **longer = copy ? realloc(list, (count + 2) * sizeof *list) : NULL;
    if (!longer) {
        free(copy);
        return error_set(err, ATTEND_NO_MEMORY, "out of memory for --%s", row->name);
    }
    longer[count] = copy;
    longer[count + 1] = NULL;
    *(char ***)field = longer;
    return ATTEND_OK;
}

static enum attend_status assign(const struct option_row *row, void *base, const char *text,
                                 struct attend_error *err)
{
    static enum attend_status (*const by_kind[])(const struct option_row *, void *, const char *,
                                                 struct attend_error *) = {
        [OPTION_FLAG] = assign_flag, [OPTION_INT] = assign_number,    [OPTION_REAL] = assign_number,
        [OPTION_TEXT] = assign_text, [OPTION_CHOICE] = assign_choice, [OPTION_LIST] = append_text,
    };
    return by_kind[row->kind](row, (char *)base + row->offset, text, err);
}

/* Snprintf's return: what did not fit counts too. */
static int print_list(char *const *list, char *out, size_t size)
{
    int length = snprintf(out, size, "%s", list ? list[0] : "");
    for (int i = 1; list && list[i]; i++) {
        const size_t used = (size_t)length < size ? (size_t)length : size;
        length += snprintf(out + used, size - used, ",%s", list[i]);
    }
    return length;
}

/* As few digits as give the same number again. */
static int print_real(double value, char *out, size_t size)
{
    int length = 0;
    for (int digits = 15; digits <= 17; digits++) {
        length = snprintf(out, size, "%.*g", digits, value);
        if (size && strtod(out, NULL) == value)
            break;
    }
    return length;
}

int option_print(const struct option_row *row, const void *base, char *out, size_t size)
{
    const void *field = (const char *)base + row->offset;
    switch (row->kind) {
    case OPTION_FLAG: return snprintf(out, size, "%s", *(const bool *)field ? "true" : "false");
    case OPTION_INT: return snprintf(out, size, "%d", *(const int *)field);
    case OPTION_REAL: return print_real(*(const double *)field, out, size);
    case OPTION_LIST: return print_list(*(char **const *)field, out, size);
    default: break;
    }
    const char *text = option_text(row, base, 0);
    return snprintf(out, size, "%s", text ? text : "");
}

const char *option_text(const struct option_row *row, const void *base, int i)
{
    const void *field = (const char *)base + row->offset;
    if (row->kind == OPTION_LIST) {
        char *const *list = *(char **const *)field;
        for (int k = 0; list && list[k]; k++)
            if (k == i)
                return list[k];
        return NULL;
    }
    const bool text = row->kind == OPTION_TEXT || row->kind == OPTION_CHOICE;
    return text && i == 0 ? *(char *const *)field : NULL;
}

/* ---- Sets ---- */

enum attend_status option_add(struct option_set *set, const char *title,
                              const struct option_row *rows, void *base, struct attend_error *err)
{
    BUG_ON(set->count == OPTION_GROUPS);
    set->group[set->count++] = (struct option_group){.title = title, .rows = rows, .base = base};
    for (const struct option_row *row = rows; row->name; row++) {
        BUG_ON(row - rows >= OPTION_ROWS);
        const enum attend_status status =
            row->fallback ? assign(row, base, row->fallback, err) : ATTEND_OK;
        if (status)
            return status;
    }
    return ATTEND_OK;
}

/* Where a setting is; the row is NULL when there is none of that name. */
struct place {
    const struct option_row *row;
    int group;
};

static struct place find(const struct option_set *set, const char *name)
{
    for (int g = 0; g < set->count; g++)
        for (const struct option_row *row = set->group[g].rows; row->name; row++)
            if (strcmp(row->name, name) == 0)
                return (struct place){row, g};
    return (struct place){0};
}

const struct option_row *option_find(const struct option_set *set, const char *name, void **base)
{
    const struct place place = find(set, name);
    if (place.row && base)
        *base = set->group[place.group].base;
    return place.row;
}

bool option_given(const struct option_set *set, const char *name)
{
    const struct place place = find(set, name);
    return place.row && set->group[place.group].given[place.row - set->group[place.group].rows];
}

enum attend_status option_preset(struct option_set *set, const char *name, const char *text,
                                 struct attend_error *err)
{
    const struct place place = find(set, name);
    BUG_ON(!place.row);
    return option_given(set, name) ? ATTEND_OK
                                   : assign(place.row, set->group[place.group].base, text, err);
}

static int min3(int a, int b, int c)
{
    const int d = a < b ? a : b;
    return d < c ? d : c;
}

/* Edits (insert, delete, replace) between two names; long ones are simply far apart. */
static int edit_distance(const char *a, const char *b)
{
    enum { LONGEST = 40 };
    int row[LONGEST + 1];
    const int m = (int)strlen(a), n = (int)strlen(b);
    if (m > LONGEST || n > LONGEST)
        return LONGEST;
    for (int j = 0; j <= n; j++)
        row[j] = j;
    for (int i = 1; i <= m; i++) {
        int diagonal = row[0]++;
        for (int j = 1; j <= n; j++) {
            const int above = row[j];
            row[j] = min3(above + 1, row[j - 1] + 1, diagonal + (a[i - 1] != b[j - 1]));
            diagonal = above;
        }
    }
    return row[n];
}

static const char *nearest(const struct option_set *set, const char *name)
{
    const char *best = NULL;
    int least = (int)strlen(name) / 2 + 1;
    for (int g = 0; g < set->count; g++)
        for (const struct option_row *row = set->group[g].rows; row->name; row++) {
            const int distance = edit_distance(name, row->name);
            if (distance < least) {
                least = distance;
                best = row->name;
            }
        }
    return best;
}

enum attend_status option_assign(struct option_set *set, const char *name, const char *text,
                                 struct attend_error *err)
{
    const struct place place = find(set, name);
    if (place.row) {
        struct option_group *group = &set->group[place.group];
        group->given[place.row - group->rows] = true;
        return assign(place.row, group->base, text, err);
    }
    const char *near = nearest(set, name);
    return near
               ? error_set(err, ATTEND_USAGE, "unknown option --%s; did you mean --%s?", name, near)
               : error_set(err, ATTEND_USAGE, "unknown option --%s; --help lists the known ones",
                           name);
}

static void release(const struct option_row *row, void *base)
{
    void *field = (char *)base + row->offset;
    if (row->kind == OPTION_LIST) {
        char ***list = field;
        for (int i = 0; *list && (*list)[i]; i++)
            free((*list)[i]);
        free(*list);
        *list = NULL;
    } else if (row->kind == OPTION_TEXT || row->kind == OPTION_CHOICE) {
        char **text = field;
        free(*text);
        *text = NULL;
    }
}

void option_release(struct option_set *set)
{
    for (int g = 0; g < set->count; g++)
        for (const struct option_row *row = set->group[g].rows; row->name; row++)
            release(row, set->group[g].base);
    set->count = 0;
}
