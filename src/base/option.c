#include "base/option.h"

#include "base/bug.h"
#include "base/error.h"
#include "base/strbuf.h"

#include <errno.h>
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- Values ---- */

/* Messages name an option as the field of its struct. */
struct field_name {
    char text[64];
};
static struct field_name field_of(const char *name)
{
    struct field_name field;
    snprintf(field.text, sizeof field.text, "%s", name);
    for (char *c = field.text; *c; c++)
        if (*c == '-')
            *c = '_';
    return field;
}

static enum attend_status wrong(struct attend_error *err, const struct attend_setting *row,
                                const char *text, const char *wanted)
{
    return error_set(err, ATTEND_USAGE, "`%s` takes %s, not '%s'", field_of(row->name).text, wanted,
                     text);
}

static bool parse_number(const char *text, double *out)
{
    char *end;
    errno = 0;
    *out = strtod(text, &end);
    return *text && !*end && !errno && isfinite(*out);
}

static bool is_whole(const struct attend_setting *row) { return row->kind == ATTEND_SETTING_INT; }

static bool in_range(const struct attend_setting *row, double number)
{
    return number >= row->min && number <= row->max && (!is_whole(row) || number == floor(number));
}

static enum attend_status out_of_range(const struct attend_setting *row, const char *text,
                                       struct attend_error *err)
{
    char wanted[96];
    snprintf(wanted, sizeof wanted, "a %s from %.10g to %.10g",
             is_whole(row) ? "whole number" : "number", row->min, row->max);
    return wrong(err, row, text, wanted);
}

static enum attend_status assign_number(struct attend_settings *set,
                                        const struct attend_setting *row, void *field,
                                        const char *text, struct attend_error *err)
{
    double number;
    (void)set;
    if (!parse_number(text, &number) || !in_range(row, number))
        return out_of_range(row, text, err);
    if (is_whole(row))
        *(int *)field = (int)number;
    else
        *(double *)field = number;
    return ATTEND_OK;
}

static enum attend_status assign_flag(struct attend_settings *set, const struct attend_setting *row,
                                      void *field, const char *text, struct attend_error *err)
{
    const bool on = strcmp(text, "true") == 0;
    (void)set;
    if (!on && strcmp(text, "false") != 0)
        return wrong(err, row, text, "true or false");
    *(bool *)field = on;
    return ATTEND_OK;
}

/* A whole number, with K, M or G behind it or not. */
static bool parse_bytes(const char *text, size_t *out)
{
    static const char suffixes[] = "KMG";
    char *end;
    errno = 0;
    const unsigned long long number = strtoull(text, &end, 10);
    const char *suffix = *end ? strchr(suffixes, *end) : NULL;
    const int shift = suffix ? 10 * (int)(suffix - suffixes + 1) : 0;
    if (*text < '0' || *text > '9' || errno || end[*end != '\0'] || (*end && !suffix) ||
        number > SIZE_MAX >> shift)
        return false;
    *out = (size_t)number << shift;
    return true;
}

static enum attend_status assign_bytes(struct attend_settings *set,
                                       const struct attend_setting *row, void *field,
                                       const char *text, struct attend_error *err)
{
    (void)set;
    return parse_bytes(text, field)
               ? ATTEND_OK
               : wrong(err, row, text, "a number of bytes, such as 1000000, 512K, 300M or 2G");
}

/* ---- Texts ---- */

struct option_text {
    struct option_text *next;
    char text[];
};

static enum attend_status keep_text(struct attend_settings *set, const struct attend_setting *row,
                                    const char *text, const char **out, struct attend_error *err)
{
    const size_t size = strlen(text) + 1;
    struct option_text *kept = malloc(sizeof *kept + size);
    if (!kept)
        return error_set(err, ATTEND_NO_MEMORY, "out of memory for `%s`", field_of(row->name).text);
    memcpy(kept->text, text, size);
    kept->next = set->texts;
    set->texts = kept;
    *out = kept->text;
    return ATTEND_OK;
}

