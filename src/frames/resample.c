#include "frames/resample.h"

#include "base/bug.h"

#include <math.h>
#include <stdlib.h>

enum { ZEROS = 16 };

static int divisor(int a, int b)
{
    while (b) {
        const int rest = a % b;
        a = b;
        b = rest;
    }
    return a;
}

long resample_count(long count, int from, int to)
{
    const int d = divisor(from, to);
    const long long l = to / d, m = from / d;
    return (long)((count * l + m - 1) / m);
}

static double kernel(double t)
{
    if (fabs(t) >= ZEROS)
        return 0;
    const double x = M_PI * t;
    return (fabs(x) < 1e-9 ? 1 : sin(x) / x) * (0.5 + 0.5 * cos(x / ZEROS));
}

/* Output n lies at n M / L = first + phase / L of the input, and its weights depend on the phase
 * alone, which repeats after L outputs. */
struct rates {
    long long l, m;
    int reach; /* inputs on either side that have a weight */
    double cutoff;
};

/* (rows, 2 reach) weights of the first outputs. */
static float *make_weights(const struct rates *r, long rows)
{
    const int taps = 2 * r->reach;
    float *weights = calloc((size_t)rows * (size_t)taps + 1, sizeof *weights);
    if (!weights)
        return NULL;
    for (long n = 0; n < rows; n++) {
        const double phase = (double)(n * r->m % r->l) / (double)r->l;
        for (int k = 0; k < taps; k++)
            weights[n * taps + k] =
                (float)(r->cutoff * kernel(r->cutoff * (phase - (k - r->reach + 1))));
    }
    return weights;
}

/* The sum of the taps that lie on one of the inputs; tap 0 lies on input `first`. */
static float weigh(const float *in, long count, long first, const float *weights, int taps)
{
    const int from = first < 0 ? (int)-first : 0;
    const int to = count - first < taps ? (int)(count - first) : taps;
    double sum = 0;
    for (int k = from; k < to; k++)
        sum += (double)weights[k] * (double)in[first + k];
    return (float)sum;
}

bool resample(const float *in, long count, int from, int to, float *out)
{
    const int d = divisor(from, to);
    struct rates r = {.l = to / d, .m = from / d, .cutoff = from > to ? (double)to / from : 1};
    r.reach = (int)ceil(ZEROS / r.cutoff);
    BUG_ON(r.l < 1 || r.m < 1);
    const int taps = 2 * r.reach;
    const long made = resample_count(count, from, to);
    const long rows = made < r.l ? made : (long)r.l;
    float *weights = make_weights(&r, rows);
    for (long n = 0; weights && n < made; n++)
        out[n] =
            weigh(in, count, (long)(n * r.m / r.l) - r.reach + 1, weights + n % r.l * taps, taps);
    free(weights);
    return weights;
}
