#include "explain/faithfulness.h"

#include "base/error.h"
#include "explain/gradient.h"

#include <math.h>
#include <stdatomic.h>
#include <stdlib.h>

/* The means, in this order: agreement, Kendall's and Spearman's correlation of each measure,
 * areas. */
enum {
    AGREEMENT,
    KENDALL,
    SPEARMAN = KENDALL + ATTRIBUTION_KINDS,
    AREA = SPEARMAN + ATTRIBUTION_KINDS,
    MEANS = AREA + DELETION_CURVES
};

/* The part of one pair in one mean. */
struct part {
    double sum, count;
};

struct faithfulness_run {
    const struct faithfulness_job *job;
    struct part *part;      /* (MEANS, pairs) */
    double *incompleteness; /* (pairs) */
    double *curve;          /* (pairs, DELETION_CURVES, FAITHFULNESS_SHARES) */
    atomic_int next;
    struct member {
        enum attend_status status;
        struct attend_error error;
    } * member; /* (team) */
};

/* ---- One pair ---- */

static void add(struct part *p, double value)
{
    if (isnan(value))
        return;
    p->sum += value;
    p->count += 1;
}

static struct part *part_of(const struct faithfulness_run *r, int mean, int pair)
{
    return &r->part[(size_t)mean * (size_t)r->job->source->count + (size_t)pair];
}

static void count_words(const struct faithfulness_run *r, const struct attribution *a, int pair)
{
    for (int t = 0; t < a->T - 1; t++) {
        for (int k = ATTRIBUTION_LEAVE_ONE_OUT; k < ATTRIBUTION_KINDS; k++) {
            const struct attribution_ranks ranks =
                attribution_ranks(a, (enum attribution_kind)k, t);
            add(part_of(r, KENDALL + k, pair), ranks.kendall);
            add(part_of(r, SPEARMAN + k, pair), ranks.spearman);
        }
        add(part_of(r, AGREEMENT, pair), a->value[ATTRIBUTION_ATTENTION]
                                             ? attribution_top(a, ATTRIBUTION_ATTENTION, t) ==
                                                   attribution_top(a, ATTRIBUTION_LEAVE_ONE_OUT, t)
                                             : (double)NAN);
    }
}

static double *curve_of(const struct faithfulness_run *r, int pair, int c)
{
    return &r->curve[((size_t)pair * DELETION_CURVES + (size_t)c) * FAITHFULNESS_SHARES];
}

/* The value of the curve when this share of the words is removed. */
static double at_share(const double *y, int points, double share)
{
    const double place = share * (points - 1);
    const int before = (int)fmin(place, points - 2);
    return y[before] + (place - before) * (y[before + 1] - y[before]);
}

static void count_curves(const struct faithfulness_run *r, const struct deletion *d, int pair)
{
    for (int c = 0; c < DELETION_CURVES; c++) {
        double *to = curve_of(r, pair, c);
        for (int i = 0; i < FAITHFULNESS_SHARES; i++)
            to[i] = d->y[c] ? at_share(d->y[c], d->points, i / (FAITHFULNESS_SHARES - 1.0))
                            : (double)NAN;
        add(part_of(r, AREA + c, pair), d->y[c] ? d->area[c] : (double)NAN);
    }
}

static enum attend_status count_pair(const struct faithfulness_run *r, const struct seq2seq *trains,
                                     int pair, struct attend_error *err)
{
    const struct faithfulness_job *job = r->job;
    const struct attribution_job one = {
        .net = job->net,
        .trains = trains,
        .source = job->source->ids + job->source->start[pair],
        .target = job->target->ids + job->target->start[pair],
        .source_length = sequences_length(job->source, pair),
        .target_length = sequences_length(job->target, pair),
        .mask = job->mask,
        .ig_steps = job->ig_steps,
        .stop = job->stop,
    };
    struct attribution a = {0};
    struct deletion d = {0};
    enum attend_status status = ATTEND_OK;
    if (!one.source_length || !one.target_length)
        return ATTEND_OK;
    status = attribution_run(&a, &one, err);
    if (!status)
        status = deletion_run(&d, &one, &a, (uint64_t)job->seed + (uint64_t)pair, err);
    if (!status) {
        count_words(r, &a, pair);
        count_curves(r, &d, pair);
    }
    r->incompleteness[pair] = a.incompleteness;
    attribution_release(&a);
    deletion_release(&d);
    return status;
}

