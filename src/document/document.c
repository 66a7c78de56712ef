#include "document/document.h"

#include "base/error.h"
#include "document/inline_tags.h"

#include <stdlib.h>
#include <string.h>

/* While lines wait for their translation, at most this much of the document is read. */
enum { HELD = 1 << 22 };

static enum attend_status no_memory(struct attend_error *err)
{
    return error_set(err, ATTEND_NO_MEMORY, "out of memory for a document");
}

enum attend_status document_wrong(const struct attend_document *d, long line,
                                  struct attend_error *err, const char *reason)
{
    return error_at(err, ATTEND_DATA, d->in.name, (size_t)line, "%s", reason);
}

/* ---- The queue ---- */

static char *copy(const char *bytes, size_t length)
{
    char *out = malloc(length + 1);
    if (out) {
        memcpy(out, bytes, length);
        out[length] = '\0';
    }
    return out;
}

static struct part *add_part(struct attend_document *d)
{
    if (d->parts == d->size) {
        const int size = d->size ? 2 * d->size : 64;
        struct part *more = realloc(d->part, (size_t)size * sizeof *more);
        if (!more)
            return NULL;
        d->part = more;
        d->size = size;
    }
    d->part[d->parts] = (struct part){0};
    return &d->part[d->parts++];
}

enum attend_status document_keep(struct attend_document *d, const char *bytes, size_t length,
                                 struct attend_error *err)
{
    if (length == 0)
        return ATTEND_OK;
    struct part *part = add_part(d);
    if (!part || !(part->raw = copy(bytes, length)))
        return no_memory(err);
    part->raw_length = length;
    d->held += length;
    return ATTEND_OK;
}

enum attend_status document_ask(struct attend_document *d, const char *raw, size_t raw_length,
                                const char *text, size_t length, int note, struct attend_error *err)
{
    struct attend_span *span;
    int spans;
    const enum attend_status status = inline_tags_split(&span, &spans, text, length, d->ops->tags,
                                                        &d->setup.splitting, &d->report.cut, err);
    if (status)
        return status;
    if (spans == 0 && raw) { /* nothing to translate */
        free(span);
        return document_keep(d, raw, raw_length, err);
    }
    struct part *part = add_part(d);
    if (!part) {
        free(span);
        return no_memory(err);
    }
    *part = (struct part){.span = span, .spans = spans, .note = note, .length = length};
    part->text = copy(text, length);
    part->raw = raw ? copy(raw, raw_length) : NULL;
    part->raw_length = raw ? raw_length : 0;
    d->held += length + part->raw_length;
    return part->text && (part->raw || !raw) ? ATTEND_OK : no_memory(err);
}

static void release_part(struct part *part)
{
    free(part->raw);
    free(part->text);
    free(part->span);
}

/* ---- Writing ---- */

static enum attend_status send(const struct attend_sink *sink, const char *bytes, size_t length,
                               struct attend_error *err)
{
    if (length == 0 || sink->write(sink->context, bytes, length))
        return ATTEND_OK;
    return error_set(err, ATTEND_IO, "the translated document cannot be written");
}

/* The part at the head is complete. Its bytes are those of the document if nothing was changed. */
static enum attend_status send_head(struct attend_document *d, const struct attend_sink *sink,
                                    struct attend_error *err)
{
    struct part *part = &d->part[d->head];
    const char *bytes = part->raw;
    size_t length = part->raw_length;
    const bool same = part->text && d->made.length == part->length &&
                      (!part->length || memcmp(d->made.text, part->text, part->length) == 0);
    if (part->text && !(same && part->raw)) {
        strbuf_addc(&d->made, '\0'); /* so that it is a text even if it is empty */
        strbuf_clear(&d->coded);
        if (d->ops->put && !d->made.failed)
            d->ops->put(d, part, d->made.text, &d->coded);
        const struct strbuf *out = d->ops->put ? &d->coded : &d->made;
        if (d->made.failed || out->failed)
            return no_memory(err);
        bytes = out->text;
        length = out->length - (out == &d->made);
    }
    const enum attend_status status = send(sink, bytes, length, err);
    d->held -= part->length + part->raw_length;
    strbuf_clear(&d->made);
    release_part(part);
    d->head++;
    d->done = 0;
    return status;
}

/* Write parts until one has a line that is not translated yet. */
static enum attend_status advance(struct attend_document *d, const struct attend_sink *sink,
                                  struct attend_error *err)
{
    enum attend_status status = ATTEND_OK;
    while (!status && d->head < d->parts && d->done == d->part[d->head].spans) {
        const struct part *part = &d->part[d->head];
        if (part->text) {
            const size_t from = d->done ? part->span[d->done - 1].to : 0;
            strbuf_add(&d->made, part->text + from, part->length - from);
        }
        status = send_head(d, sink, err);
    }
    if (d->head == d->parts)
        d->parts = d->head = d->next = d->next_span = 0;
    return status;
}

enum attend_status attend_document_write(struct attend_document *d, const struct attend_sink *sink,
                                         const char *const *translations, struct attend_error *err)
{
    enum attend_status status = advance(d, sink, err);
    const int lines = d->lines;
    for (int i = 0; i < lines && !status; i++) {
        const struct part *part = &d->part[d->head];
        const size_t from = d->done ? part->span[d->done - 1].to : 0;
        strbuf_add(&d->made, part->text + from, part->span[d->done].from - from);
        strbuf_adds(&d->made, translations[i]);
        d->done++;
        status = advance(d, sink, err);
    }
    return status;
}

