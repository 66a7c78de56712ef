#include "text/examples.h"

#include "base/error.h"
#include "base/utf8.h"

#include <stdlib.h>
#include <string.h>

/* C0 and C1 controls, and the separators that some programs take for the end of a line. */
static bool is_control(int32_t point)
{
    return (point < 0x20 && point != '\t') || (point >= 0x7f && point < 0xa0) || point == 0x2028 ||
           point == 0x2029;
}

bool examples_fit(const char *line, size_t length)
{
    bool blank = true;
    if (length == 0 || length > EXAMPLES_LONGEST || !utf8_valid(line, length, NULL))
        return false;
    for (size_t at = 0; at < length;) {
        int32_t point;
        at += utf8_next(line + at, length - at, &point);
        if (is_control(point))
            return false;
        blank = blank && utf8_class(point) == UTF8_BLANK;
    }
    return !blank;
}

/* Cut s->lines at its LFs. */
static enum attend_status cut(struct examples *s, const char *name, struct attend_error *err)
{
    for (char *at = s->lines, *end; *at; at = end + 1) {
        end = strchr(at, '\n');
        if (s->count == EXAMPLES_MOST)
            return error_set(err, ATTEND_FORMAT, "%s has more than %d lines", name, EXAMPLES_MOST);
        if (!end || !examples_fit(at, (size_t)(end - at)))
            return error_set(err, ATTEND_FORMAT,
                             "%s: line %d is not a line of 1 to %d bytes of text", name,
                             s->count + 1, EXAMPLES_LONGEST);
        *end = '\0';
        s->line[s->count++] = at;
    }
    return ATTEND_OK;
}

enum attend_status examples_parse(struct examples *s, const char *text, const char *name,
                                  struct attend_error *err)
{
    *s = (struct examples){0};
    if (!*text)
        return ATTEND_OK;
    s->text = strdup(text);
    s->lines = strdup(text);
    s->line = calloc(EXAMPLES_MOST, sizeof *s->line);
    return s->text && s->lines && s->line
               ? cut(s, name, err)
               : error_set(err, ATTEND_NO_MEMORY, "%s: out of memory", name);
}

void examples_release(struct examples *s)
{
    free(s->text);
    free(s->lines);
    free(s->line);
    *s = (struct examples){0};
}
