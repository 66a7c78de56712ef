#include "viz/axis.h"

#include "viz/label.h"

#include <math.h>
#include <stddef.h>

/* Tolerance for quotients that should be integers. */
static const double slack = 1e-9;

static double round_step(double least)
{
    static const double factor[] = {1, 2, 5};
    const double power = pow(10, floor(log10(least) + slack));
    for (size_t i = 0; i < sizeof factor / sizeof *factor; i++)
        if (factor[i] * power >= least * (1 - slack))
            return factor[i] * power;
    return 10 * power;
}

struct axis axis_around(double min, double max, int most)
{
    if (!(isfinite(min) && isfinite(max) && min <= max)) {
        min = 0;
        max = 1;
    }
    const double widen = min < max ? 0 : fmax(1, fabs(min) / 2);
    min -= widen;
    max += widen;
    const double step = round_step((max - min) / most);
    const double first = floor(min / step + slack), last = ceil(max / step - slack);
    return (struct axis){
        .from = first * step, .to = last * step, .step = step, .steps = (int)(last - first)};
}

/* ---- Powers ---- */

static struct axis powers_by(double base, double step, double min, double max)
{
    const double first = floor(log(min) / log(base) / step + slack),
                 last = ceil(log(max) / log(base) / step - slack);
    return (struct axis){.from = first * step,
                         .to = last * step,
                         .step = step,
                         .steps = (int)(last - first),
                         .base = base};
}

struct axis axis_around_powers(double min, double max, int most)
{
    if (!(isfinite(max) && min > 0 && min <= max)) {
        min = 1;
        max = 10;
    }
    const double widen = min < max ? 1 : 2;
    const double base = log2(max / min) <= 2 * most ? 2 : 10;
    struct axis axis = powers_by(base, 1, min / widen, max * widen);
    for (double step = 2; axis.steps > fmax(most, 1); step++)
        axis = powers_by(base, step, min / widen, max * widen);
    return axis;
}

/* ---- All axes ---- */

/* Not from + i * step, whose rounding error would print 0 as -0.0. */
static double step_at(const struct axis *axis, int i)
{
    return (round(axis->from / axis->step) + i) * axis->step;
}

double axis_tick(const struct axis *axis, int i)
{
    return axis->base > 0 ? pow(axis->base, step_at(axis, i)) : step_at(axis, i);
}

static int digits(double decimals) { return (int)fmin(fmax(decimals, 0), 9); }

/* Both 2^-n and 10^-n have n digits after the point. */
int axis_decimals(const struct axis *axis)
{
    return digits(axis->base > 0 ? -axis->from : -floor(log10(axis->step) + slack));
}

void axis_add_tick(struct strbuf *out, const struct axis *axis, int i)
{
    label_add_number(out, axis_tick(axis, i),
                     axis->base > 0 ? digits(-step_at(axis, i)) : axis_decimals(axis));
}

double axis_share(const struct axis *axis, double value)
{
    const double at = axis->base > 0 ? log(value) / log(axis->base) : value;
    return (at - axis->from) / (axis->to - axis->from);
}
