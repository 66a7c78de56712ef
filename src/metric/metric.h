/* Metrics of text: a table of how good a hypothesis is, given one or more references.
 *
 * A metric adds a few statistics for each sentence (collect) and makes one number of their sums
 * (score), so scores of a corpus, of a sentence and of any resample of a corpus are one thing.
 *
 *     const struct metric_ops *bleu = metric_find("bleu");
 *     double sums[METRIC_SUMS] = {0};
 *     for each sentence: status = bleu->collect(hypothesis, &reference, 1, &settings, sums, err);
 *     bleu->score(sums, &settings)
 *
 * To add one: `const struct metric_ops metric_<name>` in its own file and a row of METRIC_LIST.
 * `attend eval`, its help and its tests of significance follow the list. */
#ifndef ATTEND_METRIC_METRIC_H
#define ATTEND_METRIC_METRIC_H

#include "attend/status.h"

#include <stdbool.h>

struct bleu_smoothing;
struct strbuf;
struct words_rules;

/* All zero is each metric's own default. */
struct metric_settings {
    const struct words_rules *rules;        /* BLEU: NULL is 13a; "char": SER and ROUGE too */
    bool lowercase;                         /* TER and ROUGE ignore case whatever this says */
    const struct bleu_smoothing *smoothing; /* NULL: exp */
    double smooth_value;                    /* 0: the method's own */
    bool effective_order; /* BLEU: leave out the orders that a single sentence is too short for */
    bool every_order;     /* chrF: average the F of every order, also of those */
};

/* The most statistics that a metric may have. */
enum { METRIC_SUMS = 24 };

struct metric_ops {
    const char *name;  /* as a user types it */
    const char *label; /* as it is printed */
    const char *unit;  /* printed behind the number: "%" or "" */
    const char *help;
    bool lower_is_better;
    int sums; /* how many statistics */
    /* Add the statistics of a sentence to `sums`. Texts are valid UTF-8; there is at least one
     * reference. */
    enum attend_status (*collect)(const char *hypothesis, const char *const *reference,
                                  int references, const struct metric_settings *, double *sums,
                                  struct attend_error *err);
    /* 0 to 100; error rates can be more. */
    double (*score)(const double *sums, const struct metric_settings *);
    /* Append how it was measured, as `key:value|key:value`. */
    void (*sign)(const struct metric_settings *, struct strbuf *);
};

#define METRIC_LIST(X)                                                                             \
    X(bleu) X(chrf) X(chrfpp) X(ter) X(accuracy) X(wer) X(ser) X(rouge1) X(rouge2) X(rougel)
#define METRIC_DECLARE(name) extern const struct metric_ops metric_##name;
METRIC_LIST(METRIC_DECLARE)
#undef METRIC_DECLARE

/* NULL when unknown. */
const struct metric_ops *metric_find(const char *name);
/* The i-th name, NULL past the last. */
const char *metric_name(int i);
/* Append all that a reader needs to measure the same again, as sacreBLEU writes it: the number of
 * references (0: it varies), of resamples (0: none) and their seed, the metric's own settings, the
 * program's version. */
void metric_sign(const struct metric_ops *, const struct metric_settings *, int references,
                 int resamples, int seed, struct strbuf *out);

#endif
