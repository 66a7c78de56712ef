#include "serve/keys.h"

#include "attend/lines.h"
#include "base/error.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

enum { RATE_MAX = 1000000 };

struct keys {
    struct key {
        char *text;
        int rate;
    } * key;
    int count, size;
};

static enum attend_status add(struct keys *k, const char *text, size_t length, int rate,
                              struct attend_error *err)
{
    if (k->count == k->size) {
        const int size = k->size ? 2 * k->size : 16;
        struct key *more = realloc(k->key, (size_t)size * sizeof *more);
        if (!more)
            return error_set(err, ATTEND_NO_MEMORY, "out of memory for API keys");
        k->key = more;
        k->size = size;
    }
    k->key[k->count] = (struct key){strndup(text, length), rate};
    return k->key[k->count++].text ? ATTEND_OK
                                   : error_set(err, ATTEND_NO_MEMORY, "out of memory for API keys");
}

static enum attend_status read_line(struct keys *k, const struct attend_lines *lines,
                                    const char *line, struct attend_error *err)
{
    line += strspn(line, " \t");
    const size_t length = strcspn(line, " \t#");
    const char *rest = line + length + strspn(line + length, " \t");
    char *end = NULL;
    if (length == 0 || *line == '#')
        return ATTEND_OK;
    const bool has_rate = *rest && *rest != '#';
    const long rate = has_rate ? strtol(rest, &end, 10) : 0;
    if (has_rate && (rate < 1 || rate > RATE_MAX || end[strspn(end, " \t")] != '\0'))
        return error_at(
            err, ATTEND_FORMAT, attend_lines_name(lines), (size_t)attend_lines_number(lines),
            "after a key there may be only its limit of requests a minute, from 1 to %d", RATE_MAX);
    return add(k, line, length, (int)rate, err);
}

enum attend_status keys_load(struct keys **out, const char *path, struct attend_error *err)
{
    struct attend_lines *lines = NULL;
    struct keys *k = calloc(1, sizeof *k);
    const char *line = NULL;
    enum attend_status status = k ? attend_lines_open(&lines, path, err)
                                  : error_set(err, ATTEND_NO_MEMORY, "%s: out of memory", path);
    while (!status && !(status = attend_lines_next(lines, &line, err)) && line)
        status = read_line(k, lines, line, err);
    if (!status && k->count == 0)
        status = error_set(err, ATTEND_FORMAT, "%s: contains no key; write one per line", path);
    attend_lines_close(lines);
    if (status)
        keys_free(k);
    else
        *out = k;
    return status;
}

/* Compares every byte of the given key, so the time does not depend on the stored key. */
static bool equal(const char *key, const char *given)
{
    const size_t length = strlen(key);
    unsigned char differ = strlen(given) != length;
    for (size_t i = 0; given[i]; i++)
        differ |= (unsigned char)(given[i] ^ key[length ? i % length : 0]);
    return !differ;
}

int keys_rate(const struct keys *k, const char *key)
{
    int rate = -1;
    for (int i = 0; i < k->count; i++)
        rate = equal(k->key[i].text, key) ? k->key[i].rate : rate;
    return rate;
}

void keys_free(struct keys *k)
{
    if (!k)
        return;
    for (int i = 0; i < k->count; i++)
        free(k->key[i].text);
    free(k->key);
    free(k);
}
