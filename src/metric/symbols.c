#include "metric/symbols.h"

#include "base/strbuf.h"
#include "base/utf8.h"

#include <limits.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

static bool grow(struct symbols *s)
{
    const int size = s->size ? s->size : 64;
    const bool fits =
        !s->failed && size <= INT_MAX / 2 && (size_t)size <= SIZE_MAX / 2 / sizeof *s->item;
    int *item = fits ? realloc(s->item, 2 * (size_t)size * sizeof *item) : NULL;
    if (!item) {
        s->failed = true;
        return false;
    }
    s->item = item;
    s->size = 2 * size;
    return true;
}

void symbols_add(struct symbols *s, int symbol)
{
    if (s->count < s->size || grow(s))
        s->item[s->count++] = symbol;
}

static void add_points(struct symbols *out, const char *text)
{
    for (size_t length = strlen(text), at = 0; at < length;) {
        int32_t point = 0;
        at += utf8_next(text + at, length - at, &point);
        symbols_add(out, point);
    }
    while (out->count > 0 && symbols_blank(out->item[out->count - 1]))
        out->count--;
}

void symbols_read(struct symbols *out, const char *text, bool lowercase)
{
    struct strbuf lower = {0};
    symbols_clear(out);
    if (lowercase)
        utf8_lower(&lower, text);
    out->failed |= lower.failed;
    add_points(out, lowercase ? (lower.text ? lower.text : "") : text);
    strbuf_release(&lower);
}

void symbols_clear(struct symbols *s) { s->count = 0; }

void symbols_release(struct symbols *s)
{
    free(s->item);
    *s = (struct symbols){0};
}

bool symbols_blank(int point) { return utf8_class(point) == UTF8_BLANK; }

static int least(int a, int b) { return a < b ? a : b; }

int symbols_distance(const struct symbols *a, const struct symbols *b)
{
    int *row = malloc(((size_t)b->count + 1) * sizeof *row);
    if (!row)
        return -1;
    for (int j = 0; j <= b->count; j++)
        row[j] = j;
    for (int i = 1; i <= a->count; i++) {
        int diagonal = row[0]++;
        for (int j = 1; j <= b->count; j++) {
            const int replaced = diagonal + (a->item[i - 1] != b->item[j - 1]);
            diagonal = row[j];
            row[j] = least(replaced, least(diagonal, row[j - 1]) + 1);
        }
    }
    const int distance = row[b->count];
    free(row);
    return distance;
}

int symbols_subsequence(const struct symbols *a, const struct symbols *b)
{
    int *row = calloc((size_t)b->count + 1, sizeof *row);
    if (!row)
        return -1;
    for (int i = 0; i < a->count; i++)
        for (int j = 0, diagonal = 0; j < b->count; j++) {
            const int above = row[j + 1];
            if (a->item[i] == b->item[j])
                row[j + 1] = diagonal + 1;
            else if (row[j] > above)
                row[j + 1] = row[j];
            diagonal = above;
        }
    const int length = row[b->count];
    free(row);
    return length;
}
