#include "corpus/example_lines.h"

#include "base/error.h"
#include "base/strbuf.h"
#include "base/utf8.h"
#include "text/examples.h"
#include "text/vocab.h"

#include <stdlib.h>
#include <string.h>

struct candidate {
    size_t length; /* in code points */
    int line;
};

static bool is_known(const struct sequences *s, int i)
{
    for (size_t k = s->start[i]; k < s->start[i + 1]; k++)
        if (s->ids[k] == VOCAB_UNK)
            return false;
    return true;
}

static size_t points(const char *text)
{
    size_t count = 0;
    for (; *text; text++)
        count += ((unsigned char)*text & 0xc0) != 0x80;
    return count;
}

/* List the lines that can be examples; returns how many. */
static int list(struct candidate *out, const struct valid_text *v, bool known)
{
    int count = 0;
    for (int i = 0; i < v->corpus->source.count; i++) {
        const char *line = v->source[i];
        if (examples_fit(line, strlen(line)) && (!known || is_known(&v->corpus->source, i)))
            out[count++] = (struct candidate){points(line), i};
    }
    return count;
}

static int by_length(const void *left, const void *right)
{
    const struct candidate *a = left, *b = right;
    if (a->length != b->length)
        return a->length < b->length ? -1 : 1;
    return (a->line > b->line) - (a->line < b->line);
}

static bool is_chosen(const struct valid_text *v, const int *chosen, int count, const char *line)
{
    for (int i = 0; i < count; i++)
        if (strcmp(v->source[chosen[i]], line) == 0)
            return true;
    return false;
}

/* Choose from the sorted candidates, short to long; returns how many. A line that is already chosen
 * gives way to the next one. */
static int choose(int *chosen, const struct valid_text *v, const struct candidate *sorted,
                  int count, int wanted)
{
    int found = 0, next = 0;
    for (int k = 0; k < wanted; k++) {
        int at = (int)((2 * (long long)k + 1) * count / (2 * (long long)wanted));
        at = at > next ? at : next;
        while (at < count && is_chosen(v, chosen, found, v->source[sorted[at].line]))
            at++;
        if (at == count)
            break;
        chosen[found++] = sorted[at].line;
        next = at + 1;
    }
    return found;
}

static void add_line(struct strbuf *out, const char *line)
{
    strbuf_adds(out, line);
    strbuf_addc(out, '\n');
}

static void add_lines(struct strbuf *out, const struct valid_text *v, const int *chosen, int count)
{
    const int middle = count / 2;
    for (int i = -1; i < count; i++)
        if (count && i != middle)
            add_line(out, v->source[chosen[i < 0 ? middle : i]]);
}

enum attend_status example_lines_choose(struct strbuf *out, const struct valid_text *v, int wanted,
                                        struct attend_error *err)
{
    int chosen[EXAMPLES_MOST];
    if (wanted <= 0)
        return ATTEND_OK;
    wanted = wanted < EXAMPLES_MOST ? wanted : EXAMPLES_MOST;
    struct candidate *list_of = calloc((size_t)v->corpus->source.count + 1, sizeof *list_of);
    if (!list_of)
        return error_set(err, ATTEND_NO_MEMORY, "out of memory for example lines");
    int count = list(list_of, v, true);
    if (count < wanted)
        count = list(list_of, v, false);
    qsort(list_of, (size_t)count, sizeof *list_of, by_length);
    add_lines(out, v, chosen, choose(chosen, v, list_of, count, wanted));
    free(list_of);
    return strbuf_status(out, err);
}
