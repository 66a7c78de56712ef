/* What the pictures of attention over frames share. The weights of a target word are spread over
 * hundreds of frames, so that even the largest is small: pictures show each weight as a share of the
 * largest one of its word. */
#ifndef ATTEND_VIZ_FRAMES_PANEL_H
#define ATTEND_VIZ_FRAMES_PANEL_H

#include "viz/color.h"

#include <stdbool.h>

struct panel;

/* The largest finite weight of target word t and its column; 0 and -1 if there is none above 0. */
double frames_panel_most(const struct panel *, int t, int *column);
/* The weight of column s of target word t as a share of `most`, in 0 .. 1; 0 if either is NaN. */
double frames_panel_share(const struct panel *, int t, int s, double most);
/* The column of the matrix that stands for row i of the frames; -1: the matrix has no columns. */
int frames_panel_column(const struct panel *, int i);
/* Add "word: most weight 0.123 at " in front of a place. */
struct strbuf;
void frames_panel_add_most(struct strbuf *, const struct panel *, int t, double most);

/* The values between which a picture of the frames changes its color. */
struct frames_range {
    double low, high;
    double middle; /* the median: in most images the value of the ground */
};
/* Nearly all finite values of the first `columns` columns; the few beyond are drawn like the ends. */
struct frames_range frames_panel_range(const struct panel *, int columns);
/* 0 at low, 1 at high; 0 for NaN. */
double frames_range_share(const struct frames_range *, double value);

/* A scale in steps, because most of the time of a picture would be spent on colors, and fewer
 * colors make smaller files. */
enum { FRAMES_SHADES = 64 };
struct frames_shades {
    struct color shade[FRAMES_SHADES + 1];
};
void frames_shades_init(struct frames_shades *, const struct color_scale *);
struct color frames_shade(const struct frames_shades *, double share);

bool frames_panel_dark(const struct panel *);
/* The scale of what is attended to, which is not to be confused with weights. */
const struct color_scale *frames_panel_gray(const struct panel *);
/* `share` of the second color, the rest of the first; mixed as light, channel by channel. */
struct color frames_mix(struct color first, struct color second, double share);
/* The color of target word t: neighbors differ most, and eight words differ from each other for
 * readers with any common kind of color blindness. */
enum { FRAMES_COLORS = 8 };
struct color frames_word_color(int t, bool dark);

#endif
