/* Subtitles in SubRip's format: a number, a line of times, lines of text, and an empty line. The
 * lines of a subtitle are one text. Lines that begin with a dash are of several speakers and stay
 * apart. Tags such as <i> and {\an8} stay where they are. */
#include "document/document.h"
#include "document/wrap.h"

#include "base/utf8.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

/* Subtitles are usually no wider than this. */
enum { USUAL_WIDTH = 42 };

struct srt {
    struct strbuf lines; /* the text of a subtitle */
    struct strbuf joined;
};

/* ---- The frame ---- */

static bool is_empty(const char *line, size_t length)
{
    while (length && strchr(" \t\r\n", *line))
        line++, length--;
    return length == 0;
}

static bool is_number(const char *line, size_t length)
{
    const size_t digits = strspn(line, "0123456789");
    return digits > 0 && is_empty(line + digits, length - digits);
}

/* Skip a time, 00:01:02,345; NULL if it is none. Hours may have more digits. */
static const char *skip_time(const char *at)
{
    static const char after[] = "::,";
    for (int i = 0; i < 4; i++) {
        const size_t digits = strspn(at, "0123456789");
        if (digits == 0 || digits > 4)
            return NULL;
        at += digits;
        if (i < 3 && *at != after[i] && !(i == 2 && *at == '.'))
            return NULL;
        at += i < 3;
    }
    return at;
}

/* Whether a line is "time --> time", with anything behind it. */
static bool is_times(const char *line)
{
    const char *at = skip_time(line + strspn(line, " \t"));
    if (!at)
        return false;
    at += strspn(at, " \t");
    if (strncmp(at, "-->", 3) != 0)
        return false;
    at = skip_time(at + 3 + strspn(at + 3, " \t"));
    return at && strchr(" \t\r\n", *at);
}

/* ---- The text of a subtitle ---- */

/* Length of a tag at this place; 0: none. */
static size_t tag_length(const char *at, const char *end)
{
    enum { LONGEST = 256 };
    end = end - at > LONGEST ? at + LONGEST : end;
    const bool brace = *at == '{' && at + 1 < end && at[1] == '\\';
    const bool angle =
        *at == '<' && at + 1 < end && (isalpha((unsigned char)at[1]) || at[1] == '/');
    const char *close = brace || angle ? memchr(at, brace ? '}' : '>', (size_t)(end - at)) : NULL;
    return close ? (size_t)(close - at) + 1 : 0;
}

/* Length of a dash that begins the words of a speaker, with the blanks behind it. */
static size_t dash_length(const char *at, const char *end)
{
    static const char *const dashes[] = {"-", "\u2010", "\u2013", "\u2014"};
    for (size_t i = 0; i < sizeof dashes / sizeof *dashes; i++) {
        size_t length = strlen(dashes[i]);
        if ((size_t)(end - at) < length || memcmp(at, dashes[i], length) != 0)
            continue;
        while (at + length < end && at[length] == ' ')
            length++;
        return length;
    }
    return 0;
}

/* The end of a run of text without tags and without a line of another speaker. */
static const char *run_end(const char *at, const char *end)
{
    for (; at < end; at++)
        if (tag_length(at, end) || (*at == '\n' && at + 1 < end && dash_length(at + 1, end)))
            return at;
    return end;
}

/* A run of text: its lines are joined by blanks. The note says how many there were, and how wide
 * the widest was. */
static enum attend_status ask_run(struct attend_document *d, const char *run, size_t length,
                                  struct attend_error *err)
{
    struct srt *srt = d->state;
    int lines = 1, wide = 0;
    strbuf_clear(&srt->joined);
    for (size_t i = 0; i < length; i++) {
        const bool end = run[i] == '\n' || (run[i] == '\r' && i + 1 < length && run[i + 1] == '\n');
        lines += run[i] == '\n';
        if (!end || run[i] == '\n')
            strbuf_addc(&srt->joined, end ? ' ' : run[i]);
    }
    strbuf_addc(&srt->joined, '\0');
    if (srt->joined.failed)
        return strbuf_status(&srt->joined, err);
    wide = utf8_width(srt->joined.text) / lines;
    lines = lines > 255 ? 255 : lines;
    wide = wide > 10000 ? 10000 : wide;
    return document_ask(d, run, length, srt->joined.text, srt->joined.length - 1, lines | wide << 8,
                        err);
}

