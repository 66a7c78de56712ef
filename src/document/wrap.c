#include "document/wrap.h"

#include "base/strbuf.h"
#include "base/utf8.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

/* Columns of a part of a text. */
static int width_of(const char *text, size_t length)
{
    char *copy = strndup(text, length);
    const int width = copy ? utf8_width(copy) : (int)length;
    free(copy);
    return width;
}

/* Bytes of the next word with the blanks before it, or of the next character if the text has no
 * blanks. */
static size_t next_word(const char *text, bool words)
{
    if (!words)
        return utf8_cluster(text, strlen(text));
    const size_t blanks = strspn(text, " \t");
    return blanks + strcspn(text + blanks, " \t");
}

/* Break where a line would become wider than `width`. Returns the number of lines; out may be
 * NULL. */
static int fill(struct strbuf *out, const char *text, bool words, int width, const char *end)
{
    int lines = 1, used = 0;
    while (*text) {
        size_t length = next_word(text, words);
        const int wide = width_of(text, length);
        if (used && used + wide > width) {
            const size_t blanks = strspn(text, " \t");
            text += blanks;
            length -= blanks;
            used = 0;
            lines++;
            if (out)
                strbuf_adds(out, end);
        }
        used += width_of(text, length);
        if (out)
            strbuf_add(out, text, length);
        text += length;
    }
    return lines;
}

void wrap_text(struct strbuf *out, const char *text, int lines, int width, const char *end)
{
    enum { LONGEST = 4096 }; /* no subtitle is so long; its width is not worth the time */
    if (lines < 2 || strlen(text) > LONGEST) {
        strbuf_adds(out, text);
        return;
    }
    const bool words = strpbrk(text, " \t");
    const int whole = utf8_width(text);
    const int fits = fill(NULL, text, words, width > 0 ? width : 1, end);
    const int most = fits < lines ? fits : lines;
    if (most < 2) {
        strbuf_adds(out, text);
        return;
    }
    int low = whole / most, high = whole; /* the narrowest width that needs `most` lines */
    while (low < high) {
        const int middle = low + (high - low) / 2;
        if (fill(NULL, text, words, middle > 0 ? middle : 1, end) <= most)
            high = middle;
        else
            low = middle + 1;
    }
    fill(out, text, words, low > 0 ? low : 1, end);
}
