/* Colors, and the scales that show weights as colors. A scale starts at the color of the paper (0)
 * and changes in even steps of lightness, so it keeps its order for color-blind readers and in gray
 * print. Colors between the nine anchors are interpolated in Oklab, where equal steps look equally
 * large. */
#ifndef ATTEND_VIZ_COLOR_H
#define ATTEND_VIZ_COLOR_H

#include <stdbool.h>

struct color {
    unsigned char r, g, b; /* sRGB */
};

enum { COLOR_ANCHORS = 9 };

/* One scale, for light or dark paper. */
struct color_scale {
    unsigned anchor[COLOR_ANCHORS]; /* 0xrrggbb */
    unsigned not_a_number;          /* different from all colors of the scale */
};

/* The names of the scales, then NULL; the first is the default. */
extern const char *const color_scale_names[];
/* The scale with this name for light or dark paper; the first one for NULL and unknown names. */
const struct color_scale *color_scale_find(const char *name, bool dark);
/* The color of a weight, clamped to 0..1. */
struct color color_scale_at(const struct color_scale *, double weight);
/* Perceived lightness (L of Oklab): 0 black, 1 white. */
double color_lightness(struct color);
/* The contrast ratio of two colors: 1 none, 21 black on white. */
double color_contrast(struct color, struct color);
/* Near black or near white, whichever has more contrast with the background. */
struct color color_ink(struct color background);

#endif
