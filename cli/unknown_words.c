#include "unknown_words.h"

#include <stdio.h>
#include <string.h>

/* Copy a text, cut after a whole code point with an ellipsis if it is too long. */
static void shorten(char *out, size_t size, const char *text)
{
    static const char dots[] = "...";
    size_t length = strlen(text);
    if (length < size) {
        memcpy(out, text, length + 1);
        return;
    }
    length = size - sizeof dots;
    while (length > 0 && ((unsigned char)text[length] & 0xC0) == 0x80)
        length--;
    snprintf(out, size, "%.*s%s", (int)length, text, dots);
}

static bool is_new(const struct unknown_words *u, const char *text)
{
    for (int i = 0; i < u->examples; i++)
        if (strcmp(u->example[i].text, text) == 0)
            return false;
    return true;
}

static bool is_blank(char c) { return c == ' ' || c == '\t' || c == '\r' || c == '\0'; }

/* The byte of a code point. */
static size_t byte_of(const char *text, int point)
{
    size_t at = 0;
    while (text[at] && (point > 0 || ((unsigned char)text[at] & 0xC0) == 0x80))
        point -= ((unsigned char)text[++at] & 0xC0) != 0x80;
    return at;
}

static bool is_word(const char *text, const struct attend_unknown *unknown)
{
    const size_t from = byte_of(text, unknown->start), to = from + strlen(unknown->text);
    return to <= strlen(text) && (from == 0 || is_blank(text[from - 1])) && is_blank(text[to]);
}

static void keep_example(struct unknown_words *u, const struct attend_unknown *unknown, long line)
{
    if (u->examples == UNKNOWN_EXAMPLES)
        return;
    char *text = u->example[u->examples].text;
    shorten(text, sizeof u->example->text, unknown->text);
    if (is_new(u, text))
        u->example[u->examples++].line = line;
}

void unknown_words_add(struct unknown_words *u, const struct attend_unknown *unknown, int count,
                       const char *text, long line)
{
    u->lines += count > 0;
    for (int i = 0; i < count; i++) {
        const bool word = is_word(text, &unknown[i]);
        u->words += word;
        u->parts += !word;
        keep_example(u, &unknown[i], line);
    }
}

void unknown_words_say(const struct unknown_words *u, const char *command)
{
    const long count = u->words + u->parts;
    if (!count)
        return;
    fprintf(stderr, "attend %s: ", command);
    if (u->words)
        fprintf(stderr, "%ld word%s", u->words, u->words == 1 ? "" : "s");
    if (u->parts)
        fprintf(stderr, "%s%ld part%s of words", u->words ? " and " : "", u->parts,
                u->parts == 1 ? "" : "s");
    fprintf(stderr, " of %ld line%s %s unknown to the model:", u->lines, u->lines == 1 ? "" : "s",
            count == 1 ? "is" : "are");
    for (int i = 0; i < u->examples; i++)
        fprintf(stderr, "%s %s (line %ld)", i ? "," : "", u->example[i].text, u->example[i].line);
    fprintf(stderr, "%s\n", u->examples < count ? ", ..." : "");
}

void unknown_words_refuse(const struct attend_unknown *unknown, const char *name, long line,
                          struct attend_error *err)
{
    char text[sizeof((struct unknown_words *)0)->example->text];
    shorten(text, sizeof text, unknown->text);
    snprintf(err->message, sizeof err->message,
             "%.200s:%ld: '%s' is unknown to the model; leave --strict out to translate the line "
             "anyway",
             name, line, text);
}
