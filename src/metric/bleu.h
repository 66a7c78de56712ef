/* BLEU (Papineni et al. 2002), with the numbers of sacreBLEU 2:
 *
 *     BLEU = 100 min(1, exp(1 - r / h)) (p_1 p_2 p_3 p_4)^(1/4)
 *
 * p_n: the share of the hypothesis' n-grams that a reference has, each counted at most as often as
 * in the reference that has it most often; h: words of the hypothesis; r: of the reference nearest
 * in length, the shorter of two as near. Smoothing stands in for a p_n of 0 (Chen and Cherry
 * 2014). */
#ifndef ATTEND_METRIC_BLEU_H
#define ATTEND_METRIC_BLEU_H

struct bleu_smoothing;

/* "exp" (1/2, 1/4 ... match), "floor" (0.1 match), "add-k" (1 added to both counts of n > 1),
 * "none". NULL when unknown. */
const struct bleu_smoothing *bleu_smoothing_find(const char *name);
/* The i-th name, NULL past the last. */
const char *bleu_smoothing_name(int i);

#endif
