#include "wasm/samples.h"

#include "base/error.h"

#include <math.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

/* ---- WAV ---- */

enum { PCM = 1, CHANNELS_MAX = 2, RATE_MIN = 4000, RATE_MAX = 384000 };

/* Chunks of a file: each has a name, a size and as many bytes. */
struct wav {
    const unsigned char *data;
    size_t size; /* bytes of data */
    int format, channels, rate, bits;
};

static uint32_t little(const unsigned char *at, int bytes)
{
    uint32_t value = 0;
    for (int i = bytes; i-- > 0;)
        value = value << 8 | at[i];
    return value;
}

/* False if the file is no WAV file with samples. */
static bool read_chunks(struct wav *w, const unsigned char *bytes, size_t length)
{
    *w = (struct wav){0};
    if (length < 12 || memcmp(bytes, "RIFF", 4) != 0 || memcmp(bytes + 8, "WAVE", 4) != 0)
        return false;
    for (size_t at = 12; at + 8 <= length;) {
        const unsigned char *chunk = bytes + at;
        const size_t left = length - at - 8, said = little(chunk + 4, 4);
        const size_t size = said < left ? said : left;
        if (memcmp(chunk, "fmt ", 4) == 0 && size >= 16) {
            w->format = (int)little(chunk + 8, 2);
            w->channels = (int)little(chunk + 10, 2);
            w->rate = (int)little(chunk + 12, 4);
            w->bits = (int)little(chunk + 22, 2);
        } else if (memcmp(chunk, "data", 4) == 0) {
            w->data = chunk + 8;
            w->size = size;
            return true;
        }
        at += 8 + size + size % 2;
    }
    return false;
}

enum attend_status samples_decode(const void *bytes, size_t length, double seconds,
                                  struct attend_samples *out, struct attend_error *err)
{
    struct wav w;
    if (!read_chunks(&w, bytes, length) || w.format != PCM || w.bits != 16)
        return error_set(err, ATTEND_FORMAT, "is not a WAV file of 16 bits");
    if (w.channels < 1 || w.channels > CHANNELS_MAX || w.rate < RATE_MIN || w.rate > RATE_MAX)
        return error_set(err, ATTEND_FORMAT, "has %d channels and %d samples per second",
                         w.channels, w.rate);
    const long count = (long)(w.size / 2 / (size_t)w.channels);
    if ((double)count / w.rate > seconds)
        return error_set(err, ATTEND_DATA, "has %.1f seconds; at most %.1f are read",
                         (double)count / w.rate, seconds);
    float *value = malloc(count ? (size_t)count * sizeof *value : 1);
    if (!value)
        return error_set(err, ATTEND_NO_MEMORY, "out of memory for %ld samples", count);
    for (long i = 0; i < count; i++) {
        float sum = 0;
        for (int c = 0; c < w.channels; c++)
            sum += (float)(int16_t)little(w.data + 2 * (i * w.channels + c), 2);
        value[i] = sum / (float)(32768 * w.channels);
    }
    *out = (struct attend_samples){value, count, w.rate};
    return ATTEND_OK;
}

/* ---- Spectra ---- */

/* Order by the bits of the index, read backwards. */
static void reorder(double *re, double *im, int n)
{
    for (int i = 1, j = 0; i < n; i++) {
        int bit = n / 2;
        for (; j & bit; bit /= 2)
            j ^= bit;
        j ^= bit;
        if (i < j) {
            const double re_i = re[i], im_i = im[i];
            re[i] = re[j], im[i] = im[j];
            re[j] = re_i, im[j] = im_i;
        }
    }
}

/* In place: pairs of transforms of half the length become one of the whole. */
static void transform(double *re, double *im, int n)
{
    reorder(re, im, n);
    for (int half = 1; half < n; half *= 2)
        for (int k = 0; k < half; k++) {
            const double angle = -acos(-1) * k / half, c = cos(angle), s = sin(angle);
            for (int i = k; i < n; i += 2 * half) {
                const int j = i + half;
                const double x = c * re[j] - s * im[j], y = c * im[j] + s * re[j];
                re[j] = re[i] - x, im[j] = im[i] - y;
                re[i] += x, im[i] += y;
            }
        }
}

enum attend_status samples_power(const double *windows, int rows, int size, double *power,
                                 struct attend_error *err)
{
    double *re = malloc(2 * (size_t)size * sizeof *re), *im = re ? re + size : NULL;
    if (!re || (size & (size - 1)) != 0) {
        free(re);
        return error_set(err, ATTEND_NO_MEMORY, "no spectrum of %d samples", size);
    }
    for (int r = 0; r < rows; r++, windows += size) {
        memcpy(re, windows, (size_t)size * sizeof *re);
        memset(im, 0, (size_t)size * sizeof *im);
        transform(re, im, size);
        for (int k = 0; k <= size / 2; k++)
            *power++ = re[k] * re[k] + im[k] * im[k];
    }
    free(re);
    return ATTEND_OK;
}
