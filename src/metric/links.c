#include "metric/links.h"

#include "base/error.h"
#include "base/strbuf.h"
#include "base/utf8.h"

#include <limits.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

/* ---- The set ---- */

static int by_place(const struct link *a, const struct link *b)
{
    if (a->source != b->source)
        return a->source < b->source ? -1 : 1;
    return (a->target > b->target) - (a->target < b->target);
}

/* Of equal pairs, the sure one comes first. */
static int for_sort(const void *left, const void *right)
{
    const struct link *a = left, *b = right;
    const int order = by_place(a, b);
    return order ? order : (int)b->sure - (int)a->sure;
}

/* The index of a pair, or where it would be inserted. */
static int place_of(const struct links *links, const struct link *wanted)
{
    int low = 0, high = links->count;
    while (low < high) {
        const int middle = low + (high - low) / 2;
        if (by_place(&links->item[middle], wanted) < 0)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

static bool is_at(const struct links *links, int at, const struct link *wanted)
{
    return at < links->count && by_place(&links->item[at], wanted) == 0;
}

static enum attend_status grow(struct links *links, struct attend_error *err)
{
    if (links->count < links->size)
        return ATTEND_OK;
    const int size = links->size ? 2 * links->size : 64;
    const bool fits =
        links->size <= INT_MAX / 2 && (size_t)links->size <= SIZE_MAX / 4 / sizeof *links->item;
    struct link *item = fits ? realloc(links->item, (size_t)size * sizeof *item) : NULL;
    if (!item)
        return error_set(err, ATTEND_NO_MEMORY, "out of memory for %d links", links->count);
    links->item = item;
    links->size = size;
    return ATTEND_OK;
}

enum attend_status links_add(struct links *links, struct link one, struct attend_error *err)
{
    const int at = place_of(links, &one);
    if (is_at(links, at, &one)) {
        links->item[at].sure |= one.sure;
        return ATTEND_OK;
    }
    const enum attend_status status = grow(links, err);
    if (status)
        return status;
    struct link *item = links->item + at;
    memmove(item + 1, item, (size_t)(links->count - at) * sizeof *item);
    *item = one;
    links->count++;
    return ATTEND_OK;
}

enum attend_status links_from_weights(struct links *out, const float *weight, int targets,
                                      int columns, int skip, bool ends, struct attend_error *err)
{
    enum attend_status status = ATTEND_OK;
    links_clear(out);
    for (int i = 0; i < targets && !status; i++, weight += columns) {
        int most = skip;
        for (int j = skip + 1; j < columns; j++)
            most = weight[j] > weight[most] ? j : most;
        if (most < columns - ends)
            status = links_add(out, (struct link){most - skip, i, true}, err);
    }
    return status;
}

const struct link *links_find(const struct links *links, int source, int target)
{
    const struct link wanted = {.source = source, .target = target};
    const int at = place_of(links, &wanted);
    return is_at(links, at, &wanted) ? &links->item[at] : NULL;
}

const struct link *links_beyond(const struct links *links, int sources, int targets)
{
    for (int i = 0; i < links->count; i++)
        if (links->item[i].source >= sources || links->item[i].target >= targets)
            return &links->item[i];
    return NULL;
}

static void turn(struct link *item, int count)
{
    for (int i = 0; i < count; i++)
        item[i] = (struct link){item[i].target, item[i].source, item[i].sure};
    if (count)
        qsort(item, (size_t)count, sizeof *item, for_sort);
}

void links_turn(struct links *links) { turn(links->item, links->count); }

/* Turning the links sorts them by target, then source. */
void links_print(const struct links *links, struct strbuf *out)
{
    struct link *item = malloc(((size_t)links->count + 1) * sizeof *item);
    out->failed = out->failed || !item;
    if (!item)
        return;
    if (links->count)
        memcpy(item, links->item, (size_t)links->count * sizeof *item);
    turn(item, links->count);
    for (int i = 0; i < links->count; i++)
        strbuf_addf(out, "%s%d%c%d", i ? " " : "", item[i].target, item[i].sure ? '-' : 'p',
                    item[i].source);
    free(item);
}

void links_clear(struct links *links) { links->count = 0; }

void links_release(struct links *links)
{
    free(links->item);
    *links = (struct links){0};
}

/* ---- Parsing ---- */

/* The text that is parsed, and the position in it. */
struct reader {
    const char *at, *end;
    int base;
    const char *file;
    int line;
};

static bool is_blank(char c) { return c == ' ' || c == '\t' || c == '\r' || c == '\n'; }

static bool is_digit(char c) { return c >= '0' && c <= '9'; }

/* Read a number at *at; -1 if there is none or it is too large. */
static int number(const char **at, const char *end)
{
    int value = 0;
    const char *start = *at;
    for (; *at < end && is_digit(**at); (*at)++) {
        value = 10 * value + (**at - '0');
        if (value > LINKS_MAX_NUMBER)
            return -1;
    }
    return *at > start ? value : -1;
}

/* Read a link from [at, end). Returns NULL, or the reason why it is not a link. */
static const char *read_link(struct link *out, const char *at, const char *end, int base)
{
    static const char not_a_link[] =
        "is not a link; write 3-4 for a sure link, 3p4 for a possible one";
    const int source = number(&at, end);
    if (source < 0 || at == end || (*at != '-' && *at != 'p'))
        return not_a_link;
    const bool sure = *at++ == '-';
    const int target = number(&at, end);
    if (target < 0 || at != end)
        return not_a_link;
    if (source < base || target < base)
        return "counts from 0, but links in this file count from 1";
    *out = (struct link){.source = source - base, .target = target - base, .sure = sure};
    return NULL;
}

/* The message quotes the bad token, up to 32 bytes of printable text. */
static enum attend_status bad_link(const struct reader *r, const char *end, const char *why,
                                   struct attend_error *err)
{
    enum { QUOTED = 32 };
    size_t length = 0;
    while (r->at + length < end && length < QUOTED && (unsigned char)r->at[length] >= ' ')
        length++;
    utf8_valid(r->at, length, &length);
    return error_at(err, ATTEND_DATA, r->file, (size_t)r->line, "'%.*s' %s", (int)length, r->at,
                    why);
}

static enum attend_status parse_token(struct links *out, struct reader *r, struct attend_error *err)
{
    const char *end = r->at;
    while (end < r->end && !is_blank(*end))
        end++;
    struct link one;
    const char *why = read_link(&one, r->at, end, r->base);
    if (why)
        return bad_link(r, end, why, err);
    const enum attend_status status = grow(out, err);
    if (!status)
        out->item[out->count++] = one;
    r->at = end;
    return status;
}

/* Sort links that are in any order, and merge equal pairs. */
static void normalize(struct links *links)
{
    if (links->count == 0)
        return;
    qsort(links->item, (size_t)links->count, sizeof *links->item, for_sort);
    int kept = 1;
    for (int i = 1; i < links->count; i++)
        if (by_place(&links->item[kept - 1], &links->item[i]) != 0)
            links->item[kept++] = links->item[i];
    links->count = kept;
}

enum attend_status links_parse(struct links *out, const char *line, size_t length, int base,
                               const char *file, int line_number, struct attend_error *err)
{
    struct reader r = {line, length ? line + length : line, base, file, line_number};
    enum attend_status status = ATTEND_OK;
    links_clear(out);
    while (!status && r.at < r.end) {
        if (is_blank(*r.at))
            r.at++;
        else
            status = parse_token(out, &r, err);
    }
    if (status)
        links_clear(out);
    normalize(out);
    return status;
}
