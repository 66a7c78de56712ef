/* An axis with round numbers: its ticks are multiples of 1, 2 or 5 times a power of ten, or, on a
 * logarithmic one, powers of two or of ten. */
#ifndef ATTEND_VIZ_AXIS_H
#define ATTEND_VIZ_AXIS_H

struct strbuf;

struct axis {
    double from, to, step; /* from and to are multiples of step */
    int steps;             /* ticks stand at from + i * step, i = 0 .. steps */
    double base; /* 0: linear. 2 or 10: from, to and step are whole exponents of this base */
};

/* The shortest axis around min..max whose step divides that range into `most` parts or fewer. An
 * empty range is widened; without a range (min > max, or not finite) it goes from 0 to 1. */
struct axis axis_around(double min, double max, int most);
/* The same with powers of two, or of ten where the range is so long that twos would stand further
 * apart than fours. Without a positive range it holds 1 to 10. */
struct axis axis_around_powers(double min, double max, int most);
double axis_tick(const struct axis *, int i);
/* Digits after the point that the step has, or the first tick of a logarithmic axis, 0 to 9. */
int axis_decimals(const struct axis *);
/* Add tick i as text, with as many decimals as the step, or the tick on a logarithmic axis, has. */
void axis_add_tick(struct strbuf *, const struct axis *, int i);
/* Where a value stands: 0 at from, 1 at to. Not finite for what a logarithmic axis cannot show. */
double axis_share(const struct axis *, double value);

#endif