/* ---- Reading ---- */

static void drop_lines(struct attend_document *d)
{
    while (d->lines > 0)
        free(d->line[--d->lines]);
}

static enum attend_status give_line(struct attend_document *d, const struct part *part,
                                    struct attend_error *err)
{
    const struct attend_span span = part->span[d->next_span++];
    char *line = copy(part->text + span.from, span.to - span.from);
    if (!line)
        return no_memory(err);
    d->line[d->lines++] = line;
    return ATTEND_OK;
}

/* Give lines of the queue, as many as there is room for. */
static enum attend_status give_lines(struct attend_document *d, int most, struct attend_error *err)
{
    enum attend_status status = ATTEND_OK;
    while (!status && d->next < d->parts && d->lines < most) {
        const struct part *part = &d->part[d->next];
        if (d->next_span < part->spans) {
            status = give_line(d, part, err);
        } else {
            d->next++;
            d->next_span = 0;
        }
    }
    return status;
}

static enum attend_status read_unit(struct attend_document *d, struct attend_error *err)
{
    bool more = true;
    enum attend_status status = ATTEND_OK;
    strbuf_clear(&d->unit);
    if (!d->begun) {
        status = intake_mark(&d->in, &d->unit, err);
        d->begun = true;
        if (!status && d->unit.length)
            status = document_keep(d, d->unit.text, d->unit.length, err);
    }
    if (!status)
        status = d->ops->next(d, &more, err);
    d->ended = !more;
    return status;
}

static bool has_room(struct attend_document *d, int most)
{
    if (most <= d->line_size)
        return true;
    char **more = realloc(d->line, (size_t)most * sizeof *more);
    if (!more)
        return false;
    d->line = more;
    d->line_size = most;
    return true;
}

enum attend_status attend_document_read(struct attend_document *d, const struct attend_sink *sink,
                                        int most, const char *const **lines, int *count,
                                        struct attend_error *err)
{
    drop_lines(d);
    if (!has_room(d, most))
        return no_memory(err);
    enum attend_status status = give_lines(d, most, err);
    while (!status && d->lines < most && !d->ended && (d->lines == 0 || d->held < HELD)) {
        if (d->lines == 0)
            status = advance(d, sink, err);
        if (!status)
            status = read_unit(d, err);
        if (!status)
            status = give_lines(d, most, err);
    }
    if (!status && d->lines == 0)
        status = advance(d, sink, err);
    *lines = (const char *const *)d->line;
    *count = d->lines;
    return status;
}

/* ---- Opening ---- */

static const char *language(const char *given, const struct attend_model *model, bool source)
{
    if (given || !model)
        return given;
    const struct attend_model_info info = attend_model_info(model);
    return source ? info.source : info.target;
}

static enum attend_status prepare(struct attend_document *d, const char *name,
                                  const struct attend_document_setup *setup,
                                  struct attend_error *err)
{
    d->setup = *setup;
    d->ops = setup->format ? document_find(setup->format) : document_find_ending(name);
    if (!d->ops)
        return error_set(err, ATTEND_USAGE, "%s: its format is not known%s%s", name,
                         setup->format ? ": " : "", setup->format ? setup->format : "");
    d->state = calloc(1, d->ops->state + 1);
    const char *const source = language(setup->source, setup->splitting.model, true);
    const char *const target = language(setup->target, setup->splitting.model, false);
    d->source = source ? strdup(source) : NULL;
    d->target = target ? strdup(target) : NULL;
    return d->state && (d->source || !source) && (d->target || !target) ? ATTEND_OK
                                                                        : no_memory(err);
}

enum attend_status attend_document_open(struct attend_document **out, const char *path,
                                        const struct attend_document_setup *setup,
                                        struct attend_error *err)
{
    struct attend_document *d = calloc(1, sizeof *d);
    enum attend_status status = d ? prepare(d, path ? path : "-", setup, err) : no_memory(err);
    if (!status)
        status = intake_open(&d->in, path ? path : "-", err);
    if (status)
        attend_document_close(d);
    else
        *out = d;
    return status;
}

enum attend_status attend_document_open_bytes(struct attend_document **out, const char *name,
                                              const char *bytes, size_t size,
                                              const struct attend_document_setup *setup,
                                              struct attend_error *err)
{
    struct attend_document *d = calloc(1, sizeof *d);
    const enum attend_status status = d ? prepare(d, name, setup, err) : no_memory(err);
    if (status) {
        attend_document_close(d);
        return status;
    }
    intake_open_bytes(&d->in, name, bytes, size);
    *out = d;
    return ATTEND_OK;
}

void attend_document_close(struct attend_document *d)
{
    if (!d)
        return;
    for (int i = d->head; i < d->parts; i++)
        release_part(&d->part[i]);
    drop_lines(d);
    if (d->ops && d->ops->release && d->state)
        d->ops->release(d->state);
    intake_close(&d->in);
    strbuf_release(&d->unit);
    strbuf_release(&d->made);
    strbuf_release(&d->coded);
    free(d->part);
    free(d->line);
    free(d->state);
    free(d->source);
    free(d->target);
    free(d);
}

enum attend_tags attend_document_tags(const struct attend_document *d) { return d->ops->tags; }
const char *attend_document_name(const struct attend_document *d) { return d->in.name; }

struct attend_document_report attend_document_report(const struct attend_document *d)
{
    return d->report;
}
