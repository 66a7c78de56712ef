#include "train/schedule.h"

#include <math.h>
#include <stddef.h>
#include <string.h>

#define ROW(name) &schedule_##name,
const struct schedule_ops *const schedules[] = {SCHEDULE_LIST(ROW) NULL};
#undef ROW

const struct schedule_ops *schedule_find(const char *name)
{
    for (const struct schedule_ops *const *ops = schedules; *ops; ops++)
        if (strcmp((*ops)->name, name) == 0)
            return *ops;
    return NULL;
}

static int warmup(const struct schedule *s) { return s->warmup ? s->warmup : s->ops->warmup; }

double schedule_rate(const struct schedule *s, long update, int epoch)
{
    const double ramp = update < warmup(s) ? (double)update / warmup(s) : 1;
    return s->base * ramp * s->ops->factor(s, update, epoch);
}

void schedule_validated(struct schedule *s, bool improved) { s->falls += !improved; }

/* ---- The table ---- */

static double constant(const struct schedule *s, long update, int epoch)
{
    (void)s, (void)update, (void)epoch;
    return 1;
}
const struct schedule_ops schedule_constant = {
    .name = "constant",
    .help = "the same rate from the first update to the last",
    .factor = constant};

/* sqrt(N / update) after N updates of warm-up: both parts give 1 at update N. */
static double invsqrt(const struct schedule *s, long update, int epoch)
{
    (void)epoch;
    return update > warmup(s) ? sqrt(warmup(s) / (double)update) : 1;
}
const struct schedule_ops schedule_warmup_invsqrt = {
    .name = "warmup-invsqrt",
    .help = "after the warm-up the rate falls as 1 / sqrt(update) (Vaswani et al. 2017)",
    .warmup = 4000,
    .factor = invsqrt};

/* decay^k in the k-th epoch from decay_from on: with decay_from = 2 it is decay^(epoch - 1). */
static double exponential(const struct schedule *s, long update, int epoch)
{
    (void)update;
    return epoch < s->decay_from ? 1 : pow(s->decay, epoch - s->decay_from + 1);
}
const struct schedule_ops schedule_exponential = {
    .name = "exponential",
    .help = "from an epoch on, each epoch multiplies the rate (Luong et al. 2015)",
    .factor = exponential};

static double plateau(const struct schedule *s, long update, int epoch)
{
    (void)update, (void)epoch;
    return pow(s->decay, s->falls);
}
const struct schedule_ops schedule_plateau = {
    .name = "plateau",
    .help = "each validation without improvement multiplies the rate",
    .validation = true,
    .factor = plateau};

static double cosine(const struct schedule *s, long update, int epoch)
{
    const double pi = 3.14159265358979323846;
    (void)update, (void)epoch;
    return (1 + cos(pi * s->done)) / 2;
}
const struct schedule_ops schedule_cosine = {
    .name = "cosine",
    .help =
        "half a cosine, to 0 at the end that --max-epochs or --max-updates sets (Loshchilov and "
        "Hutter 2017)",
    .factor = cosine};
