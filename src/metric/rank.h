/* Rank correlation: whether two lists order the same items alike.
 *
 * Kendall's tau-b, over the pairs i < j, with ties as in Kendall (1945):
 *
 *     tau = (concordant - discordant) / sqrt((pairs - tied in x) (pairs - tied in y))
 *
 * Spearman's rho is the correlation of the ranks; tied items share the mean of their ranks. Both
 * lie in -1 .. 1 and are NAN when a list has fewer than two items or only one value. */
#ifndef ATTEND_METRIC_RANK_H
#define ATTEND_METRIC_RANK_H

double rank_kendall(const double *x, const double *y, int count);
double rank_spearman(const double *x, const double *y, int count);

#endif
