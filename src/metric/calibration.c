#include "metric/calibration.h"

#include <float.h>
#include <math.h>

enum { TERMS = 3, STEPS = 200, DAMPINGS = 18 };

/* log(P / (1 - P)). P is below 1 even where its logarithm rounds to 0. */
static double log_odds(double log_probability)
{
    const double log_p = fmin(log_probability, -1e-9);
    return log_p - log(-expm1(log_p));
}

static double sigmoid(double z) { return 1 / (1 + exp(-z)); }

double calibration_confidence(const struct attend_scaling *s, double log_probability, int tokens)
{
    return sigmoid(log_odds(log_probability) / s->temperature + s->length * tokens + s->bias);
}

/* ---- Fitting ---- */

struct fit {
    const struct attend_answer *answer;
    int count, folds, fold;
    double target[2];               /* of wrong and right answers */
    double weight[TERMS];           /* a, c, b */
    double slope[TERMS];            /* gradient of the loss */
    double curvature[TERMS][TERMS]; /* its second derivatives */
};

static bool is_used(const struct fit *f, int i) { return i % f->folds != f->fold; }

static void features(const struct attend_answer *a, double x[TERMS])
{
    x[0] = log_odds(a->log_probability);
    x[1] = a->tokens;
    x[2] = 1;
}

static double dot(const double *a, const double *b)
{
    double sum = 0;
    for (int i = 0; i < TERMS; i++)
        sum += a[i] * b[i];
    return sum;
}

/* -t log s(z) - (1 - t) log(1 - s(z)), without overflow. */
static double cross_entropy(double z, double t)
{
    return fmax(z, 0) - t * z + log1p(exp(-fabs(z)));
}

static double loss(const struct fit *f, const double *weight)
{
    double sum = ((weight[0] - 1) * (weight[0] - 1) + weight[1] * weight[1]) / 2;
    for (int i = 0; i < f->count; i++) {
        double x[TERMS];
        features(&f->answer[i], x);
        if (is_used(f, i))
            sum += cross_entropy(dot(weight, x), f->target[f->answer[i].right]);
    }
    return sum;
}

static void derive(struct fit *f)
{
    for (int r = 0; r < TERMS; r++)
        for (int c = 0; c < TERMS; c++)
            f->curvature[r][c] = r == c ? (r < TERMS - 1 ? 1 : 1e-9) : 0;
    f->slope[0] = f->weight[0] - 1;
    f->slope[1] = f->weight[1];
    f->slope[2] = 0;
    for (int i = 0; i < f->count; i++) {
        double x[TERMS];
        if (!is_used(f, i))
            continue;
        features(&f->answer[i], x);
        const double s = sigmoid(dot(f->weight, x));
        for (int r = 0; r < TERMS; r++) {
            f->slope[r] += (s - f->target[f->answer[i].right]) * x[r];
            for (int c = 0; c < TERMS; c++)
                f->curvature[r][c] += s * (1 - s) * x[r] * x[c];
        }
    }
}

/* Solve (curvature + damping I) step = slope by elimination; the matrix is positive definite. */
static void solve(const struct fit *f, double damping, double step[TERMS])
{
    double m[TERMS][TERMS + 1];
    for (int r = 0; r < TERMS; r++) {
        for (int c = 0; c < TERMS; c++)
            m[r][c] = f->curvature[r][c] + (r == c ? damping : 0);
        m[r][TERMS] = f->slope[r];
    }
    for (int p = 0; p < TERMS; p++)
        for (int r = p + 1; r < TERMS; r++)
            for (int c = TERMS; c >= p; c--)
                m[r][c] -= m[p][c] * m[r][p] / m[p][p];
    for (int r = TERMS - 1; r >= 0; r--) {
        step[r] = m[r][TERMS];
        for (int c = r + 1; c < TERMS; c++)
            step[r] -= m[r][c] * step[c];
        step[r] /= m[r][r];
    }
}

/* A Newton step, damped until the loss falls; false when it no longer does. Far from the optimum,
 * where all answers look certain, the curvature is 0 and only small damped steps are safe. */
static bool improve(struct fit *f)
{
    double step[TERMS], next[TERMS];
    const double now = loss(f, f->weight);
    derive(f);
    double damping = 1e-9;
    for (int tries = 0; tries < DAMPINGS; tries++, damping *= 10) {
        solve(f, damping, step);
        for (int i = 0; i < TERMS; i++)
            next[i] = f->weight[i] - step[i];
        if (!(loss(f, next) < now - 1e-12 * fabs(now)))
            continue;
        for (int i = 0; i < TERMS; i++)
            f->weight[i] = next[i];
        return true;
    }
    return false;
}

struct attend_scaling calibration_fit(const struct attend_answer *answer, int count, int folds,
                                      int fold)
{
    struct fit f = {
        .answer = answer, .count = count, .folds = folds, .fold = fold, .weight = {1, 0, 0}};
    double right = 0, wrong = 0;
    for (int i = 0; i < count; i++)
        if (is_used(&f, i))
            *(answer[i].right ? &right : &wrong) += 1;
    f.target[0] = 1 / (wrong + 2);
    f.target[1] = (right + 1) / (right + 2);
    for (int i = 0; i < STEPS && improve(&f); i++)
        continue;
    /* A likelier answer is never less sure: a temperature is positive. */
    const double a = fmax(f.weight[0], 1e-3);
    return (struct attend_scaling){1 / a, f.weight[1], f.weight[2]};
}

/* ---- Reliability ---- */

void reliability_add(struct attend_reliability *r, double confidence, bool right)
{
    const int place = (int)(confidence * ATTEND_RELIABILITY_BINS);
    struct attend_reliability_bin *bin =
        &r->bin[place < ATTEND_RELIABILITY_BINS ? place : ATTEND_RELIABILITY_BINS - 1];
    bin->lines++;
    bin->said += confidence;
    bin->right += right;
    r->nll -= log(fmax(right ? confidence : 1 - confidence, DBL_MIN));
}

void reliability_finish(struct attend_reliability *r)
{
    double lines = 0;
    for (int i = 0; i < ATTEND_RELIABILITY_BINS; i++) {
        struct attend_reliability_bin *bin = &r->bin[i];
        lines += (double)bin->lines;
        r->ece += fabs(bin->said - bin->right);
        bin->said /= bin->lines ? (double)bin->lines : 1;
        bin->right /= bin->lines ? (double)bin->lines : 1;
    }
    r->ece /= fmax(lines, 1);
    r->nll /= fmax(lines, 1);
}
