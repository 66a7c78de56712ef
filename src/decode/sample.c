#include "decode/sample.h"

#include <math.h>
#include <stdlib.h>

static int likelier_first(const void *a, const void *b)
{
    const struct sample_item *x = a, *y = b;
    if (x->logit != y->logit)
        return x->logit > y->logit ? -1 : 1;
    return x->token < y->token ? -1 : x->token > y->token;
}

/* The number of sorted words to sample from, and the sum of their probabilities. */
static int nucleus(const struct sample_item *item, int count, const struct sample_rule *rule,
                   double *sum)
{
    const double t = rule->temperature;
    double all = 0;
    *sum = 0;
    for (int i = 0; i < count; i++)
        all += exp((double)(item[i].logit - item[0].logit) / t);
    int kept = 0;
    while (kept < count && (kept == 0 || *sum < rule->top_p * all))
        *sum += exp((double)(item[kept++].logit - item[0].logit) / t);
    return kept;
}

int sample_token(const real *logits, int V, const struct sample_rule *rule, double u,
                 struct sample_item *work)
{
    int count = 0;
    double sum;
    for (int k = 0; k < V; k++)
        if (logits[k] > -(real)INFINITY)
            work[count++] = (struct sample_item){logits[k], k};
    if (count == 0)
        return -1;
    qsort(work, (size_t)count, sizeof *work, likelier_first);
    if (rule->top_k > 0 && rule->top_k < count)
        count = rule->top_k;
    count = nucleus(work, count, rule, &sum);
    double left = u * sum;
    for (int i = 0; i < count; i++) {
        left -= exp((double)(work[i].logit - work[0].logit) / rule->temperature);
        if (left < 0)
            return work[i].token;
    }
    return work[count - 1].token;
}
