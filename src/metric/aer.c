#include "metric/aer.h"

void aer_add(struct aer_counts *c, const struct links *hypothesis, const struct links *gold)
{
    c->hypothesis += hypothesis->count;
    for (int i = 0; i < gold->count; i++)
        c->sure += gold->item[i].sure;
    for (int i = 0; i < hypothesis->count; i++) {
        const struct link *said = &hypothesis->item[i];
        const struct link *found = links_find(gold, said->source, said->target);
        c->hypothesis_in_possible += found != NULL;
        c->hypothesis_in_sure += found && found->sure;
    }
}

static double share(long part, long all) { return all > 0 ? (double)part / (double)all : 1; }

double aer_rate(const struct aer_counts *c)
{
    return 1 - share(c->hypothesis_in_sure + c->hypothesis_in_possible, c->hypothesis + c->sure);
}

double aer_precision(const struct aer_counts *c)
{
    return share(c->hypothesis_in_possible, c->hypothesis);
}

double aer_recall(const struct aer_counts *c) { return share(c->hypothesis_in_sure, c->sure); }
