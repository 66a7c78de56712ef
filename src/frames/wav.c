/* Sound: decoded by the module, resampled (resample.h), and cut into log-mel frames (mel.h).
 *
 * With `sound_range` of R decibels, what is quieter than R below the loudest number of the recording
 * is raised to that level,
 *
 *     y_tb = max(y_tb, max(y) - R ln(10) / 10)
 *
 * so that the silence of a good microphone looks like that of a bad one. After that, with
 * `sound_center`, each band has its mean over the recording subtracted. With `sound_deltas`, a
 * frame has twice the numbers: behind the bands, how they change,
 *
 *     d_t = (y_{t+1} - y_{t-1} + 2 (y_{t+2} - y_{t-2})) / 10
 *
 * where the first and the last frame repeat beyond the ends. */
#include "base/error.h"
#include "frames/bytes.h"
#include "frames/frames.h"
#include "frames/mel.h"
#include "frames/reader.h"
#include "frames/resample.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { BEST_RATE = 16000 };

/* ---- Samples ---- */

/* A WAV file says how long it is. libsndfile would read the part that is there. Programs that write
 * to a pipe leave 0 or a number near the largest. */
static enum attend_status check_whole(const struct frame_input *in, struct attend_error *err)
{
    if (in->length < 12 || memcmp(in->bytes, "RIFF", 4) != 0)
        return ATTEND_OK;
    const uint32_t size = bytes_32(in->bytes + 4);
    if (size >= 0x7FFFF000 || size <= in->length - 7)
        return ATTEND_OK;
    return error_set(err, ATTEND_FORMAT, "%s: is cut off: it has %zu of %zu bytes", in->name,
                     in->length, (size_t)size + 8);
}

static enum attend_status check_values(const struct attend_samples *s, const char *name,
                                       struct attend_error *err)
{
    for (long i = 0; i < s->count; i++)
        if (!(fabsf(s->value[i]) <= 1e6F))
            return error_set(err, ATTEND_FORMAT,
                             "%s: sample %ld is not a finite number near -1 .. 1", name, i + 1);
    return ATTEND_OK;
}

static enum attend_status decode(const struct frame_input *in, struct attend_samples *out,
                                 struct attend_error *err)
{
    const struct attend_frame_modules *modules = in->options->modules;
    struct attend_error why = {.message = ""};
    if (!modules || !modules->sound_decode || !modules->sound_power)
        return error_set(err, ATTEND_IO, "%s: reading sound needs the module attend-sound.so%s%s",
                         in->name, modules && modules->no_sound ? ", which " : "",
                         modules && modules->no_sound ? modules->no_sound : "");
    enum attend_status status = check_whole(in, err);
    if (status)
        return status;
    status = modules->sound_decode(in->bytes, in->length, in->options->sound_seconds, out, &why);
    if (status)
        return error_set(err, status, "%s: %s", in->name, why.message);
    return check_values(out, in->name, err);
}

/* Replace the samples by those at another rate. */
static enum attend_status change_rate(struct attend_samples *s, int rate, const char *name,
                                      struct attend_error *err)
{
    if (s->rate == rate)
        return ATTEND_OK;
    const long count = resample_count(s->count, s->rate, rate);
    float *value = malloc((size_t)count * sizeof *value);
    if (!value || !resample(s->value, s->count, s->rate, rate, value)) {
        free(value);
        return error_set(err, ATTEND_NO_MEMORY, "%s: out of memory", name);
    }
    free(s->value);
    *s = (struct attend_samples){value, count, rate};
    return ATTEND_OK;
}

/* ---- Frames ---- */

static void limit_range(struct frames *f, int bands, double decibels)
{
    float loudest = f->value[0];
    for (int t = 0; t < f->rows; t++)
        for (int b = 0; b < bands; b++)
            loudest = fmaxf(loudest, f->value[(long)t * f->width + b]);
    const float quietest = loudest - (float)(decibels * log(10) / 10);
    for (int t = 0; t < f->rows; t++)
        for (int b = 0; b < bands; b++)
            f->value[(long)t * f->width + b] = fmaxf(quietest, f->value[(long)t * f->width + b]);
}

static void center(struct frames *f, int bands)
{
    for (int b = 0; b < bands; b++) {
        double sum = 0;
        for (int t = 0; t < f->rows; t++)
            sum += (double)f->value[t * f->width + b];
        const float mean = (float)(sum / f->rows);
        for (int t = 0; t < f->rows; t++)
            f->value[t * f->width + b] -= mean;
    }
}

static const float *frame_near(const struct frames *f, int t)
{
    return f->value + (long)(t < 0 ? 0 : t < f->rows ? t : f->rows - 1) * f->width;
}

static void add_deltas(struct frames *f, int bands)
{
    for (int t = 0; t < f->rows; t++) {
        const float *before = frame_near(f, t - 1), *after = frame_near(f, t + 1);
        const float *first = frame_near(f, t - 2), *last = frame_near(f, t + 2);
        float *d = f->value + (long)t * f->width + bands;
        for (int b = 0; b < bands; b++)
            d[b] = (after[b] - before[b] + 2 * (last[b] - first[b])) / 10;
    }
}

static int wav_width(const struct attend_frame_options *options)
{
    return options->sound_bands * (options->sound_deltas ? 2 : 1);
}

static enum attend_status make_frames(const struct frame_input *in, const struct attend_samples *s,
                                      struct frames *out, struct attend_error *err)
{
    const struct attend_frame_options *o = in->options;
    struct mel mel;
    if (!mel_init(&mel, s->rate, o->sound_bands))
        return error_set(err, ATTEND_NO_MEMORY, "%s: out of memory", in->name);
    enum attend_status status =
        frames_init(out, mel_frames(&mel, s->count), wav_width(o), in->name, err);
    if (!status)
        status =
            mel_run(&mel, s->value, s->count, o->modules->sound_power, out->value, out->width, err);
    mel_release(&mel);
    if (status) {
        frames_release(out);
        return status;
    }
    if (o->sound_range > 0)
        limit_range(out, o->sound_bands, o->sound_range);
    if (o->sound_center)
        center(out, o->sound_bands);
    if (o->sound_deltas)
        add_deltas(out, o->sound_bands);
    out->rate = s->rate;
    return ATTEND_OK;
}

static enum attend_status wav_read(const struct frame_input *in, struct frames *out,
                                   struct attend_error *err)
{
    struct attend_samples samples = {0};
    enum attend_status status = decode(in, &samples, err);
    const int own = samples.rate < BEST_RATE ? samples.rate : BEST_RATE;
    if (!status)
        status = change_rate(&samples, in->rate ? in->rate : own, in->name, err);
    if (!status)
        status = make_frames(in, &samples, out, err);
    free(samples.value);
    return status;
}

const struct frame_reader frame_reader_wav = {
    .name = "wav",
    .help = "sound that libsndfile reads (WAV, FLAC, Ogg, MP3 ...); a frame is 10 ms of mel bands",
    .kinds = "sound (WAV, FLAC, Ogg, MP3 ...)",
    .read = wav_read,
    .width = wav_width,
    .timed = true,
};
