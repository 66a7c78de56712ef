#include "viz/label.h"

#include "base/strbuf.h"
#include "base/utf8.h"

#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

struct range {
    uint32_t first, last;
};

static const struct range dropped[] = {
    {0x0, 0x1f},      /* C0 controls, including escape */
    {0x7f, 0x9f},     /* delete, C1 controls */
    {0x2028, 0x202e}, /* line and paragraph separators, directional embeddings and overrides */
    {0xfffe, 0xffff}, /* not characters in XML */
};

static const struct range right_to_left[] = {
    {0x0590, 0x08ff},   /* Hebrew, Arabic, Syriac, Thaana, NKo and their neighbors */
    {0xfb1d, 0xfdff},   /* presentation forms */
    {0xfe70, 0xfefe},   /* presentation forms B */
    {0x10800, 0x10fff}, /* ancient scripts */
    {0x1e800, 0x1efff}, /* Mende, Adlam, Arabic mathematics */
};

#define COUNT(array) (sizeof(array) / sizeof *(array))

static bool in_ranges(uint32_t point, const struct range *range, size_t count)
{
    for (size_t i = 0; i < count; i++)
        if (point >= range[i].first && point <= range[i].last)
            return true;
    return false;
}

/* Code point at the start of valid UTF-8, and its bytes. */
static uint32_t decode(const char *text, size_t *bytes)
{
    static const unsigned char mask[] = {0, 0x7f, 0x1f, 0x0f, 0x07};
    const unsigned char lead = (unsigned char)*text;
    *bytes = lead < 0x80 ? 1 : lead < 0xe0 ? 2 : lead < 0xf0 ? 3 : 4;
    uint32_t point = lead & mask[*bytes];
    for (size_t i = 1; i < *bytes; i++)
        point = point << 6 | ((unsigned char)text[i] & 0x3f);
    return point;
}

static void add_valid(struct strbuf *out, const char *text, size_t length)
{
    for (size_t at = 0, bytes; at < length; at += bytes)
        if (!in_ranges(decode(text + at, &bytes), dropped, COUNT(dropped)))
            strbuf_add(out, text + at, bytes);
}

void label_add(struct strbuf *out, const char *raw)
{
    size_t length = strlen(raw), bad;
    while (!utf8_valid(raw, length, &bad)) {
        add_valid(out, raw, bad);
        strbuf_adds(out, "\xef\xbf\xbd");
        raw += bad + 1;
        length -= bad + 1;
    }
    add_valid(out, raw, length);
}

static bool is_neutral(uint32_t point)
{
    return utf8_class((int32_t)point) != UTF8_OTHER ||
           (point >= 0x2000 && point <= 0x206f); /* joiners, isolates */
}

enum label_direction label_direction(const char *safe)
{
    for (size_t bytes; *safe; safe += bytes) {
        const uint32_t point = decode(safe, &bytes);
        if (in_ranges(point, right_to_left, COUNT(right_to_left)))
            return LABEL_RIGHT_TO_LEFT;
        if (!is_neutral(point))
            return LABEL_LEFT_TO_RIGHT;
    }
    return LABEL_NEUTRAL;
}

static bool holds_right_to_left(const char *safe)
{
    for (size_t bytes; *safe; safe += bytes)
        if (in_ranges(decode(safe, &bytes), right_to_left, COUNT(right_to_left)))
            return true;
    return false;
}

void label_add_isolated(struct strbuf *out, const char *safe)
{
    const bool isolate = holds_right_to_left(safe);
    strbuf_adds(out, isolate ? "\xe2\x81\xa8" : "");
    strbuf_adds(out, safe);
    strbuf_adds(out, isolate ? "\xe2\x81\xa9" : "");
}

/* Digits come from integers, because printf would use the locale's decimal separator. */
void label_add_number(struct strbuf *out, double value, int decimals)
{
    if (isnan(value) || fabs(value) > 1e9) {
        strbuf_adds(out, isnan(value) ? "-" : value < 0 ? "-inf" : "inf");
        return;
    }
    long long unit = 1;
    for (int i = 0; i < decimals; i++)
        unit *= 10;
    const long long units = llround(fabs(value) * (double)unit);
    strbuf_addf(out, "%s%lld", value < 0 && units ? "-" : "", units / unit);
    if (decimals > 0)
        strbuf_addf(out, ".%0*lld", decimals, units % unit);
}

/* Advance widths of U+0020 to U+007E in hundredths of the font size: the larger one of DejaVu Sans
 * and Noto Sans. */
