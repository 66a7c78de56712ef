/* Whether two lists put the same things in the same order.
 *
 * Kendall's tau-b, over the pairs i < j, ties counted as in Kendall (1945):
 *
 *     tau = (agreeing - opposed) / sqrt((pairs - tied in x) (pairs - tied in y))
 *
 * Spearman's rho is the correlation of the ranks, tied ones sharing the mean of their places.
 * Both lie in -1 .. 1 and are NAN when a list is shorter than two or all of one value. */
#ifndef ATTEND_METRIC_RANK_H
#define ATTEND_METRIC_RANK_H

double rank_kendall(const double *x, const double *y, int count);
double rank_spearman(const double *x, const double *y, int count);

#endif
