#include "text/corpus.h"

#include "base/error.h"
#include "text/lines.h"
#include "text/tokenizer.h"
#include "text/vocab.h"

#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>

/* ---- Sequences while they grow ---- */

struct builder {
    struct sequences made; /* `start` has room for every line */
    const struct lines *lines;
    const struct corpus_side *side;
    size_t used, size; /* of made.ids; those past the last kept sequence are a line under trial */
    bool failed;
};

static void builder_init(struct builder *b, const struct lines *lines,
                         const struct corpus_side *side)
{
    enum { FIRST_SIZE = 256 };
    *b = (struct builder){.lines = lines, .side = side, .size = FIRST_SIZE};
    b->made.start = calloc((size_t)lines->count + 1, sizeof *b->made.start);
    b->made.ids = malloc(FIRST_SIZE * sizeof *b->made.ids);
    b->failed = !b->made.start || !b->made.ids;
}

static bool builder_grow(struct builder *b)
{
    if (b->used < b->size)
        return true;
    if (b->size > SIZE_MAX / 4 / sizeof *b->made.ids)
        return false;
    int *ids = realloc(b->made.ids, 2 * b->size * sizeof *ids);
    if (!ids)
        return false;
    b->made.ids = ids;
    b->size *= 2;
    return true;
}

static void append_piece(void *context, const struct tokenizer_piece *piece)
{
    struct builder *b = context;
    if (b->failed || !builder_grow(b))
        b->failed = true;
    else
        b->made.ids[b->used++] = vocab_id(b->side->vocab, piece->text, piece->length);
}

/* Encode line i and say how many pieces it has; keep or drop decides about it. */
static size_t encode(struct builder *b, int i)
{
    const size_t before = b->used;
    size_t length;
    const char *text = lines_at(b->lines, i, &length);
    if (!tokenizer_split(b->side->tokenizer, text, length, append_piece, b))
        b->failed = true;
    return b->used - before;
}

static void keep(struct builder *b) { b->made.start[++b->made.count] = b->used; }

static void drop(struct builder *b) { b->used = b->made.start[b->made.count]; }

static enum attend_status no_memory(const struct builder *b, struct attend_error *err)
{
    return error_set(err, ATTEND_NO_MEMORY, "%s: out of memory for its text", b->side->name);
}

/* ---- Sequences ---- */

int sequences_longest(const struct sequences *s)
{
    int longest = 0;
    for (int i = 0; i < s->count; i++)
        if (sequences_length(s, i) > longest)
            longest = sequences_length(s, i);
    return longest;
}

void sequences_release(struct sequences *s)
{
    free(s->start);
    free(s->ids);
    *s = (struct sequences){0};
}

/* ---- Walking ---- */

bool corpus_next(void *context, const char **text, size_t *length)
{
    struct corpus_walk *w = context;
    while (w->file < 2 && w->lines[w->file] && w->at >= w->lines[w->file]->count) {
        w->file++;
        w->at = 0;
    }
    if (w->file == 2 || !w->lines[w->file])
        return false;
    *text = lines_at(w->lines[w->file], w->at, length);
    w->at += w->step ? w->step : 1;
    return true;
}

/* ---- Pairs ---- */

static size_t limit_of(const struct corpus_rule *rule)
{
    const int most = SEQUENCES_MAX_LENGTH;
    return (size_t)(rule->max_length > 0 && rule->max_length < most ? rule->max_length : most);
}

static void skip(struct corpus *c, int line, bool is_long)
{
    c->skipped++;
    c->skipped_long += is_long;
    if (!c->first_skipped)
        c->first_skipped = line;
}

/* Try line i of both sides as a pair. A pair both empty and too long counts as empty: no limit
 * would help it. */
static void add_pair(struct corpus *c, struct builder *source, struct builder *target, int i,
                     size_t limit)
{
    const size_t s = encode(source, i), t = encode(target, i);
    const bool is_empty = !s || !t, is_long = s > limit || t > limit;
    if (is_empty || is_long) {
        drop(source);
        drop(target);
        skip(c, i + 1, !is_empty);
        return;
    }
    c->line[source->made.count] = i + 1;
    keep(source);
    keep(target);
}

static enum attend_status no_pair(const struct corpus *c, const struct corpus_rule *rule,
                                  struct attend_error *err)
{
    const char *name = rule->source.name;
    if (!c->skipped)
        return error_set(err, ATTEND_DATA, "%s: holds no line to train on", name);
    return error_set(err, ATTEND_DATA,
                     "%s: holds no line to train on: %d have an empty side and %d more than %zu "
                     "pieces",
                     name, c->skipped - c->skipped_long, c->skipped_long, limit_of(rule));
}

enum attend_status corpus_load(struct corpus *out, const struct lines *source,
                               const struct lines *target, const struct corpus_rule *rule,
                               struct attend_error *err)
{
    if (source->count != target->count)
        return error_set(err, ATTEND_DATA,
                         "%s has %d lines and %s has %d: they must pair line for line",
                         rule->source.name, source->count, rule->target.name, target->count);
    struct corpus c = {.line = calloc((size_t)source->count + 1, sizeof *c.line)};
    struct builder s, t;
    builder_init(&s, source, &rule->source);
    builder_init(&t, target, &rule->target);
    for (int i = 0; c.line && !s.failed && !t.failed && i < source->count; i++)
        add_pair(&c, &s, &t, i, limit_of(rule));
    c.source = s.made;
    c.target = t.made;
    enum attend_status status = ATTEND_OK;
    if (!c.line || s.failed || t.failed)
        status = no_memory(t.failed ? &t : &s, err);
    else if (!c.source.count)
        status = no_pair(&c, rule, err);
    if (!status) {
        *out = c;
        c = (struct corpus){0};
    }
    corpus_release(&c);
    return status;
}

void corpus_release(struct corpus *c)
{
    sequences_release(&c->source);
    sequences_release(&c->target);
    free(c->line);
    *c = (struct corpus){0};
}
