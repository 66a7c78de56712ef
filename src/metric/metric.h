/* Text metrics: a table of measures of how good a hypothesis is, given one or more references.
 *
 * A metric adds a few statistics per sentence (collect) and computes one number from their sums
 * (score). So the scores of a corpus, of a sentence and of a resample of a corpus are computed the
 * same way.
 *
 *     const struct metric_ops *bleu = metric_find("bleu");
 *     double sums[METRIC_SUMS] = {0};
 *     for each sentence: status = bleu->collect(hypothesis, &reference, 1, &settings, sums, err);
 *     bleu->score(sums, &settings)
 *
 * To add one: write `const struct metric_ops metric_<name>` in its own file and add X(<name>) to
 * METRIC_LIST. `attend eval` with its help and its significance tests, validation while training and
 * the tests of every row follow the list. */
#ifndef ATTEND_METRIC_METRIC_H
#define ATTEND_METRIC_METRIC_H

#include "attend/status.h"

#include <stdbool.h>

struct bleu_smoothing;
struct strbuf;
struct words_rules;

/* All zero means the defaults of each metric. */
struct metric_settings {
    const struct words_rules *rules;        /* BLEU: NULL is 13a. "char": also SER, ROUGE */
    bool lowercase;                         /* TER and ROUGE always ignore case */
    const struct bleu_smoothing *smoothing; /* NULL: exp */
    double smooth_value;                    /* 0: the default of the method */
    bool effective_order; /* BLEU: leave out orders that are longer than the sentence */
    bool every_order;     /* chrF: average F over all orders, including those */
};

/* The largest number of statistics of a metric. */
enum { METRIC_SUMS = 24 };

struct metric_ops {
    const char *name;  /* as a user types it */
    const char *label; /* as printed */
    const char *unit;  /* printed after the number: "%" or "" */
    const char *help;
    bool lower_is_better;
    int sums; /* number of statistics */
    /* Add the statistics of a sentence to `sums`. Texts are valid UTF-8; there is at least one
     * reference. */
    enum attend_status (*collect)(const char *hypothesis, const char *const *reference,
                                  int references, const struct metric_settings *, double *sums,
                                  struct attend_error *err);
    /* From 0 to 100; error rates can exceed 100. */
    double (*score)(const double *sums, const struct metric_settings *);
    /* Append how it was measured, as `key:value|key:value`; `case` comes first. */
    void (*sign)(const struct metric_settings *, struct strbuf *);
};

#define METRIC_LIST(X)                                                                             \
    X(bleu)                                                                                        \
    X(chrf) X(chrfpp) X(ter) X(accuracy) X(line_error) X(wer) X(ser) X(rouge1) X(rouge2) X(rougel)
#define METRIC_DECLARE(name) extern const struct metric_ops metric_##name;
METRIC_LIST(METRIC_DECLARE)
#undef METRIC_DECLARE

/* NULL when unknown. */
const struct metric_ops *metric_find(const char *name);
/* The i-th name, NULL past the last. */
const char *metric_name(int i);
/* Append everything that a reader needs to repeat the measurement, in sacreBLEU's format: the
 * number of references (0: it varies), the number of resamples (0: none) and their seed, the
 * metric's settings and the program's version. */
void metric_sign(const struct metric_ops *, const struct metric_settings *, int references,
                 int resamples, int seed, struct strbuf *out);

#endif
