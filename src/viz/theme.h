/* The colours of a picture: its paper, what is written and ruled on it, and the scale of weights.
 */
#ifndef ATTEND_VIZ_THEME_H
#define ATTEND_VIZ_THEME_H

#include "viz/colour.h"

struct theme {
    struct colour paper;
    struct colour ink;                /* words */
    struct colour faint;              /* numbers and captions, which words come before */
    struct colour rule;               /* lines of a grid, frames */
    struct colour strong;             /* lines by which the eye counts the others */
    struct colour axis;               /* lines that must be seen */
    const struct colour_scale *scale; /* begins at the paper */
};

/* With the scale of that name; NULL or unknown: the first. */
struct theme theme_of(bool dark, const char *scale);
struct colour theme_weight(const struct theme *, double weight);

#endif
