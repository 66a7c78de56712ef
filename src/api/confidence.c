#include "api/confidence.h"

#include "attend/translate.h"
#include "metric/calibration.h"

#include <math.h>

/* The share of a hypothesis is P / (sum of all P), computed from the largest so that none is 0. */
void confidence_fill(struct attend_translation *t, const struct attend_scaling *scaling)
{
    double most = t->log_probability, sum = 0;
    for (int i = 0; i < t->others; i++)
        most = fmax(most, t->other[i].log_probability);
    for (int i = 0; i <= t->others; i++) {
        struct attend_translation *h = i ? &t->other[i - 1] : t;
        const double confidence =
            h->target_count ? calibration_confidence(scaling, h->log_probability, h->target_count)
                            : 1;
        h->confidence = (float)confidence;
        h->share = (float)exp(h->log_probability - most);
        sum += (double)h->share;
    }
    for (int i = 0; i <= t->others; i++)
        (i ? &t->other[i - 1] : t)->share /= (float)sum;
}

int attend_translation_cut(struct attend_translation *t, double mass)
{
    double sum = (double)t->share;
    int kept = 0;
    for (; kept < t->others && sum < mass; kept++)
        sum += (double)t->other[kept].share;
    for (int i = kept; i < t->others; i++)
        attend_translation_release(&t->other[i]);
    t->others = kept;
    return kept + 1;
}