static const unsigned char ascii[] = {
    32,  41, 46, 84, 64, 95, 78, 28,  39, 39, 55, 84, 32, 37, 32, 38, /* space to / */
    64,  64, 64, 64, 64, 64, 64, 64,  64, 64, 34, 34, 84, 84, 84, 54, /* 0 to ? */
    100, 69, 69, 70, 77, 64, 58, 78,  76, 34, 30, 66, 56, 91, 77, 79, /* @ to O */
    61,  79, 70, 64, 62, 74, 69, 100, 69, 62, 69, 39, 38, 39, 84, 50, /* P to _ */
    50,  62, 64, 55, 64, 62, 36, 64,  64, 28, 28, 58, 28, 98, 64, 62, /* ` to o */
    64,  64, 42, 53, 40, 64, 60, 82,  60, 60, 53, 64, 38, 64, 84,     /* p to ~ */
};

/* Extra width of a character beyond 0.62 font sizes per terminal column, measured on words in
 * Noto's fonts. Some scripts are wider, and vowel signs need room although a terminal puts them
 * into the column of their letter. */
static const struct {
    struct range range;
    double em;
} extras[] = {
    {{0x0080, 0x024f}, 0.1},   /* Latin with marks */
    {{0x0300, 0x036f}, 0},     /* combining marks */
    {{0x0250, 0x058f}, 0.14},  /* Greek, Cyrillic, Armenian */
    {{0x0590, 0x08ff}, 0.02},  /* Hebrew, Arabic and their neighbors */
    {{0x0900, 0x097f}, 0.1},   /* Devanagari */
    {{0x0980, 0x0dff}, 0.23},  /* other scripts of India */
    {{0x0e00, 0x0eff}, 0.04},  /* Thai, Lao */
    {{0x1100, 0x115f}, -0.15}, /* Hangul initials; the rest of their syllable is narrow */
    {{0x1160, 0x11ff}, 0},      {{0x200b, 0x200f}, 0}, /* joiners, directional marks */
    {{0x2066, 0x2069}, 0},                             /* isolates */
    {{0x3000, 0xd7ff}, -0.2}, /* ideographs, kana, Hangul: two columns each */
    {{0xf900, 0xfaff}, -0.2},   {{0xfe00, 0xfe0f}, 0},      /* variation selectors */
    {{0xff01, 0xff60}, -0.2},   {{0x1f000, 0x1faff}, 0.05}, /* emoji: two columns each */
    {{0x20000, 0x3ffff}, -0.2},
};

static double extra_em(uint32_t point)
{
    if (point < 0x80)
        return point >= ' ' && point <= '~' ? ascii[point - ' '] / 100.0 - 0.62 : 0;
    for (size_t i = 0; i < COUNT(extras); i++)
        if (in_ranges(point, &extras[i].range, 1))
            return extras[i].em;
    return 0.22;
}

double label_em(const char *safe)
{
    double em = 0.62 * utf8_width(safe);
    for (size_t bytes; *safe; safe += bytes)
        em += extra_em(decode(safe, &bytes));
    return em;
}

void label_set_init(struct label_set *set, const char *const *raw, int count)
{
    *set = (struct label_set){.count = count};
    set->text = calloc(count > 0 ? (size_t)count : 1, sizeof *set->text);
    set->failed = !set->text;
    for (int i = 0; i < count && !set->failed; i++) {
        struct strbuf safe = {0};
        label_add(&safe, raw[i]);
        set->text[i] = strbuf_detach(&safe);
        set->failed = !set->text[i];
    }
}

int label_set_columns(const struct label_set *set)
{
    int most = 0;
    for (int i = 0; i < set->count; i++) {
        const int columns = utf8_columns(set->text[i]);
        most = columns > most ? columns : most;
    }
    return most;
}

double label_set_em(const struct label_set *set)
{
    double most = 0;
    for (int i = 0; i < set->count; i++)
        most = fmax(most, label_em(set->text[i]));
    return most;
}

/* A name in angle brackets: </s>, <unk>. */
static bool is_token_name(const char *safe)
{
    const size_t length = strlen(safe);
    return length > 1 && safe[0] == '<' && safe[length - 1] == '>';
}

bool label_set_right_to_left(const struct label_set *set)
{
    int balance = 0;
    for (int i = 0; i < set->count; i++)
        if (!is_token_name(set->text[i]))
            balance += label_direction(set->text[i]);
    return balance < 0;
}

void label_set_release(struct label_set *set)
{
    for (int i = 0; set->text && i < set->count; i++)
        free(set->text[i]);
    free(set->text);
    *set = (struct label_set){0};
}
