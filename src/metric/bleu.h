/* BLEU (Papineni et al. 2002), with the same numbers as sacreBLEU 2:
 *
 *     BLEU = 100 min(1, exp(1 - r / h)) (p_1 p_2 p_3 p_4)^(1/4)
 *
 * p_n is the share of the hypothesis' n-grams that are in a reference; each counts at most as often
 * as in the reference that has it most often. h is the number of words of the hypothesis, r that of
 * the reference closest in length; of two equally close ones, the shorter. Smoothing replaces a p_n
 * of 0 (Chen and Cherry 2014). */
#ifndef ATTEND_METRIC_BLEU_H
#define ATTEND_METRIC_BLEU_H

struct bleu_smoothing;

/* "exp" (1/2, 1/4 ... of a match), "floor" (0.1 of a match), "add-k" (1 added to both counts for n
 * > 1), "none". NULL when unknown. */
const struct bleu_smoothing *bleu_smoothing_find(const char *name);
/* The i-th name, NULL past the last. */
const char *bleu_smoothing_name(int i);

#endif
