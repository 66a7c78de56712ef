/* The colors of a picture: paper, text, lines, and the scale of weights. */
#ifndef ATTEND_VIZ_THEME_H
#define ATTEND_VIZ_THEME_H

#include "viz/color.h"

struct theme {
    struct color paper;
    struct color ink;                /* words */
    struct color faint;              /* numbers and captions, less important than words */
    struct color rule;               /* grid lines and frames */
    struct color strong;             /* every tenth grid line, to guide the eye */
    struct color axis;               /* lines that must be visible */
    const struct color_scale *scale; /* starts at the paper */
};

/* With the scale of this name; NULL or unknown: the first one. */
struct theme theme_of(bool dark, const char *scale);
struct color theme_weight(const struct theme *, double weight);

#endif
