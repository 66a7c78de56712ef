/* Settings by name and text: the first byte selects the table, then lines of name, '=' and value;
 * also values with a syntax of their own.
 *
 * Aimed at: src/base/option.c src/settings/settings.c src/api/focus.c src/corpus/split.c
 *   src/corpus/columns.c */
#include "fuzz.h"

#include "attend/settings.h"
#include "attend/translate.h"
#include "corpus/columns.h"
#include "corpus/split.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Room for any options struct; size_t, so that it is aligned. */
static size_t options[1024];

static void check_values(const char *text)
{
    struct attend_error err = {.message = ""};
    struct attend_focus *focus = NULL;
    struct split split = {0};
    struct columns columns;
    int count = 0;
    fuzz_check_error(attend_focus_parse(&focus, &count, text, &err), &err);
    for (int i = 0; focus && i < count; i++)
        FUZZ_CHECK(focus[i].target >= 0 && focus[i].source >= 0 && isfinite(focus[i].weight));
    attend_array_free(focus);
    if (!split_parse(&split, text, &err))
        FUZZ_CHECK(split_choose(&split, text, strlen(text)) < split.sets);
    else
        fuzz_check_error(ATTEND_USAGE, &err);
    const struct columns_names names = {.names = text}, both = {.names = "a,b", .features = text},
                               tagged = {.names = "a,b", .languages = text};
    fuzz_check_error(columns_from_names(&columns, &names, &err), &err);
    fuzz_check_error(columns_from_header(&columns, &both, text, "file", &err), &err);
    fuzz_check_error(columns_from_names(&columns, &tagged, &err), &err);
}

/* A number that was accepted equals the number in the text. */
static void check_number(const struct attend_setting *row, const char *value)
{
    const void *field = (const char *)options + row->offset;
    if (row->kind == ATTEND_SETTING_INT)
        FUZZ_CHECK(*(const int *)field == strtod(value, NULL));
    if (row->kind == ATTEND_SETTING_REAL)
        FUZZ_CHECK(*(const double *)field == strtod(value, NULL));
}

static void set_line(struct attend_settings *s, char *line)
{
    struct attend_error err = {.message = ""};
    struct attend_setting_info info;
    char *equals = strchr(line, '=');
    if (equals)
        *equals = '\0';
    const char *value = equals ? equals + 1 : "true";
    const enum attend_status status = attend_settings_set(s, line, value, &err);
    fuzz_check_error(status, &err);
    for (int i = 0; !status && attend_settings_describe(s, i, &info); i++)
        if (strcmp(info.row->name, line) == 0)
            check_number(info.row, value);
    check_values(value);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct fuzz_input in = {data, size};
    struct attend_settings *s = NULL;
    struct attend_error err = {.message = ""};
    const enum attend_table table = (enum attend_table)(fuzz_byte(&in) % ATTEND_TABLES);
    FUZZ_CHECK(!attend_settings_new(&s, &err));
    FUZZ_CHECK(!attend_settings_add(s, "", table, options, &err));
    while (in.left) {
        char *line = fuzz_until(&in, '\n', NULL);
        set_line(s, line);
        free(line);
    }
    attend_settings_free(s);
    return 0;
}
