#include "model/frame_masks.h"

#include "base/rng.h"
#include "model/batch.h"
#include "tensor/vec.h"

enum { TIMES, BANDS }; /* kinds of masks; part of the key */

struct span {
    int from, to;
};

static struct span sample(uint64_t key, int kind, int number, int length, double share)
{
    const uint64_t mask = rng_key(rng_key(key, (uint64_t)kind), (uint64_t)number);
    const int width = (int)rng_below(mask, 0, (uint32_t)(share * length) + 1);
    const int from = (int)rng_below(mask, 1, (uint32_t)(length - width) + 1);
    return (struct span){from, from + width};
}

static real *frame_at(const struct batch *b, const struct steps *steps, int i, int t)
{
    return b->source_frame + (size_t)(steps->start[t] + i) * (size_t)b->width;
}

/* Sentence i of a lane, which has `length` frames. */
static void apply(const struct frame_masks *m, const struct batch *b, const struct steps *steps,
                  int i, int length)
{
    const int item = b->level[0].place[2 * (steps->start[0] + i)];
    const uint64_t key = rng_key(m->key, (uint64_t)item);
    for (int k = 0; k < m->times; k++) {
        const struct span span = sample(key, TIMES, k, length, m->time_share);
        for (int t = span.from; t < span.to; t++)
            vec_zero(frame_at(b, steps, i, t), (size_t)b->width);
    }
    for (int k = 0; k < m->bands; k++) {
        const struct span span = sample(key, BANDS, k, b->width, m->band_share);
        for (int t = 0; t < length; t++)
            vec_zero(frame_at(b, steps, i, t) + span.from, (size_t)(span.to - span.from));
    }
}

void frame_masks_apply(const struct frame_masks *m, const struct batch *b, int lane)
{
    const struct steps *steps = &b->level[0].lane[lane];
    int length = steps->count;
    if (!b->width || length == 0 || (m->times == 0 && m->bands == 0))
        return;
    for (int i = 0; i < steps->active[0]; i++) { /* longest first */
        while (steps->active[length - 1] <= i)
            length--;
        apply(m, b, steps, i, length);
    }
}
