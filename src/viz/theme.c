#include "viz/theme.h"

struct theme theme_of(bool dark, const char *scale)
{
    static const struct theme light = {.paper = {0xff, 0xff, 0xff},
                                       .ink = {0x22, 0x22, 0x22},
                                       .faint = {0x5f, 0x65, 0x6b},
                                       .rule = {0xdd, 0xe0, 0xe3},
                                       .strong = {0xb0, 0xb6, 0xbc},
                                       .axis = {0x77, 0x7c, 0x80}};
    static const struct theme night = {.paper = {0x16, 0x18, 0x1c},
                                       .ink = {0xe8, 0xe8, 0xe6},
                                       .faint = {0x9a, 0xa1, 0xa9},
                                       .rule = {0x30, 0x35, 0x3c},
                                       .strong = {0x55, 0x5c, 0x65},
                                       .axis = {0x87, 0x8e, 0x96}};
    struct theme theme = dark ? night : light;
    theme.scale = color_scale_find(scale, dark);
    return theme;
}

struct color theme_weight(const struct theme *theme, double weight)
{
    return color_scale_at(theme->scale, weight);
}
