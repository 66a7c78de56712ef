/* Log-mel frames of sound. At rate r, with window N = round(r / 40) and step round(r / 100):
 *
 *     X_tk = sum_i w_i x_{t step + i} exp(-2 pi i k / F),   w_i = 0.5 - 0.5 cos(2 pi i / N)
 *     y_tb = log(1e-8 + sum_k T_bk |X_tk|^2)
 *
 * The bands T_b are triangles whose corners are evenly spaced on the scale
 * mel(f) = 2595 log10(1 + f / 700), from 20 Hz to r / 2: band b rises from corner b to corner b + 1
 * and falls to corner b + 2, linearly in Hz. F is the smallest power of two of at least N for which
 * every band holds a frequency k r / F. 1e-8 is about the noise of 16 bits. Sound that is shorter
 * than a window is filled up with zeros. */
#ifndef ATTEND_FRAMES_MEL_H
#define ATTEND_FRAMES_MEL_H

#include "attend/frames.h"

struct mel {
    int rate, window, step, size, bands;
    double *hann;       /* (window) */
    double *corner;     /* (bands + 2) in Hz */
    double *in, *power; /* (MEL_CHUNK, size) and (MEL_CHUNK, size / 2 + 1) */
    double *block;      /* owned: all of these */
};
enum { MEL_CHUNK = 64, MEL_BANDS_MAX = 128 };

/* `bands` is at most MEL_BANDS_MAX, `rate` at least 4000. False when out of memory. */
bool mel_init(struct mel *, int rate, int bands);
void mel_release(struct mel *);

/* The number of frames of sound. */
long mel_frames(const struct mel *, long count);
/* out[t * stride + b] = y_tb. */
enum attend_status mel_run(const struct mel *, const float *samples, long count,
                           attend_sound_power_fn *power, float *out, int stride,
                           struct attend_error *err);

#endif
