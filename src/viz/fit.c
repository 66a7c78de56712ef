#include "viz/fit.h"

#include "base/strbuf.h"
#include "base/utf8.h"
#include "viz/label.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

enum { LONGEST_CLUSTER = 64 }; /* bytes; of a longer one the first are measured */

static const char ellipsis[] = "\u2026";

/* The bytes of the first cluster, and its columns. */
static size_t measure(const char *text, int *columns)
{
    char cluster[LONGEST_CLUSTER + 1];
    const size_t bytes = utf8_cluster(text, strlen(text));
    const size_t copied = bytes < LONGEST_CLUSTER ? bytes : utf8_whole(text, LONGEST_CLUSTER);
    memcpy(cluster, text, copied);
    cluster[copied] = '\0';
    *columns = utf8_columns(cluster);
    return bytes;
}

/* The bytes of the clusters that fit. */
static size_t prefix(const char *text, int columns)
{
    size_t length = 0;
    while (text[length]) {
        int wide;
        const size_t bytes = measure(text + length, &wide);
        if (wide > columns)
            break;
        columns -= wide;
        length += bytes;
    }
    return length;
}

/* ---- One line ---- */

void fit_add(struct strbuf *out, const char *safe, int columns)
{
    if (utf8_columns(safe) <= columns) {
        strbuf_adds(out, safe);
    } else if (columns > 0) {
        strbuf_add(out, safe, prefix(safe, columns - 1));
        strbuf_adds(out, ellipsis);
    }
}

void fit_labels(struct label_set *set, int columns)
{
    for (int i = 0; i < set->count && !set->failed; i++) {
        struct strbuf cut = {0};
        if (utf8_columns(set->text[i]) <= columns)
            continue;
        fit_add(&cut, set->text[i], columns);
        char *text = strbuf_detach(&cut);
        set->failed = !text;
        if (text) {
            free(set->text[i]);
            set->text[i] = text;
        }
    }
}

/* ---- Several lines ---- */

/* Whether a line may break before the byte at `at`: at a blank, or after the bar that separates the
 * parts of a signature. */
static bool may_break(const char *line, size_t at)
{
    return line[at] == ' ' || line[at - 1] == ' ' || line[at - 1] == '|';
}

/* Where a line that is too long breaks: at the last place that fits, or after the last cluster. */
static size_t break_at(const char *line, int columns)
{
    const size_t most = prefix(line, columns);
    size_t at = most;
    if (!line[most])
        return most;
    while (at > 0 && !may_break(line, at))
        at--;
    if (strspn(line, " ") >= at) /* no blank but those of the indent */
        at = most ? most : utf8_cluster(line, strlen(line));
    return at;
}

static void add_trimmed(struct strbuf *out, const char *text, size_t length)
{
    while (length > 0 && text[length - 1] == ' ')
        length--;
    strbuf_add(out, text, length);
}

static void wrap_line(struct strbuf *out, const char *line, int width)
{
    const int indent = (int)strspn(line, " ") + 2;
    const int room = width - indent > 1 ? width - indent : 1;
    size_t at = break_at(line, width);
    add_trimmed(out, line, at);
    for (line += at; *line; line += at) {
        line += strspn(line, " ");
        at = break_at(line, room);
        if (at > 0)
            strbuf_addf(out, "\n%*s", indent, "");
        add_trimmed(out, line, at);
    }
}

void fit_wrap(struct strbuf *out, const char *safe, int width)
{
    for (const char *end; *safe; safe = end) {
        struct strbuf line = {0};
        end = safe + strcspn(safe, "\n");
        strbuf_add(&line, safe, (size_t)(end - safe));
        const char *text = line.text ? line.text : "";
        if (width > 0 && utf8_columns(text) > width)
            wrap_line(out, text, width);
        else
            strbuf_adds(out, text);
        if (*end) {
            strbuf_addc(out, '\n');
            end++;
        }
        out->failed = out->failed || line.failed;
        strbuf_release(&line);
    }
}

/* ---- Tables ---- */

int fit_block(const int *widths, int from, int count, int left, int width)
{
    int to = from;
    for (int used = left; to < count; to++) {
        used += widths[to];
        if (width > 0 && to > from && used > width)
            break;
    }
    return to;
}
