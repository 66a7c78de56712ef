#include "base/stream.h"

#include "base/bug.h"
#include "base/codec.h"
#include "base/error.h"
#include "base/io.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

struct stream {
    FILE *file;
    char *name;
    const struct codec *codec; /* NULL: the bytes as they are */
    void *decoder;
    bool terminal;   /* a person types: what is there is taken, or they would wait for answers */
    bool between;    /* a member has ended and none has begun: the only place where data may end */
    size_t from, to; /* what the block still holds */
    char block[STREAM_BLOCK];
};

/* Read a block when the last one is used up; at the end it stays empty. */
static enum attend_status fill(struct stream *s, struct attend_error *err)
{
    if (s->from < s->to)
        return ATTEND_OK;
    s->from = 0;
    errno = 0;
    const ssize_t got = s->terminal ? io_read_some(fileno(s->file), s->block, sizeof s->block)
                                    : (ssize_t)fread(s->block, 1, sizeof s->block, s->file);
    s->to = got > 0 ? (size_t)got : 0;
    return got < 0 || (s->to == 0 && ferror(s->file))
               ? error_set(err, ATTEND_IO, "%s: cannot be read: %s", s->name, strerror(errno))
               : ATTEND_OK;
}

/* ---- Opening ---- */

static const struct codec *find_codec(const char *bytes, size_t length)
{
#define ROW(name) &codec_##name,
    static const struct codec *const rows[] = {CODEC_LIST(ROW) NULL};
#undef ROW
    int i = 0;
    while (rows[i] && !rows[i]->begins(bytes, length))
        i++;
    return rows[i];
}

static enum attend_status no_memory(const char *path, struct attend_error *err)
{
    return error_set(err, ATTEND_NO_MEMORY, "%s: out of memory to read it", path);
}

enum attend_status stream_open(struct stream **out, const char *path, struct attend_error *err)
{
    const bool standard = strcmp(path, "-") == 0;
    const char *name = standard ? "standard input" : path;
    struct stream *s = calloc(1, sizeof *s);
    if (!s || !(s->name = strdup(name))) {
        stream_close(s);
        return no_memory(name, err);
    }
    s->file = standard ? stdin : fopen(path, "rbe");
    s->terminal = s->file && isatty(fileno(s->file));
    enum attend_status status =
        s->file ? fill(s, err)
                : error_set(err, ATTEND_IO, "%s: cannot be opened: %s", name, strerror(errno));
    if (status)
        goto done;
    s->codec = find_codec(s->block, s->to);
    if (s->codec && !(s->decoder = s->codec->open())) {
        status = no_memory(name, err);
        goto done;
    }
    *out = s;
    s = NULL;
done:
    stream_close(s);
    return status;
}

const char *stream_name(const struct stream *s) { return s->name; }

void stream_close(struct stream *s)
{
    if (!s)
        return;
    if (s->codec)
        s->codec->close(s->decoder);
    if (s->file && s->file != stdin)
        fclose(s->file);
    free(s->name);
    free(s);
}

/* ---- Reading ---- */

static enum attend_status read_plain(struct stream *s, char *out, size_t room, size_t *got,
                                     struct attend_error *err)
{
    const enum attend_status status = fill(s, err);
    if (status)
        return status;
    const size_t held = s->to - s->from;
    *got = held < room ? held : room;
    memcpy(out, s->block + s->from, *got);
    s->from += *got;
    return ATTEND_OK;
}

/* One call of the decoder; *got is what it made. */
static enum attend_status decode(struct stream *s, char *out, size_t room, size_t *got,
                                 struct attend_error *err)
{
    const size_t held = s->to - s->from;
    struct codec_span span = {.in = s->block + s->from, .length = held, .out = out, .room = room};
    const enum codec_step step = s->codec->step(s->decoder, &span);
    s->from = s->to - span.length;
    s->between = step == CODEC_END;
    *got = room - span.room;
    if (step == CODEC_NO_MEMORY)
        return no_memory(s->name, err);
    if (step == CODEC_DAMAGED)
        return error_set(err, ATTEND_DATA,
                         "%s: the %s data is damaged (%s); copy or compress the file again",
                         s->name, s->codec->name, span.reason);
    /* Input is there while the file lasts, so a decoder that gets nowhere has come to its end. */
    if (span.length == held && *got == 0 && !s->between)
        return error_set(err, ATTEND_DATA,
                         "%s: the %s data is incomplete; copy or compress the file again", s->name,
                         s->codec->name);
    return ATTEND_OK;
}

enum attend_status stream_read(struct stream *s, char *out, size_t room, size_t *got,
                               struct attend_error *err)
{
    BUG_ON(room == 0);
    if (!s->codec)
        return read_plain(s, out, room, got, err);
    size_t made = 0;
    while (made == 0) {
        enum attend_status status = fill(s, err);
        if (!status && s->from == s->to && s->between)
            break;
        if (!status)
            status = decode(s, out, room, &made, err);
        if (status)
            return status;
    }
    *got = made;
    return ATTEND_OK;
}
