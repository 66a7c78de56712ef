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
    {0x0, 0x1f},      /* C0 controls, the escape character among them */
    {0x7f, 0x9f},     /* delete, C1 controls */
    {0x2028, 0x202e}, /* line and paragraph separators, directional embeddings and overrides */
    {0xfffe, 0xffff}, /* no characters in XML */
};

static const struct range right_to_left[] = {
    {0x0590, 0x08ff},   /* Hebrew, Arabic, Syriac, Thaana, NKo and their neighbours */
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

static bool is_right_to_left(const char *safe)
{
    for (size_t bytes; *safe; safe += bytes)
        if (in_ranges(decode(safe, &bytes), right_to_left, COUNT(right_to_left)))
            return true;
    return false;
}

void label_add_isolated(struct strbuf *out, const char *safe)
{
    const bool isolate = is_right_to_left(safe);
    strbuf_adds(out, isolate ? "\xe2\x81\xa8" : "");
    strbuf_adds(out, safe);
    strbuf_adds(out, isolate ? "\xe2\x81\xa9" : "");
}

/* Digits are made of integers: printf would write the locale's decimal sign. */
void label_add_number(struct strbuf *out, double value, int decimals)
{
    if (isnan(value) || fabs(value) > 1e9) {
        strbuf_adds(out, isnan(value) ? "nan" : value < 0 ? "-inf" : "inf");
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

/* What a character takes beyond the 0.62 of the font size of each terminal column. Other scripts
 * than the Latin need more for most letters, and for vowel signs that a terminal squeezes into the
 * column of their letter; ideographs and Hangul (U+3000 to U+D7FF) already count two columns. */
static double extra_em(uint32_t point)
{
    if (point >= 0x80)
        return point >= 0x3000 && point <= 0xd7ff ? 0 : 0.22;
    if (strchr("MWmw@%", (int)point))
        return 0.4;
    return (point >= 'A' && point <= 'Z') || strchr("#&+<=>^~", (int)point) ? 0.22 : 0;
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
        const int columns = utf8_width(set->text[i]);
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

void label_set_release(struct label_set *set)
{
    for (int i = 0; set->text && i < set->count; i++)
        free(set->text[i]);
    free(set->text);
    *set = (struct label_set){0};
}
