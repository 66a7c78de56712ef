#include "explain/deletion.h"

#include "base/error.h"
#include "base/rng.h"
#include "explain/variants.h"

#include <stdlib.h>

enum { ORDERS = ATTRIBUTION_KINDS + DELETION_DRAWS };

/* The variants of all curves: `points` for every order. */
struct plan {
    const struct attribution_job *job;
    int words, points;
    int curve[ORDERS]; /* the curve of each order */
    int orders;
    struct sequences source;
    double *value; /* (words) values to rank by */
    int *order;    /* (words) */
    bool *gone;    /* (words) */
    double *score; /* (orders points, T) */
};

static bool plan_init(struct plan *p, const struct attribution *a)
{
    const size_t words = (size_t)p->words, variants = (size_t)ORDERS * (size_t)p->points;
    p->source = (struct sequences){.start = calloc(variants + 1, sizeof(size_t)),
                                   .ids = malloc((variants * words + 1) * sizeof(int))};
    p->value = malloc((words + 1) * sizeof *p->value);
    p->order = malloc((words + 1) * sizeof *p->order);
    p->gone = malloc((words + 1) * sizeof *p->gone);
    p->score = malloc(variants * (size_t)a->T * sizeof *p->score);
    return p->source.start && p->source.ids && p->value && p->order && p->gone && p->score;
}

static void plan_release(struct plan *p)
{
    sequences_release(&p->source);
    free(p->value);
    free(p->order);
    free(p->gone);
    free(p->score);
}

/* ---- Orders ---- */

/* Sort by the sum over the target, largest first. Insertion is fast enough: running the model costs
 * far more. */
static void rank(struct plan *p, const struct attribution *a, int kind)
{
    for (int j = 0; j < p->words; j++) {
        p->value[j] = 0;
        for (int t = 0; t < a->T; t++)
            p->value[j] += a->value[kind][t * a->S + j];
        int at = j;
        for (; at > 0 && p->value[j] > p->value[p->order[at - 1]]; at--)
            p->order[at] = p->order[at - 1];
        p->order[at] = j;
    }
}

static void choose_at_random(struct plan *p, uint64_t key)
{
    for (int j = 0; j < p->words; j++)
        p->order[j] = j;
    rng_shuffle(key, p->order, p->words);
}

/* Append the variants of p->order. */
static void add_order(struct plan *p, int curve)
{
    for (int j = 0; j < p->words; j++)
        p->gone[j] = false;
    attribution_reduce(p->job, p->gone, &p->source);
    for (int k = 0; k < p->words; k++) {
        p->gone[p->order[k]] = true;
        attribution_reduce(p->job, p->gone, &p->source);
    }
    p->curve[p->orders++] = curve;
}

static void add_orders(struct plan *p, const struct attribution *a, uint64_t seed)
{
    for (int kind = 0; kind < ATTRIBUTION_KINDS; kind++)
        if (a->value[kind]) {
            rank(p, a, kind);
            add_order(p, kind);
        }
    for (int i = 0; i < DELETION_DRAWS; i++) {
        choose_at_random(p, rng_key(rng_seed(seed), (uint64_t)i));
        add_order(p, DELETION_RANDOM);
    }
}

/* ---- Curves ---- */

static bool take_memory(struct deletion *d, const struct plan *p)
{
    d->points = p->points;
    d->block = calloc(DELETION_CURVES * (size_t)p->points, sizeof *d->block);
    for (int i = 0; d->block && i < p->orders; i++)
        d->y[p->curve[i]] = d->block + p->curve[i] * p->points;
    return d->block;
}

static void add_scores(struct deletion *d, const struct plan *p, int T)
{
    for (int i = 0; i < p->orders; i++)
        for (int k = 0; k < p->points; k++) {
            const double *word = p->score + (size_t)(i * p->points + k) * (size_t)T;
            double sum = 0;
            for (int t = 0; t < T; t++)
                sum += word[t];
            d->y[p->curve[i]][k] += sum / T / (p->curve[i] == DELETION_RANDOM ? DELETION_DRAWS : 1);
        }
    for (int c = 0; c < DELETION_CURVES; c++)
        for (int k = 1; d->y[c] && k < d->points; k++)
            d->area[c] += (d->y[c][k - 1] + d->y[c][k]) / 2 / (d->points - 1);
}

enum attend_status deletion_run(struct deletion *d, const struct attribution_job *job,
                                const struct attribution *a, uint64_t seed,
                                struct attend_error *err)
{
    struct plan p = {.job = job, .words = job->source_length, .points = job->source_length + 1};
    enum attend_status status = ATTEND_OK;
    *d = (struct deletion){0};
    if (!plan_init(&p, a)) {
        status = error_set(err, ATTEND_NO_MEMORY, "out of memory for deletion curves");
        goto done;
    }
    add_orders(&p, a, seed);
    if (!take_memory(d, &p))
        status = error_set(err, ATTEND_NO_MEMORY, "out of memory for deletion curves");
    if (!status)
        status = variants_score(
            &(struct variants_job){job->net, &p.source, job->target, job->target_length, job->stop},
            p.score, err);
    if (!status)
        add_scores(d, &p, a->T);
done:
    plan_release(&p);
    return status;
}

void deletion_release(struct deletion *d)
{
    free(d->block);
    *d = (struct deletion){0};
}
