/* Scaling in two passes, first down the columns, then along the rows. With ratio s = from / to,
 * output i lies at c = (i + 1/2) s - 1/2 of the input, and
 *
 *     y_i = sum_k t_k x_k / sum_k t_k,   t_k = 1 - |k - c| / max(s, 1) where that is positive
 *
 * So a smaller image is a mean over what each pixel covers, and a larger one is interpolated. */
#include "frames/image.h"

#include <math.h>
#include <stdlib.h>

/* The inputs of one output: `count` of them from `first`, with their weights. */
struct taps {
    int first, count;
    float *weight;
};

static void set_taps(struct taps *t, int i, int from, int to)
{
    const double ratio = (double)from / to, reach = ratio > 1 ? ratio : 1;
    const double center = (i + 0.5) * ratio - 0.5;
    double sum = 0;
    int last = (int)ceil(center + reach) - 1;
    t->first = (int)floor(center - reach) + 1;
    if (t->first < 0)
        t->first = 0;
    if (last > from - 1)
        last = from - 1;
    t->count = last - t->first + 1;
    for (int k = 0; k < t->count; k++)
        sum += 1 - fabs(t->first + k - center) / reach;
    for (int k = 0; k < t->count; k++)
        t->weight[k] = (float)((1 - fabs(t->first + k - center) / reach) / sum);
}

static size_t most_taps(int from, int to)
{
    return 2 * (size_t)(from > to ? from / to + 1 : 1) + 1;
}

/* (height, image width) from (image height, image width). */
static void scale_down(const struct attend_gray *image, int height, float *out, struct taps *t)
{
    for (int y = 0; y < height; y++, out += image->width) {
        set_taps(t, y, image->height, height);
        for (int x = 0; x < image->width; x++) {
            float sum = 0;
            for (int k = 0; k < t->count; k++)
                sum += t->weight[k] * (float)image->value[(long)(t->first + k) * image->width + x];
            out[x] = sum / 255;
        }
    }
}

/* (height, to) from (height, from). */
static void scale_along(const float *in, int height, int from, int to, float *out, struct taps *t)
{
    for (int x = 0; x < to; x++) {
        set_taps(t, x, from, to);
        for (int y = 0; y < height; y++) {
            float sum = 0;
            for (int k = 0; k < t->count; k++)
                sum += t->weight[k] * in[(long)y * from + t->first + k];
            out[(long)y * to + x] = sum;
        }
    }
}

bool image_scale(const struct attend_gray *image, int width, int height, float *out)
{
    const size_t down = most_taps(image->height, height), along = most_taps(image->width, width);
    struct taps taps = {.weight = malloc((down > along ? down : along) * sizeof *taps.weight)};
    float *half = calloc((size_t)height * (size_t)image->width, sizeof *half);
    const bool made = taps.weight && half;
    if (made) {
        scale_down(image, height, half, &taps);
        scale_along(half, height, image->width, width, out, &taps);
    }
    free(half);
    free(taps.weight);
    return made;
}
