#include "metric/rank.h"

#include <math.h>

static int sign(double d) { return (d > 0) - (d < 0); }

double rank_kendall(const double *x, const double *y, int count)
{
    double sum = 0, apart_x = 0, apart_y = 0;
    for (int i = 0; i < count; i++)
        for (int j = 0; j < i; j++) {
            const int dx = sign(x[i] - x[j]), dy = sign(y[i] - y[j]);
            sum += dx * dy;
            apart_x += dx != 0;
            apart_y += dy != 0;
        }
    return apart_x > 0 && apart_y > 0 ? sum / sqrt(apart_x * apart_y) : (double)NAN;
}

/* Twice the distance of item i's rank from the mean rank: an integer, so nothing is rounded. */
static double centered(const double *x, int count, int i)
{
    double rank = 0;
    for (int j = 0; j < count; j++)
        rank += sign(x[i] - x[j]);
    return rank;
}

double rank_spearman(const double *x, const double *y, int count)
{
    double xy = 0, xx = 0, yy = 0;
    for (int i = 0; i < count; i++) {
        const double dx = centered(x, count, i), dy = centered(y, count, i);
        xy += dx * dy;
        xx += dx * dx;
        yy += dy * dy;
    }
    return xx > 0 && yy > 0 ? xy / sqrt(xx * yy) : (double)NAN;
}
