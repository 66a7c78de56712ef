#include "viz/axis.h"

#include "viz/label.h"

#include <math.h>
#include <stddef.h>

/* Divisions that come out whole may miss by this much. */
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
    return (struct axis){first * step, last * step, step, (int)(last - first)};
}

/* Not from + i * step, whose error would let 0 read -0.0. */
double axis_tick(const struct axis *axis, int i)
{
    return (round(axis->from / axis->step) + i) * axis->step;
}

int axis_decimals(const struct axis *axis)
{
    const double decimals = -floor(log10(axis->step) + slack);
    return (int)fmin(fmax(decimals, 0), 9);
}

void axis_add_tick(struct strbuf *out, const struct axis *axis, int i)
{
    label_add_number(out, axis_tick(axis, i), axis_decimals(axis));
}

double axis_share(const struct axis *axis, double value)
{
    return (value - axis->from) / (axis->to - axis->from);
}