static enum attend_status assign_text(struct attend_settings *set, const struct attend_setting *row,
                                      void *field, const char *text, struct attend_error *err)
{
    return keep_text(set, row, text, field, err);
}

static enum attend_status append_text(struct attend_settings *set, const struct attend_setting *row,
                                      void *field, const char *text, struct attend_error *err)
{
    const char **list = *(const char ***)field;
    const char *kept = NULL;
    size_t count = 0;
    while (list && list[count])
        count++;
    const enum attend_status status = keep_text(set, row, text, &kept, err);
    if (status)
        return status;
    const char **longer = realloc(list, (count + 2) * sizeof *list);
    if (!longer)
        return error_set(err, ATTEND_NO_MEMORY, "out of memory for `%s`", field_of(row->name).text);
    longer[count] = kept;
    longer[count + 1] = NULL;
    *(const char ***)field = longer;
    return ATTEND_OK;
}

/* ---- Choices ---- */

/* Whether the text is among names with commas between. */
static bool is_alias(const char *names, const char *text)
{
    const size_t length = strlen(text);
    for (const char *at = names; at && *at; at += strcspn(at, ","), at += *at == ',')
        if (length > 0 && strcspn(at, ",") == length && strncmp(at, text, length) == 0)
            return true;
    return false;
}

/* The table's own name for it; NULL when it has none. */
static const char *find_choice(const struct attend_setting *row, const char *text)
{
    for (int i = 0; row->choices(i).name; i++) {
        const struct attend_choice choice = row->choices(i);
        if (strcmp(choice.name, text) == 0 || is_alias(choice.alias, text))
            return choice.name;
    }
    return NULL;
}

static enum attend_status no_such_choice(const struct attend_setting *row, const char *text,
                                         struct attend_error *err)
{
    struct strbuf known = {0};
    for (int i = 0; row->choices(i).name; i++)
        strbuf_addf(&known, "%s%s", i ? ", " : "one of ", row->choices(i).name);
    const enum attend_status status =
        wrong(err, row, text, known.failed ? "another value" : known.text);
    strbuf_release(&known);
    return status;
}

static enum attend_status assign_choice(struct attend_settings *set,
                                        const struct attend_setting *row, void *field,
                                        const char *text, struct attend_error *err)
{
    const char *name = find_choice(row, text);
    (void)set;
    if (!name)
        return no_such_choice(row, text, err);
    *(const char **)field = name;
    return ATTEND_OK;
}

/* ---- One struct ---- */

/* `set` keeps the texts. */
static enum attend_status assign(struct attend_settings *set, const struct attend_setting *row,
                                 void *base, const char *text, struct attend_error *err)
{
    static enum attend_status (*const by_kind[])(struct attend_settings *,
                                                 const struct attend_setting *, void *,
                                                 const char *, struct attend_error *) = {
        [ATTEND_SETTING_FLAG] = assign_flag,     [ATTEND_SETTING_INT] = assign_number,
        [ATTEND_SETTING_REAL] = assign_number,   [ATTEND_SETTING_TEXT] = assign_text,
        [ATTEND_SETTING_CHOICE] = assign_choice, [ATTEND_SETTING_LIST] = append_text,
        [ATTEND_SETTING_BYTES] = assign_bytes,
    };
    return by_kind[row->kind](set, row, (char *)base + row->offset, text, err);
}

void option_defaults(const struct attend_setting *rows, void *base)
{
    for (const struct attend_setting *row = rows; row->name; row++) {
        void *field = (char *)base + row->offset;
        switch (row->kind) {
        case ATTEND_SETTING_TEXT: *(const char **)field = row->fallback; break;
        case ATTEND_SETTING_LIST: *(const char *const **)field = NULL; break;
        case ATTEND_SETTING_FLAG: *(bool *)field = false; break;
        case ATTEND_SETTING_INT: *(int *)field = 0; break;
        case ATTEND_SETTING_BYTES: *(size_t *)field = 0; break;
        case ATTEND_SETTING_REAL: *(double *)field = 0; break;
        case ATTEND_SETTING_CHOICE: *(const char **)field = NULL; break;
        }
        if (row->fallback && row->kind != ATTEND_SETTING_TEXT)
            BUG_ON(assign(NULL, row, base, row->fallback, NULL));
    }
}