static void work(struct worker *w, void *argument)
{
    struct faithfulness_run *r = argument;
    struct member *member = &r->member[w->index];
    struct gradient_net trains = {0};
    const bool able = !r->job->net->int8;
    if (able)
        member->status = gradient_net_init(&trains, r->job->net, &member->error);
    for (int i = atomic_fetch_add(&r->next, 1); i < r->job->source->count && !member->status;
         i = atomic_fetch_add(&r->next, 1))
        member->status = count_pair(r, able ? &trains.net : NULL, i, &member->error);
    gradient_net_release(&trains);
}

/* ---- All pairs ---- */

static double ratio(const double *sums, const struct metric_settings *settings)
{
    (void)settings;
    return sums[1] > 0 ? sums[0] / sums[1] : (double)NAN;
}
static const struct metric_ops mean_ops = {.name = "mean", .sums = 2, .score = ratio};

static struct faithfulness_mean mean_of(const struct faithfulness_run *r, int mean, double *score)
{
    const int pairs = r->job->source->count, resamples = r->job->resamples;
    const struct part *part = part_of(r, mean, 0);
    struct part all = {0};
    for (int i = 0; i < pairs; i++) {
        all.sum += part[i].sum;
        all.count += part[i].count;
    }
    if (all.count <= 0)
        return (struct faithfulness_mean){(double)NAN, (double)NAN, (double)NAN};
    bootstrap_scores(&(struct bootstrap){.ops = &mean_ops, .stats = &part->sum, .count = pairs},
                     (uint64_t)r->job->seed, score, resamples);
    int defined = 0; /* a resample may contain no values */
    for (int k = 0; k < resamples; k++)
        if (!isnan(score[k]))
            score[defined++] = score[k];
    struct bootstrap_interval interval = {0, all.sum / all.count, all.sum / all.count};
    if (defined)
        interval = bootstrap_interval(score, defined);
    return (struct faithfulness_mean){all.sum / all.count, interval.low, interval.high};
}

static void mean_curves(struct faithfulness *f, const struct faithfulness_run *r)
{
    for (int c = 0; c < DELETION_CURVES; c++)
        for (int s = 0; s < FAITHFULNESS_SHARES; s++) {
            double sum = 0;
            for (int i = 0; i < r->job->source->count; i++)
                sum += curve_of(r, i, c)[s]; /* 0 for skipped pairs */
            f->curve[c][s] = f->pairs ? sum / f->pairs : (double)NAN;
        }
}

static void summarize(struct faithfulness *f, const struct faithfulness_run *r, double *score)
{
    *f = (struct faithfulness){.agreement = mean_of(r, AGREEMENT, score)};
    for (int k = 0; k < ATTRIBUTION_KINDS; k++) {
        f->kendall[k] = mean_of(r, KENDALL + k, score);
        f->spearman[k] = mean_of(r, SPEARMAN + k, score);
    }
    for (int c = 0; c < DELETION_CURVES; c++)
        f->area[c] = mean_of(r, AREA + c, score);
    for (int i = 0; i < r->job->source->count; i++) {
        const bool counted = part_of(r, AREA + DELETION_RANDOM, i)->count > 0;
        f->pairs += counted;
        f->words += counted ? sequences_length(r->job->target, i) : 0;
        f->incompleteness = fmax(f->incompleteness, r->incompleteness[i]);
    }
    mean_curves(f, r);
}

enum attend_status faithfulness_run(struct faithfulness *f, struct team *team,
                                    const struct faithfulness_job *job, struct attend_error *err)
{
    _Static_assert(sizeof(struct part) == 2 * sizeof(double), "the bootstrap reads it as two sums");
    const size_t pairs = (size_t)job->source->count + 1;
    struct faithfulness_run r = {
        .job = job,
        .part = calloc(MEANS * pairs, sizeof *r.part),
        .incompleteness = calloc(pairs, sizeof *r.incompleteness),
        .curve = calloc(pairs * DELETION_CURVES * FAITHFULNESS_SHARES, sizeof *r.curve),
        .member = calloc((size_t)team_size(team), sizeof *r.member)};
    double *score = malloc((size_t)job->resamples * sizeof *score);
    enum attend_status status = ATTEND_OK;
    if (!r.part || !r.incompleteness || !r.curve || !r.member || !score) {
        status = error_set(err, ATTEND_NO_MEMORY, "out of memory for %zu pairs", pairs - 1);
        goto done;
    }
    team_run(team, work, &r);
    for (int i = 0; i < team_size(team) && !status; i++) {
        status = r.member[i].status;
        if (status && err)
            *err = r.member[i].error;
    }
    if (!status)
        summarize(f, &r, score);
done:
    free(r.part);
    free(r.incompleteness);
    free(r.curve);
    free(r.member);
    free(score);
    return status;
}
