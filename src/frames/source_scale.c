/* Mean and scale of a source's columns:
 *
 *     mean_j  = 1/n sum_i x_ij
 *     scale_j = 1 / sqrt(1/n sum_i (x_ij - mean_j)^2)
 *
 * A column that does not vary has scale 1, so that it becomes 0 and stays small in other files. */
#include "base/error.h"
#include "frames/source_parts.h"

#include <math.h>
#include <stdlib.h>

/* The block of sums, with the first row as shift. */
static enum attend_status begin_sums(struct frame_source *s, const struct frames *first,
                                     struct attend_error *err)
{
    const size_t width = (size_t)first->width;
    s->shift = calloc(3 * width, sizeof *s->shift);
    if (!s->shift)
        return error_set(err, ATTEND_NO_MEMORY, "out of memory");
    s->sum = s->shift + width;
    s->square = s->sum + width;
    s->width = first->width;
    if (!s->rate)
        s->rate = first->rate;
    for (size_t j = 0; j < width; j++)
        s->shift[j] = (double)first->value[j];
    return ATTEND_OK;
}

enum attend_status frame_source_observe(struct frame_source *s, const struct frames *frames,
                                        struct attend_error *err)
{
    if (s->width && frames->width != s->width)
        return error_set(err, ATTEND_DATA, "rows have %d numbers, those before them have %d",
                         frames->width, s->width);
    const enum attend_status status = s->shift ? ATTEND_OK : begin_sums(s, frames, err);
    if (status)
        return status;
    const float *x = frames->value;
    for (int i = 0; i < frames->rows; i++, x += s->width)
        for (int j = 0; j < s->width; j++) {
            const double d = (double)x[j] - s->shift[j];
            s->sum[j] += d;
            s->square[j] += d * d;
        }
    s->rows += frames->rows;
    return ATTEND_OK;
}

enum attend_status source_make_scale(struct frame_source *s, struct attend_error *err)
{
    if (s->mean)
        return ATTEND_OK;
    s->mean = malloc(2 * (size_t)s->width * sizeof *s->mean);
    if (!s->mean)
        return error_set(err, ATTEND_NO_MEMORY, "out of memory");
    s->scale = s->mean + s->width;
    return ATTEND_OK;
}

static void set_scale(struct frame_source *s, int j, double mean, double variance)
{
    const double deviation = sqrt(variance > 0 ? variance : 0);
    const bool varies = deviation > 1e-7 * fabs(mean) && deviation > 1e-12;
    s->mean[j] = (float)mean;
    s->scale[j] = varies ? (float)(1 / deviation) : 1;
}

/* Columns [0, shared) have one mean and one variance: that of all their values. */
static void settle_shared(struct frame_source *s, int shared)
{
    double sum = 0, square = 0;
    for (int j = 0; j < shared; j++) {
        const double mean = s->sum[j] / s->rows + s->shift[j];
        const double spread = s->square[j] / s->rows - pow(s->sum[j] / s->rows, 2);
        sum += mean;
        square += spread + mean * mean;
    }
    for (int j = 0; j < shared; j++)
        set_scale(s, j, sum / shared, square / shared - pow(sum / shared, 2));
}

enum attend_status frame_source_settle(struct frame_source *s, struct attend_error *err)
{
    if (!s->width)
        return error_set(err, ATTEND_DATA, "no frames were read, so their width is not known");
    const enum attend_status status = source_make_scale(s, err);
    if (status)
        return status;
    const int shared = s->reader->shared ? s->reader->shared(&s->options) : 0;
    for (int j = 0; j < s->width; j++) {
        const double d = s->shift ? s->sum[j] / s->rows : 0;
        set_scale(s, j, s->shift ? d + s->shift[j] : 0,
                  s->shift ? s->square[j] / s->rows - d * d : 0);
    }
    if (s->shift && shared)
        settle_shared(s, shared);
    return ATTEND_OK;
}

bool frame_source_settled(const struct frame_source *s) { return s->mean; }

void frame_source_normalize(const struct frame_source *s, float *value, int rows)
{
    for (int i = 0; s->mean && i < rows; i++, value += s->width)
        for (int j = 0; j < s->width; j++)
            value[j] = (value[j] - s->mean[j]) * s->scale[j];
}

void frame_source_restore(const struct frame_source *s, float *value, int rows)
{
    for (int i = 0; s->mean && i < rows; i++, value += s->width)
        for (int j = 0; j < s->width; j++)
            value[j] = value[j] / s->scale[j] + s->mean[j];
}
