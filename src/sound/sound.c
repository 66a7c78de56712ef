#include "attend/frames.h"

#include <limits.h>
#include <sndfile.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { CHANNELS_MAX = 2, BLOCK = 4096, RATE_MIN = 4000, RATE_MAX = 384000 };

static enum attend_status fail(struct attend_error *err, enum attend_status status,
                               const char *format, ...)
{
    if (!err)
        return status;
    *err = (struct attend_error){.status = status};
    va_list args;
    va_start(args, format);
    vsnprintf(err->message, sizeof err->message, format, args);
    va_end(args);
    return status;
}

/* ---- A file in memory, as libsndfile wants it ---- */

struct memory {
    const char *bytes;
    sf_count_t length, at;
};

static sf_count_t get_length(void *user) { return ((struct memory *)user)->length; }
static sf_count_t tell(void *user) { return ((struct memory *)user)->at; }

static sf_count_t seek(sf_count_t offset, int whence, void *user)
{
    struct memory *m = user;
    const sf_count_t from = whence == SEEK_SET ? 0 : whence == SEEK_CUR ? m->at : m->length;
    if (offset < -from || offset > m->length - from)
        return -1;
    m->at = from + offset;
    return m->at;
}

static sf_count_t read_some(void *out, sf_count_t count, void *user)
{
    struct memory *m = user;
    const sf_count_t left = m->length - m->at, taken = count < left ? count : left;
    if (taken <= 0)
        return 0;
    memcpy(out, m->bytes + m->at, (size_t)taken);
    m->at += taken;
    return taken;
}

static sf_count_t write_none(const void *bytes, sf_count_t count, void *user)
{
    (void)bytes, (void)count, (void)user;
    return 0;
}

/* ---- Decoding ---- */

/* libsndfile's sentences end with a full stop. */
static enum attend_status refuse(const char *why, struct attend_error *err)
{
    const size_t length = strlen(why);
    return fail(err, ATTEND_FORMAT,
                "is not sound that libsndfile reads (WAV, FLAC, Ogg, MP3, AIFF ...): %.*s",
                (int)(length && why[length - 1] == '.' ? length - 1 : length), why);
}

static enum attend_status check(const SF_INFO *info, double seconds, struct attend_error *err)
{
    if (info->channels < 1 || info->channels > CHANNELS_MAX)
        return fail(err, ATTEND_FORMAT, "has %d channels; mono and stereo are read, so choose one",
                    info->channels);
    if (info->samplerate < RATE_MIN || info->samplerate > RATE_MAX)
        return fail(err, ATTEND_FORMAT, "has %d samples per second; %d to %d are read",
                    info->samplerate, RATE_MIN, RATE_MAX);
    const double length = (double)info->frames / info->samplerate;
    if (length > seconds && info->frames < SF_COUNT_MAX)
        return fail(err, ATTEND_FORMAT, "lasts %.1f s; at most %g s are read", length, seconds);
    if (info->frames == 0)
        return fail(err, ATTEND_FORMAT, "lasts 0 seconds");
    return ATTEND_OK;
}

/* Room for one more block; false when out of memory. */
static bool make_room(struct attend_samples *s, long *room)
{
    if (s->count + BLOCK <= *room)
        return true;
    const long wanted = 2 * *room + BLOCK;
    float *more = realloc(s->value, (size_t)wanted * sizeof *more);
    if (!more)
        return false;
    s->value = more;
    *room = wanted;
    return true;
}

/* Append samples, the mean over their channels. */
static void mix(struct attend_samples *s, const float *block, long count, int channels)
{
    for (long i = 0; i < count; i++, block += channels)
        s->value[s->count++] = channels == 1 ? block[0] : (block[0] + block[1]) / 2;
}

static enum attend_status decode(SNDFILE *file, const SF_INFO *info, double seconds,
                                 struct attend_samples *s, struct attend_error *err)
{
    float block[BLOCK * CHANNELS_MAX];
    long room = 0;
    sf_count_t got;
    do {
        if ((double)s->count > seconds * info->samplerate)
            return fail(err, ATTEND_FORMAT, "lasts more than %g s, which is the most that is read",
                        seconds);
        if (!make_room(s, &room))
            return fail(err, ATTEND_NO_MEMORY, "out of memory");
        got = sf_readf_float(file, block, BLOCK);
        mix(s, block, got > 0 ? (long)got : 0, info->channels);
    } while (got > 0);
    const bool flac = (info->format & SF_FORMAT_TYPEMASK) == SF_FORMAT_FLAC;
    if (sf_error(file) || (flac && s->count < info->frames))
        return fail(err, ATTEND_FORMAT, "is cut off or damaged after %ld of %lld samples", s->count,
                    (long long)info->frames);
    if (s->count == 0)
        return fail(err, ATTEND_FORMAT, "lasts 0 seconds");
    return ATTEND_OK;
}

enum attend_status attend_sound_decode(const void *bytes, size_t length, double seconds,
                                       struct attend_samples *out, struct attend_error *err)
{
    SF_VIRTUAL_IO io = {get_length, seek, read_some, write_none, tell};
    SF_INFO info = {.format = 0};
    struct memory memory = {bytes, (sf_count_t)length, 0};
    struct attend_samples samples = {0};
    SNDFILE *file = sf_open_virtual(&io, SFM_READ, &info, &memory);
    if (!file)
        return refuse(sf_strerror(NULL), err);
    enum attend_status status = check(&info, seconds, err);
    if (!status)
        status = decode(file, &info, seconds, &samples, err);
    sf_close(file);
    samples.rate = info.samplerate;
    if (status)
        free(samples.value);
    else
        *out = samples;
    return status;
}
