/* Settings by name and text: a byte for the command, then lines of name, '=' and value; and the
 * values that have a form of their own.
 *
 * Aimed at: src/base/option.c src/api/options.c src/api/focus.c src/text/split.c
 *   src/text/columns.c */
#include "fuzz.h"

#include "attend/option.h"
#include "attend/translate.h"
#include "text/columns.h"
#include "text/split.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static const char *const commands[] = {"train", "translate", "score",   "align",
                                       "eval",  "plot",      "explain", "trouble",
                                       "serve", "info",      "convert", "bench"};
enum { COMMANDS = sizeof commands / sizeof *commands };

static void check_values(const char *text)
{
    struct attend_error err = {""};
    struct attend_focus *focus = NULL;
    struct split split = {0};
    struct columns columns;
    int count = 0;
    fuzz_check_error(attend_focus_parse(&focus, &count, text, &err), &err);
    for (int i = 0; focus && i < count; i++)
        FUZZ_CHECK(focus[i].target >= 0 && focus[i].source >= 0 && isfinite(focus[i].weight));
    free(focus);
    if (!split_parse(&split, text, &err))
        FUZZ_CHECK(split_choose(&split, text, strlen(text)) < split.sets);
    else
        fuzz_check_error(ATTEND_USAGE, &err);
    const struct columns_names names = {text, NULL}, both = {"a,b", text};
    fuzz_check_error(columns_from_names(&columns, &names, &err), &err);
    fuzz_check_error(columns_from_header(&columns, &both, text, "file", &err), &err);
}

/* A number that was taken is what the text says. */
static void check_number(const struct attend_options *o, const char *name, const char *value)
{
    char *end;
    const double want = strtod(value, &end);
    const double got = attend_options_number(o, name);
    FUZZ_CHECK(isfinite(got));
    if (*value && !*end && !attend_options_text(o, name) && !attend_options_list(o, name))
        FUZZ_CHECK(got == want);
}

static void set_line(struct attend_options *o, char *line)
{
    struct attend_error err = {""};
    char *equals = strchr(line, '=');
    if (equals)
        *equals = '\0';
    const char *value = equals ? equals + 1 : "true";
    const enum attend_status status = attend_options_set(o, line, value, &err);
    fuzz_check_error(status, &err);
    if (!status)
        check_number(o, line, value);
    check_values(value);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct fuzz_input in = {data, size};
    struct attend_options *o = NULL;
    struct attend_error err = {""};
    FUZZ_CHECK(!attend_options_new(&o, commands[fuzz_byte(&in) % COMMANDS], &err));
    while (in.left) {
        char *line = fuzz_until(&in, '\n', NULL);
        set_line(o, line);
        free(line);
    }
    attend_options_free(o);
    return 0;
}
