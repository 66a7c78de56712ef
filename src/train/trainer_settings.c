#include "train/trainer_parts.h"

#include "base/rng.h"

#include <math.h>

/* The fraction of the longest run that the limits allow. */
static double share_done(const struct trainer *t)
{
    const struct attend_train_options *o = t->job->options;
    const double epochs = (t->at.epoch - 1 + feed_done(&t->feed)) / o->max_epochs;
    const double updates = o->max_updates ? (double)t->at.update / (double)o->max_updates : 0;
    return fmin(1, fmax(epochs, updates));
}

struct update_settings trainer_settings(const struct trainer *t, double words)
{
    const struct attend_train_options *o = t->job->options;
    const uint64_t seed = rng_seed((uint64_t)o->seed), update = (uint64_t)t->at.update,
                   key = rng_key(rng_key(seed, 0x64726f70), update);
    struct schedule schedule = t->schedule;
    schedule.done = share_done(t);
    const double rise = o->sampling_warmup ? (double)t->at.update / o->sampling_warmup : 1;
    return (struct update_settings){
        .dropout = {.plain = {.rate = o->dropout, .key = key},
                    .recurrent = {.rate = o->recurrent_dropout, .key = key},
                    .words = {.rate = o->word_dropout, .key = key},
                    .layers = {.rate = o->encoder_layer_drop, .key = key}},
        .masks = {.times = o->time_masks,
                  .time_share = o->time_mask_share,
                  .bands = o->band_masks,
                  .band_share = o->band_mask_share,
                  .key = rng_key(rng_key(seed, 0x6d61736b), update)},
        .smoothing = o->label_smoothing,
        .guide = o->guide_weight * pow(o->guide_decay, t->at.epoch - 1),
        .lr = schedule_rate(&schedule, t->at.update + 1, t->at.epoch),
        .clip = o->clip,
        .sampling = o->scheduled_sampling * (rise < 1 ? rise : 1),
        .sampling_key = rng_key(rng_key(seed, 0x73616d70), update),
        .words = words};
}
