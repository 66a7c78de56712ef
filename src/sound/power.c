#include "attend/frames.h"

#include <fftw3.h>
#include <pthread.h>
#include <stdio.h>
#include <string.h>

/* FFTW makes and destroys plans through tables of its own, which threads may not touch at once. */
static pthread_mutex_t planner = PTHREAD_MUTEX_INITIALIZER;

/* An estimated plan is always the same, so results do not depend on the time that something took. */
static fftw_plan make_plan(int size, double *in, fftw_complex *out)
{
    pthread_mutex_lock(&planner);
    fftw_plan plan = fftw_plan_dft_r2c_1d(size, in, out, FFTW_ESTIMATE);
    pthread_mutex_unlock(&planner);
    return plan;
}

static void free_plan(fftw_plan plan)
{
    pthread_mutex_lock(&planner);
    fftw_destroy_plan(plan);
    pthread_mutex_unlock(&planner);
}

/* |X_k|^2 where X_k = sum_i x_i exp(-2 pi i k / size). */
enum attend_status attend_sound_power(const double *windows, int rows, int size, double *power,
                                      struct attend_error *err)
{
    const int bins = size / 2 + 1;
    double *in = fftw_alloc_real((size_t)size);
    fftw_complex *out = fftw_alloc_complex((size_t)bins);
    fftw_plan plan = in && out ? make_plan(size, in, out) : NULL;
    for (int r = 0; plan && r < rows; r++) {
        memcpy(in, windows + (size_t)r * (size_t)size, (size_t)size * sizeof *in);
        fftw_execute(plan);
        for (int k = 0; k < bins; k++)
            *power++ = out[k][0] * out[k][0] + out[k][1] * out[k][1];
    }
    if (plan)
        free_plan(plan);
    else if (err)
        snprintf(err->message, sizeof err->message, "out of memory");
    fftw_free(in);
    fftw_free(out);
    return plan ? ATTEND_OK : ATTEND_NO_MEMORY;
}
