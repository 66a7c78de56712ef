#include "viz/colour.h"

#include <math.h>

struct oklab {
    double L, a, b;
};

/* Lightness falls in equal steps; hue goes from sand over green to blue, the one direction that
 * every common kind of colour blindness keeps apart. */
static const struct colour anchors[] = {
    {0xff, 0xff, 0xff}, {0xe1, 0xe3, 0xc1}, {0xae, 0xcc, 0x9e},
    {0x6d, 0xb4, 0x96}, {0x23, 0x98, 0x98}, {0x02, 0x76, 0x95},
    {0x01, 0x53, 0x8b}, {0x16, 0x31, 0x72}, {0x15, 0x18, 0x46},
};
enum { LAST_ANCHOR = sizeof anchors / sizeof *anchors - 1 };

static const struct colour not_a_number = {0xb4, 0xb4, 0xb4};

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

static struct oklab to_oklab(struct colour c)
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

static struct colour from_oklab(struct oklab c)
{
    const double l = cube(c.L + 0.3963377774 * c.a + 0.2158037573 * c.b);
    const double m = cube(c.L - 0.1055613458 * c.a - 0.0638541728 * c.b);
    const double s = cube(c.L - 0.0894841775 * c.a - 1.2914855480 * c.b);
    return (struct colour){
        .r = srgb_channel(4.0767416621 * l - 3.3077115913 * m + 0.2309699292 * s),
        .g = srgb_channel(-1.2684380046 * l + 2.6097574011 * m - 0.3413193965 * s),
        .b = srgb_channel(-0.0041960863 * l - 0.7034186147 * m + 1.7076147010 * s),
    };
}

struct colour colour_scale(double weight)
{
    if (isnan(weight))
        return not_a_number;
    const double at = fmin(fmax(weight, 0), 1) * LAST_ANCHOR;
    const int below = at < LAST_ANCHOR ? (int)at : LAST_ANCHOR - 1;
    const double part = at - below;
    const struct oklab from = to_oklab(anchors[below]), to = to_oklab(anchors[below + 1]);
    return from_oklab((struct oklab){
        .L = from.L + part * (to.L - from.L),
        .a = from.a + part * (to.a - from.a),
        .b = from.b + part * (to.b - from.b),
    });
}

double colour_lightness(struct colour c) { return to_oklab(c).L; }

static double luminance(struct colour c)
{
    return 0.2126 * linear_light(c.r) + 0.7152 * linear_light(c.g) + 0.0722 * linear_light(c.b);
}

double colour_contrast(struct colour one, struct colour other)
{
    const double x = luminance(one) + 0.05, y = luminance(other) + 0.05;
    return x > y ? x / y : y / x;
}

struct colour colour_ink(struct colour background)
{
    static const struct colour dark = {0x11, 0x11, 0x11}, light = {0xff, 0xff, 0xff};
    const double on_dark = colour_contrast(light, background);
    return colour_contrast(dark, background) >= on_dark ? dark : light;
}
