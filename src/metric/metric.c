#include "metric/metric.h"

#include "base/strbuf.h"

#include <stddef.h>
#include <string.h>

#define METRIC_ROW(name) &metric_##name,
#define METRIC_ONE(name) +1
enum { METRICS = 0 METRIC_LIST(METRIC_ONE) };
static const struct metric_ops *const metrics[METRICS] = {METRIC_LIST(METRIC_ROW)};
#undef METRIC_ROW
#undef METRIC_ONE

const char *metric_name(int i) { return i < METRICS ? metrics[i]->name : NULL; }

const struct metric_ops *metric_find(const char *name)
{
    for (int i = 0; i < METRICS; i++)
        if (strcmp(metrics[i]->name, name) == 0)
            return metrics[i];
    return NULL;
}

void metric_sign(const struct metric_ops *ops, const struct metric_settings *settings,
                 int references, int resamples, int seed, struct strbuf *out)
{
    if (references)
        strbuf_addf(out, "nrefs:%d|", references);
    else
        strbuf_adds(out, "nrefs:var|");
    if (resamples)
        strbuf_addf(out, "bs:%d|seed:%d|", resamples, seed);
    ops->sign(settings, out);
    strbuf_addf(out, "|version:attend-%s", ATTEND_VERSION);
}
