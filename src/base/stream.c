#include "base/stream.h"

#include "base/bug.h"
#include "base/codec.h"
#include "base/error.h"
#include "base/io.h"

#include <errno.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

struct stream {
    FILE *file;
    char *name;
    const struct codec *codec; /* NULL: not compressed */
    void *decoder;
    bool live;       /* a terminal, pipe or socket: take what is there, not full blocks */
    bool started;    /* the first bytes told which codec it is */
    bool ended;      /* there is no more to read; a terminal must not be asked twice */
    bool between;    /* between two members: the only place where data may end */
    bool full;       /* the decoder filled all room, so it may hold more */
    int patience;    /* milliseconds that this call may wait; -1: as long as it takes */
    bool late;       /* nothing came in that time */
    size_t from, to; /* the unread part of the block */
    char block[STREAM_BLOCK];
};

/* ---- Bytes ---- */

/* What is there, at least one byte. A descriptor that does not block is waited for. */
static ssize_t read_live(const struct stream *s, char *out, size_t room)
{
    struct pollfd ready = {.fd = fileno(s->file), .events = POLLIN};
    ssize_t got;
    while ((got = io_read_some(ready.fd, out, room)) < 0 &&
           (errno == EAGAIN || errno == EWOULDBLOCK))
        poll(&ready, 1, -1);
    return got;
}

static bool is_late(const struct stream *s)
{
    struct pollfd ready = {.fd = fileno(s->file), .events = POLLIN};
    return s->live && s->patience >= 0 && poll(&ready, 1, s->patience) == 0;
}

/* Append bytes to the block. */
static enum attend_status append(struct stream *s, struct attend_error *err)
{
    char *at = s->block + s->to;
    const size_t room = sizeof s->block - s->to;
    s->late = is_late(s);
    if (s->late)
        return ATTEND_OK;
    errno = 0;
    const ssize_t got = s->live ? read_live(s, at, room) : (ssize_t)fread(at, 1, room, s->file);
    s->ended = got <= 0;
    s->to += got > 0 ? (size_t)got : 0;
    return got < 0 || (got == 0 && ferror(s->file))
               ? error_set(err, ATTEND_IO, "%s: cannot be read: %s", s->name, strerror(errno))
               : ATTEND_OK;
}

/* Read a block when the last one is used up. At the end of the file the block stays empty. */
static enum attend_status fill(struct stream *s, struct attend_error *err)
{
    if (s->from < s->to || s->ended)
        return ATTEND_OK;
    s->from = s->to = 0;
    return append(s, err);
}

/* ---- Opening ---- */

/* Find the codec of the data. Returns false if more bytes must be seen. */
static bool find_codec(struct stream *s)
{
#define ROW(name) &codec_##name,
    static const struct codec *const rows[] = {CODEC_LIST(ROW) NULL};
#undef ROW
    bool sure = true;
    for (int i = 0; rows[i] && !s->codec; i++) {
        const bool enough = s->to >= rows[i]->magic;
        const bool begins = rows[i]->begins(s->block, enough ? rows[i]->magic : s->to);
        if (begins && enough)
            s->codec = rows[i];
        sure = sure && (enough || !begins);
    }
    return sure || s->codec || s->ended;
}

static enum attend_status no_memory(const char *path, struct attend_error *err)
{
    return error_set(err, ATTEND_NO_MEMORY, "%s: out of memory to read it", path);
}

const char *stream_file_name(const char *path)
{
    return strcmp(path, "-") == 0 ? "standard input" : path;
}

/* Look at the first bytes. A pipe may hand them out one by one. */
static enum attend_status start(struct stream *s, struct attend_error *err)
{
    while (!s->started) {
        const enum attend_status status = append(s, err);
        if (status || s->late)
            return status;
        s->started = find_codec(s);
    }
    if (s->codec && !s->decoder && !(s->decoder = s->codec->open()))
        return no_memory(s->name, err);
    return ATTEND_OK;
}

/* Whether the data come from somebody who may pause. */
static bool is_live(FILE *file)
{
    struct stat info;
    return fstat(fileno(file), &info) == 0 &&
           (S_ISCHR(info.st_mode) || S_ISFIFO(info.st_mode) || S_ISSOCK(info.st_mode));
}

enum attend_status stream_open(struct stream **out, const char *path, struct attend_error *err)
{
    const bool standard = strcmp(path, "-") == 0;
    const char *name = stream_file_name(path);
    struct stream *s = calloc(1, sizeof *s);
    if (!s || !(s->name = strdup(name))) {
        stream_close(s);
        return no_memory(name, err);
    }
    s->file = standard ? stdin : fopen(path, "rbe");
    s->live = s->file && is_live(s->file);
    enum attend_status status = ATTEND_OK;
    if (!s->file)
        status = error_set(err, ATTEND_IO, "%s: cannot be opened: %s", name, strerror(errno));
    else if (!s->live)
        status = start(s, err);
    if (status)
        goto done;
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
    if (s->decoder)
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

/* Call the decoder once; *got is the number of bytes it wrote. */
static enum attend_status decode(struct stream *s, char *out, size_t room, size_t *got,
                                 struct attend_error *err)
{
    const size_t held = s->to - s->from;
    const bool was_full = s->full;
    struct codec_span span = {.in = s->block + s->from, .length = held, .out = out, .room = room};
    const enum codec_step step = s->codec->step(s->decoder, &span);
    s->from = s->to - span.length;
    s->between = step == CODEC_END;
    s->full = span.room == 0 && !s->between;
    *got = room - span.room;
    if (step == CODEC_NO_MEMORY)
        return no_memory(s->name, err);
    if (step == CODEC_DAMAGED)
        return error_set(err, ATTEND_DATA,
                         "%s: the %s data is damaged (%s); copy or compress the file again",
                         s->name, s->codec->name, span.reason);
    /* The decoder has input until the file ends, so no progress means that the file has ended. */
    if (span.length == held && *got == 0 && !s->between && !was_full)
        return error_set(err, ATTEND_DATA,
                         "%s: the %s data is incomplete; copy or compress the file again", s->name,
                         s->codec->name);
    return ATTEND_OK;
}

static enum attend_status read_coded(struct stream *s, char *out, size_t room, size_t *got,
                                     struct attend_error *err)
{
    for (*got = 0; *got == 0;) {
        enum attend_status status = s->full ? ATTEND_OK : fill(s, err);
        if (status || s->late)
            return status;
        if (s->from == s->to && s->between)
            break;
        status = decode(s, out, room, got, err);
        if (status)
            return status;
    }
    return ATTEND_OK;
}

enum attend_status stream_read_soon(struct stream *s, int milliseconds, char *out, size_t room,
                                    size_t *got, bool *late, struct attend_error *err)
{
    BUG_ON(room == 0);
    size_t made = 0;
    s->patience = milliseconds;
    s->late = false;
    enum attend_status status = start(s, err);
    if (!status && !s->late)
        status = (s->codec ? read_coded : read_plain)(s, out, room, &made, err);
    if (status)
        return status;
    *got = made;
    *late = s->late;
    return ATTEND_OK;
}

enum attend_status stream_read(struct stream *s, char *out, size_t room, size_t *got,
                               struct attend_error *err)
{
    bool late;
    return stream_read_soon(s, -1, out, room, got, &late, err);
}
