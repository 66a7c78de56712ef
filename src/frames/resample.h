/* Sound at another rate, by a windowed sinc:
 *
 *     y_n = sum_k x_k c h(c (n M / L - k)),   M / L = from / to in lowest terms,   c = min(1, L / M)
 *     h(t) = sinc(t) (0.5 + 0.5 cos(pi t / Z))  for |t| < Z = 16,  sinc(t) = sin(pi t) / (pi t)
 *
 * Below the lower of both Nyquist frequencies, sound passes; above it, it is removed, except for a
 * transition band of about a sixteenth of it. */
#ifndef ATTEND_FRAMES_RESAMPLE_H
#define ATTEND_FRAMES_RESAMPLE_H

#include <stdbool.h>

/* The number of samples at the new rate. */
long resample_count(long count, int from, int to);
/* Fill `out`, which has resample_count samples. False when out of memory. */
bool resample(const float *in, long count, int from, int to, float *out);

#endif
