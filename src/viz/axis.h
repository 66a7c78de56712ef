/* An axis with round ticks: multiples of 1, 2 or 5 times a power of ten or, on a logarithmic axis,
 * powers of two or ten. */
#ifndef ATTEND_VIZ_AXIS_H
#define ATTEND_VIZ_AXIS_H

struct strbuf;

struct axis {
    double from, to, step; /* from and to are multiples of step */
    int steps;             /* ticks are at from + i * step, i = 0 .. steps */
    double base; /* 0: linear. 2 or 10: from, to and step are integer exponents of this base */
};

/* The shortest axis that contains min..max and has at most `most` steps in that range. An empty
 * range is widened; without a range (min > max, or not finite) the axis is 0 to 1. */
struct axis axis_around(double min, double max, int most);
/* The same with powers of two or, for long ranges where ticks would be more than a factor of four
 * apart, powers of ten. Without a positive range the axis is 1 to 10. */
struct axis axis_around_powers(double min, double max, int most);
double axis_tick(const struct axis *, int i);
/* The number of decimals, 0 to 9, of the step or, on a logarithmic axis, of the first tick. */
int axis_decimals(const struct axis *);
/* Add tick i as text, with as many decimals as the step has or, on a logarithmic axis, the tick. */
void axis_add_tick(struct strbuf *, const struct axis *, int i);
/* The position of a value: 0 at from, 1 at to. Not finite if a logarithmic axis cannot show it. */
double axis_share(const struct axis *, double value);

#endif