static bool is_edge(char c) { return c == '\n' || c == '\r' || c == ' ' || c == '\t'; }

/* Blanks and line ends at the edges stay. */
static enum attend_status add_run(struct attend_document *d, const char *run, size_t length,
                                  struct attend_error *err)
{
    size_t from = 0, to = length;
    while (from < to && is_edge(run[from]))
        from++;
    from += dash_length(run + from, run + to);
    while (to > from && is_edge(run[to - 1]))
        to--;
    enum attend_status status = document_keep(d, run, from, err);
    if (!status && to > from)
        status = ask_run(d, run + from, to - from, err);
    return status ? status : document_keep(d, run + to, length - to, err);
}

static enum attend_status add_text(struct attend_document *d, const char *text, size_t length,
                                   struct attend_error *err)
{
    const char *end = text + length;
    enum attend_status status = ATTEND_OK;
    while (text < end && !status) {
        const size_t tag = tag_length(text, end);
        const char *stop = tag ? text + tag : run_end(text + 1, end);
        status =
            tag ? document_keep(d, text, tag, err) : add_run(d, text, (size_t)(stop - text), err);
        text = stop;
    }
    return status;
}

/* ---- Reading ---- */

/* The next line, alone in d->unit. */
static enum attend_status next_line(struct attend_document *d, struct attend_error *err)
{
    strbuf_clear(&d->unit);
    return intake_take(&d->in, &d->unit, '\n', err);
}

static enum attend_status keep_line(struct attend_document *d, struct attend_error *err)
{
    return document_keep(d, d->unit.text, d->unit.length, err);
}

static enum attend_status read_times(struct attend_document *d, struct attend_error *err)
{
    const long line = d->in.line;
    const enum attend_status status = next_line(d, err);
    if (status)
        return status;
    if (d->unit.length == 0)
        return document_wrong(d, line - 1, err, "the file ends in the middle of a subtitle");
    if (!is_times(d->unit.text))
        return document_wrong(d, line, err,
                              "not the times of a subtitle, such as 00:00:01,000 --> 00:00:02,500");
    return keep_line(d, err);
}

/* The lines of text up to an empty one, which is kept. */
static enum attend_status read_text(struct attend_document *d, struct attend_error *err)
{
    struct srt *srt = d->state;
    strbuf_clear(&srt->lines);
    enum attend_status status = next_line(d, err);
    while (!status && d->unit.length && !is_empty(d->unit.text, d->unit.length)) {
        strbuf_add(&srt->lines, d->unit.text, d->unit.length);
        status = srt->lines.failed ? strbuf_status(&srt->lines, err) : ATTEND_OK;
        if (!status && srt->lines.length > INTAKE_UNIT)
            status = document_wrong(d, d->in.line, err, "a subtitle is too long");
        if (!status)
            status = next_line(d, err);
    }
    if (!status && srt->lines.length)
        status = add_text(d, srt->lines.text, srt->lines.length, err);
    return status || !d->unit.length ? status : keep_line(d, err);
}

static enum attend_status next(struct attend_document *d, bool *more, struct attend_error *err)
{
    const long line = d->in.line;
    enum attend_status status = next_line(d, err);
    *more = d->unit.length > 0;
    if (status || !*more)
        return status;
    if (is_empty(d->unit.text, d->unit.length))
        return keep_line(d, err);
    if (!is_number(d->unit.text, d->unit.length))
        return document_wrong(d, line, err, "not the number of a subtitle");
    status = keep_line(d, err);
    if (!status)
        status = read_times(d, err);
    return status ? status : read_text(d, err);
}

static void put(struct attend_document *d, const struct part *part, const char *translation,
                struct strbuf *out)
{
    (void)d;
    const int lines = part->note & 255, wide = part->note >> 8;
    const bool crlf = memmem(part->raw, part->raw_length, "\r\n", 2);
    wrap_text(out, translation, lines, wide > USUAL_WIDTH ? wide : USUAL_WIDTH,
              crlf ? "\r\n" : "\n");
}

static void release(void *state)
{
    struct srt *srt = state;
    strbuf_release(&srt->lines);
    strbuf_release(&srt->joined);
}

const struct document_ops document_srt = {
    .name = "srt",
    .help = "subtitles (SubRip); numbers, times and tags stay",
    .ending = {".srt"},
    .next = next,
    .put = put,
    .state = sizeof(struct srt),
    .release = release,
};