/* Numbers are checked as they are, choices by their names; other texts may be anything. */
static enum attend_status check(const struct attend_setting *row, void *field,
                                struct attend_error *err)
{
    const double number = is_whole(row) ? (double)*(int *)field : *(double *)field;
    char text[64];
    if (in_range(row, number))
        return ATTEND_OK;
    snprintf(text, sizeof text, "%g", number);
    return out_of_range(row, text, err);
}

enum attend_status option_check(const struct attend_setting *rows, void *base,
                                struct attend_error *err)
{
    enum attend_status status = ATTEND_OK;
    for (const struct attend_setting *row = rows; row->name && !status; row++) {
        void *field = (char *)base + row->offset;
        if (row->kind == ATTEND_SETTING_INT || row->kind == ATTEND_SETTING_REAL)
            status = check(row, field, err);
        else if (row->kind == ATTEND_SETTING_CHOICE && *(const char **)field)
            status = assign_choice(NULL, row, field, *(const char **)field, err);
    }
    return status;
}

/* Snprintf's return: what did not fit counts too. */
static int print_list(const char *const *list, char *out, size_t size)
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

int option_print(const struct attend_setting *row, const void *base, char *out, size_t size)
{
    const void *field = (const char *)base + row->offset;
    switch (row->kind) {
    case ATTEND_SETTING_FLAG:
        return snprintf(out, size, "%s", *(const bool *)field ? "true" : "false");
    case ATTEND_SETTING_INT: return snprintf(out, size, "%d", *(const int *)field);
    case ATTEND_SETTING_BYTES: return snprintf(out, size, "%zu", *(const size_t *)field);
    case ATTEND_SETTING_REAL: return print_real(*(const double *)field, out, size);
    case ATTEND_SETTING_LIST: return print_list(*(const char *const *const *)field, out, size);
    default: break;
    }
    const char *text = option_text(row, base, 0);
    return snprintf(out, size, "%s", text ? text : "");
}

void option_copy(const struct attend_setting *row, void *to, const void *from)
{
    static const size_t size[] = {
        [ATTEND_SETTING_FLAG] = sizeof(bool),     [ATTEND_SETTING_INT] = sizeof(int),
        [ATTEND_SETTING_REAL] = sizeof(double),   [ATTEND_SETTING_TEXT] = sizeof(char *),
        [ATTEND_SETTING_CHOICE] = sizeof(char *), [ATTEND_SETTING_LIST] = sizeof(char **),
        [ATTEND_SETTING_BYTES] = sizeof(size_t),
    };
    memcpy((char *)to + row->offset, (const char *)from + row->offset, size[row->kind]);
}

const char *option_text(const struct attend_setting *row, const void *base, int i)
{
    const void *field = (const char *)base + row->offset;
    if (row->kind == ATTEND_SETTING_LIST) {
        const char *const *list = *(const char *const *const *)field;
        for (int k = 0; list && list[k]; k++)
            if (k == i)
                return list[k];
        return NULL;
    }
    const bool text = row->kind == ATTEND_SETTING_TEXT || row->kind == ATTEND_SETTING_CHOICE;
    return text && i == 0 ? *(const char *const *)field : NULL;
}

/* ---- Several structs ---- */

void option_bind(struct attend_settings *set, const struct attend_setting *rows, void *base)
{
    BUG_ON(set->count == OPTION_GROUPS);
    set->group[set->count++] = (struct option_group){.rows = rows, .base = base};
    for (const struct attend_setting *row = rows; row->name; row++)
        BUG_ON(row - rows >= OPTION_ROWS);
}

