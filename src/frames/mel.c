#include "frames/mel.h"

#include <math.h>
#include <stdlib.h>

static const double lowest = 20, floor_power = 1e-8;

static double to_mel(double hertz) { return 2595 * log10(1 + hertz / 700); }
static double to_hertz(double mel) { return 700 * (pow(10, mel / 2595) - 1); }

/* The frequencies within band b: k in [*from, *to). */
static void find_bins(const struct mel *m, int b, int *from, int *to)
{
    const double spacing = (double)m->rate / m->size;
    *from = (int)floor(m->corner[b] / spacing) + 1;
    *to = (int)ceil(m->corner[b + 2] / spacing);
    if (*to > m->size / 2 + 1)
        *to = m->size / 2 + 1;
}

static bool has_empty_band(const struct mel *m)
{
    for (int b = 0, from, to; b < m->bands; b++) {
        find_bins(m, b, &from, &to);
        if (from >= to)
            return true;
    }
    return false;
}

static void set_corners(double *corner, int rate, int bands)
{
    const double low = to_mel(lowest), high = to_mel(rate / 2.0);
    for (int b = 0; b < bands + 2; b++)
        corner[b] = to_hertz(low + (high - low) * b / (bands + 1));
}

/* Measure with corners of its own, then bind all arrays to one block. */
bool mel_init(struct mel *out, int rate, int bands)
{
    struct mel m = {.rate = rate, .bands = bands};
    double corner[MEL_BANDS_MAX + 2] = {0};
    m.window = (int)lround(rate / 40.0);
    m.step = (int)lround(rate / 100.0);
    m.corner = corner;
    set_corners(corner, rate, bands);
    for (m.size = 2; m.size < m.window || has_empty_band(&m);)
        m.size *= 2;
    const size_t window = (size_t)m.window, corners = (size_t)bands + 2;
    const size_t in = MEL_CHUNK * (size_t)m.size, power = MEL_CHUNK * ((size_t)m.size / 2 + 1);
    m.block = calloc(window + corners + in + power, sizeof *m.block);
    if (!m.block)
        return false;
    m.hann = m.block;
    m.corner = m.hann + window;
    m.in = m.corner + corners;
    m.power = m.in + in;
    set_corners(m.corner, rate, bands);
    for (int i = 0; i < m.window; i++)
        m.hann[i] = 0.5 - 0.5 * cos(2 * M_PI * i / m.window);
    *out = m;
    return true;
}

void mel_release(struct mel *m)
{
    free(m->block);
    *m = (struct mel){0};
}

long mel_frames(const struct mel *m, long count)
{
    return count < m->window ? 1 : 1 + (count - m->window) / m->step;
}

/* The windows of `rows` frames from sample `start`; what is behind a window stays 0. */
static void cut_windows(const struct mel *m, const float *samples, long count, long start, int rows)
{
    for (int r = 0; r < rows; r++, start += m->step)
        for (int i = 0; i < m->window; i++)
            m->in[(long)r * m->size + i] =
                start + i < count ? m->hann[i] * (double)samples[start + i] : 0;
}

/* The height of triangle b at a frequency. */
static double triangle(const double *corner, double hertz)
{
    return hertz < corner[1] ? (hertz - corner[0]) / (corner[1] - corner[0])
                             : (corner[2] - hertz) / (corner[2] - corner[1]);
}

static double band_power(const struct mel *m, const double *power, int b)
{
    double sum = 0;
    int from, to;
    find_bins(m, b, &from, &to);
    for (int k = from; k < to; k++)
        sum += power[k] * triangle(m->corner + b, (double)k * m->rate / m->size);
    return sum;
}

enum attend_status mel_run(const struct mel *m, const float *samples, long count,
                           attend_sound_power_fn *power, float *out, int stride,
                           struct attend_error *err)
{
    const long frames = mel_frames(m, count);
    const int bins = m->size / 2 + 1;
    for (long t = 0; t < frames; t += MEL_CHUNK) {
        const int rows = frames - t < MEL_CHUNK ? (int)(frames - t) : MEL_CHUNK;
        cut_windows(m, samples, count, t * m->step, rows);
        const enum attend_status status = power(m->in, rows, m->size, m->power, err);
        if (status)
            return status;
        for (int r = 0; r < rows; r++)
            for (int b = 0; b < m->bands; b++)
                out[(t + r) * stride + b] =
                    (float)log(floor_power + band_power(m, m->power + (long)r * bins, b));
    }
    return ATTEND_OK;
}
