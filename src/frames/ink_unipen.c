/* UNIPEN: lines that begin with .KEYWORD, and numbers between them.
 *
 *     .COORD X Y T      which numbers a point has; without it X Y
 *     .PEN_DOWN         the points of a stroke follow
 *      206 289 0
 *     .PEN_UP           points that follow are not ink
 *
 * Any other keyword is ignored, with what follows it. */
#include "frames/ink.h"

#include <string.h>

enum { CHANNELS_MAX = 16 };

struct unipen {
    struct ink_text text;
    struct ink *ink;
    int channels, x, y;         /* numbers of a point, and which of them are X and Y */
    double value[CHANNELS_MAX]; /* the point so far */
    int values;
    bool down;
};

static bool is_blank(char c) { return c == ' ' || c == '\t' || c == '\r'; }

static void skip_blanks(struct ink_text *t)
{
    while (t->at < t->end && is_blank(*t->at))
        t->at++;
}

/* The next word of the line; its length is 0 at the end. */
static size_t take_word(struct ink_text *t, const char **word)
{
    skip_blanks(t);
    *word = t->at;
    while (t->at < t->end && *t->at != '\n' && !is_blank(*t->at))
        t->at++;
    return (size_t)(t->at - *word);
}

static bool is(const char *word, size_t length, const char *name)
{
    return length == strlen(name) && memcmp(word, name, length) == 0;
}

static enum attend_status pen_down(struct unipen *u, struct attend_error *err)
{
    (void)err;
    u->down = true;
    u->values = 0;
    return ATTEND_OK;
}

static enum attend_status coord(struct unipen *u, struct attend_error *err)
{
    const char *word;
    u->channels = 0;
    u->x = u->y = -1;
    for (size_t length; (length = take_word(&u->text, &word)); u->channels++) {
        if (u->channels == CHANNELS_MAX)
            return ink_wrong(&u->text, ".COORD has more than 16 names", err);
        if (is(word, length, "X"))
            u->x = u->channels;
        if (is(word, length, "Y"))
            u->y = u->channels;
    }
    return u->x < 0 || u->y < 0 ? ink_wrong(&u->text, ".COORD does not name X and Y", err)
                                : ATTEND_OK;
}

/* Whatever keyword comes, the stroke before it has ended. */
static enum attend_status keyword(struct unipen *u, struct attend_error *err)
{
    static const struct {
        const char *name;
        enum attend_status (*act)(struct unipen *, struct attend_error *);
    } words[] = {{".PEN_DOWN", pen_down}, {".COORD", coord}};
    const char *word;
    const size_t length = take_word(&u->text, &word);
    if (u->down && u->values)
        return ink_wrong(&u->text, "a point lacks a number", err);
    if (u->down)
        ink_lift(u->ink);
    u->down = false;
    for (size_t i = 0; i < sizeof words / sizeof *words; i++)
        if (is(word, length, words[i].name))
            return words[i].act(u, err);
    return ATTEND_OK;
}

/* The numbers of a line within a stroke. */
static enum attend_status points(struct unipen *u, struct attend_error *err)
{
    enum attend_status status = ATTEND_OK;
    for (skip_blanks(&u->text); !status && u->text.at < u->text.end && *u->text.at != '\n';
         skip_blanks(&u->text)) {
        if (!ink_number(&u->text, &u->value[u->values]))
            return ink_wrong(&u->text, "a stroke holds something that is not a number", err);
        if (++u->values < u->channels)
            continue;
        u->values = 0;
        status = ink_add(u->ink, u->value[u->x], -u->value[u->y], &u->text, err);
    }
    return status;
}

enum attend_status ink_parse_unipen(struct ink *ink, struct ink_text text, struct attend_error *err)
{
    struct unipen u = {.text = text, .ink = ink, .channels = 2, .x = 0, .y = 1};
    enum attend_status status = ATTEND_OK;
    while (!status && u.text.at < u.text.end) {
        skip_blanks(&u.text);
        if (u.text.at < u.text.end && *u.text.at == '.' && u.text.at + 1 < u.text.end &&
            u.text.at[1] >= 'A' && u.text.at[1] <= 'Z')
            status = keyword(&u, err);
        if (!status && u.down)
            status = points(&u, err);
        const char *end = memchr(u.text.at, '\n', (size_t)(u.text.end - u.text.at));
        if (!status)
            u.text.at = end ? end + 1 : u.text.end;
    }
    if (!status && u.values)
        status = ink_wrong(&u.text, "a point lacks a number", err);
    ink_lift(ink);
    return status;
}