void option_add(struct attend_settings *set, const char *title, const struct attend_setting *rows,
                void *base)
{
    option_bind(set, rows, base);
    set->group[set->count - 1].title = title;
    option_defaults(rows, base);
}

const struct attend_setting *option_find(const struct attend_settings *set, const char *name,
                                         int *group)
{
    for (int g = 0; g < set->count; g++)
        for (const struct attend_setting *row = set->group[g].rows; row->name; row++)
            if (strcmp(row->name, name) == 0) {
                if (group)
                    *group = g;
                return row;
            }
    return NULL;
}

/* The mark of a setting that exists. */
static bool *given_of(struct attend_settings *set, const struct attend_setting *row, int group)
{
    return &set->group[group].given[row - set->group[group].rows];
}

enum attend_status option_preset(struct attend_settings *set, const char *name, const char *text,
                                 struct attend_error *err)
{
    int group = 0;
    const struct attend_setting *row = option_find(set, name, &group);
    BUG_ON(!row);
    return *given_of(set, row, group) ? ATTEND_OK
                                      : assign(set, row, set->group[group].base, text, err);
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

const char *option_nearest(const char *name, const char *(*next)(void *context), void *context)
{
    const char *best = NULL, *known;
    int least = (int)strlen(name) / 2 + 1;
    while ((known = next(context))) {
        const int distance = edit_distance(name, known);
        if (distance < least) {
            least = distance;
            best = known;
        }
    }
    return best;
}

/* A walk over the names of a set. */
struct name_walk {
    const struct attend_settings *set;
    int group;
    const struct attend_setting *row; /* that comes next; NULL: the group's first */
};

static const char *next_name(void *context)
{
    struct name_walk *w = context;
    for (; w->group < w->set->count; w->group++, w->row = NULL) {
        w->row = w->row ? w->row : w->set->group[w->group].rows;
        if (w->row->name)
            return w->row++->name;
    }
    return NULL;
}

static void clear_list(const struct attend_setting *row, void *base)
{
    const char ***list = (void *)((char *)base + row->offset);
    free(*list);
    *list = NULL;
}

void option_close_lists(struct attend_settings *set)
{
    for (int g = 0; g < set->count; g++) {
        struct option_group *group = &set->group[g];
        for (int i = 0; group->rows[i].name; i++)
            group->closed[i] = group->rows[i].kind == ATTEND_SETTING_LIST;
    }
}

/* A list that was closed begins anew. */
static void reopen(struct attend_settings *set, const struct attend_setting *row, int group)
{
    bool *closed = &set->group[group].closed[row - set->group[group].rows];
    if (*closed)
        clear_list(row, set->group[group].base);
    *closed = false;
}

enum attend_status option_assign(struct attend_settings *set, const char *name, const char *text,
                                 struct attend_error *err)
{
    int group = 0;
    const struct attend_setting *row = option_find(set, name, &group);
    if (row) {
        *given_of(set, row, group) = true;
        reopen(set, row, group);
        return assign(set, row, set->group[group].base, text, err);
    }
    const char *near = option_nearest(name, next_name, &(struct name_walk){.set = set});
    return near ? error_set(err, ATTEND_USAGE, "unknown option `%s`; did you mean `%s`?",
                            field_of(name).text, field_of(near).text)
                : error_set(err, ATTEND_USAGE, "unknown option `%s`", field_of(name).text);
}

void option_release(struct attend_settings *set)
{
    for (int g = 0; g < set->count; g++)
        for (const struct attend_setting *row = set->group[g].rows; row->name; row++)
            if (row->kind == ATTEND_SETTING_LIST)
                clear_list(row, set->group[g].base);
    while (set->texts) {
        struct option_text *text = set->texts;
        set->texts = text->next;
        free(text);
    }
    set->count = 0;
}
