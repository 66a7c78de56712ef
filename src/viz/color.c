#include "viz/color.h"

#include <math.h>
#include <string.h>

struct oklab {
    double L, a, b;
};

/* To add a scale: add its name and its row. The anchors (0xrrggbb) are our own, in equal steps of
 * lightness between the paper and the far end. Their hues stay distinct in all common kinds of
 * color blindness. viridis has the hues of the well-known scale in the same order, but starts at
 * the paper. */
const char *const color_scale_names[] = {"blue", "viridis", "warm", "gray", NULL};
static const struct {
    struct color_scale light, dark;
} scales[] = {
    {/* blue */
     {{0xffffff, 0xe1e3c1, 0xaecc9e, 0x6db496, 0x239898, 0x027695, 0x01538b, 0x163172, 0x151846},
      0xb4b4b4},
     {{0x16181c, 0x222b54, 0x1f467e, 0x216598, 0x2f88a0, 0x51a9a3, 0x7ac8a2, 0xc1dfa4, 0xf4f5d2},
      0x6e6e6e}},
    {/* viridis */
     {{0xffffff, 0xe5e3ad, 0xbdcb64, 0x71b861, 0x2d9c75, 0x01797f, 0x005486, 0x342477, 0x2e0a41},
      0xb4b4b4},
     {{0x16181c, 0x3c1e4f, 0x443687, 0x335f9f, 0x29879b, 0x3fab92, 0x68cc7a, 0xbee154, 0xf9f492},
      0x6e6e6e}},
    {/* warm */
     {{0xffffff, 0xe9dec6, 0xdfba81, 0xd69144, 0xc96617, 0xb33a09, 0x8e1c1a, 0x620f1f, 0x340d19},
      0xb4b4b4},
     {{0x16181c, 0x462228, 0x772830, 0xa53330, 0xca4e29, 0xdf7836, 0xeca35a, 0xf2cd8e, 0xfdf2d0},
      0x6e6e6e}},
    {/* gray; NaN has a color that is not gray */
     {{0xffffff, 0xdedede, 0xbebebe, 0x9e9e9e, 0x808080, 0x636363, 0x484848, 0x2e2e2e, 0x161616},
      0xe8c49c},
     {{0x16181c, 0x2e2f31, 0x46474a, 0x606264, 0x7c7d7f, 0x989a9c, 0xb6b7ba, 0xd4d6d8, 0xf5f5f5},
      0x7a5530}},
};
enum { SCALES = sizeof scales / sizeof *scales };

_Static_assert(sizeof color_scale_names / sizeof *color_scale_names == SCALES + 1, "one name each");

const struct color_scale *color_scale_find(const char *name, bool dark)
{
    int found = 0;
    for (int i = 0; name && i < SCALES; i++)
        if (strcmp(name, color_scale_names[i]) == 0)
            found = i;
    return dark ? &scales[found].dark : &scales[found].light;
}

static double linear_light(unsigned char channel)
{
    const double c = channel / 255.0;
    return c <= 0.04045 ? c / 12.92 : pow((c + 0.055) / 1.055, 2.4);
}

static unsigned char srgb_channel(double light)
{
    const double c = light <= 0.0031308 ? 12.92 * light : 1.055 * pow(light, 1 / 2.4) - 0.055;
    return (unsigned char)lround(255 * fmin(fmax(c, 0), 1));
}

static struct color unpack(unsigned rgb)
{
    return (struct color){rgb >> 16 & 0xff, rgb >> 8 & 0xff, rgb & 0xff};
}

static struct oklab to_oklab(struct color c)
{
    const double r = linear_light(c.r), g = linear_light(c.g), b = linear_light(c.b);
    const double l = cbrt(0.4122214708 * r + 0.5363325363 * g + 0.0514459929 * b);
    const double m = cbrt(0.2119034982 * r + 0.6806995451 * g + 0.1073969566 * b);
    const double s = cbrt(0.0883024619 * r + 0.2817188376 * g + 0.6299787005 * b);
    return (struct oklab){
        .L = 0.2104542553 * l + 0.7936177850 * m - 0.0040720468 * s,
        .a = 1.9779984951 * l - 2.4285922050 * m + 0.4505937099 * s,
        .b = 0.0259040371 * l + 0.7827717662 * m - 0.8086757660 * s,
    };
}

static double cube(double x) { return x * x * x; }

static struct color from_oklab(struct oklab c)
{
    const double l = cube(c.L + 0.3963377774 * c.a + 0.2158037573 * c.b);
    const double m = cube(c.L - 0.1055613458 * c.a - 0.0638541728 * c.b);
    const double s = cube(c.L - 0.0894841775 * c.a - 1.2914855480 * c.b);
    return (struct color){
        .r = srgb_channel(4.0767416621 * l - 3.3077115913 * m + 0.2309699292 * s),
        .g = srgb_channel(-1.2684380046 * l + 2.6097574011 * m - 0.3413193965 * s),
        .b = srgb_channel(-0.0041960863 * l - 0.7034186147 * m + 1.7076147010 * s),
    };
}

struct color color_scale_at(const struct color_scale *scale, double weight)
{
    enum { LAST = COLOR_ANCHORS - 1 };
    if (isnan(weight))
        return unpack(scale->not_a_number);
    const double at = fmin(fmax(weight, 0), 1) * LAST;
    const int below = at < LAST ? (int)at : LAST - 1;
    const double part = at - below;
    const struct oklab from = to_oklab(unpack(scale->anchor[below]));
    const struct oklab to = to_oklab(unpack(scale->anchor[below + 1]));
    return from_oklab((struct oklab){
        .L = from.L + part * (to.L - from.L),
        .a = from.a + part * (to.a - from.a),
        .b = from.b + part * (to.b - from.b),
    });
}

double color_lightness(struct color c) { return to_oklab(c).L; }

static double luminance(struct color c)
{
    return 0.2126 * linear_light(c.r) + 0.7152 * linear_light(c.g) + 0.0722 * linear_light(c.b);
}

double color_contrast(struct color one, struct color other)
{
    const double x = luminance(one) + 0.05, y = luminance(other) + 0.05;
    return x > y ? x / y : y / x;
}

struct color color_ink(struct color background)
{
    static const struct color dark = {0x11, 0x11, 0x11}, light = {0xff, 0xff, 0xff};
    const double on_dark = color_contrast(light, background);
    return color_contrast(dark, background) >= on_dark ? dark : light;
}
