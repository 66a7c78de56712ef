/* Texts in pictures: making them safe (tokens may contain any bytes), estimating their width
 * without a font, and printing numbers the same way in every locale. */
#ifndef ATTEND_VIZ_LABEL_H
#define ATTEND_VIZ_LABEL_H

#include <stdbool.h>

struct strbuf;

/* Add arbitrary bytes as safe text: valid UTF-8 (an invalid byte becomes U+FFFD) without control
 * characters, line separators, directional overrides and characters that XML forbids. */
void label_add(struct strbuf *, const char *raw);
/* Add safe text. Right-to-left text is put between isolates (U+2068, U+2069), which have no width
 * and keep it from reordering its surroundings. */
void label_add_isolated(struct strbuf *, const char *safe);
/* The direction of a text: that of its first character that has a direction. */
enum label_direction { LABEL_RIGHT_TO_LEFT = -1, LABEL_NEUTRAL, LABEL_LEFT_TO_RIGHT };
enum label_direction label_direction(const char *safe);
/* Add `value` with 0 to 9 decimals and a decimal point. NaN prints as -, values beyond 1e9 as inf
 * or -inf. */
void label_add_number(struct strbuf *, double value, int decimals);
/* The estimated width of safe text in a common sans-serif font, in units of the font size; rather
 * too large than too small. */
double label_em(const char *safe);

/* Safe copies of `count` labels. */
struct label_set {
    char **text; /* (count) */
    int count;
    bool failed; /* out of memory: text is incomplete and must not be used */
};
void label_set_init(struct label_set *, const char *const *raw, int count);
/* Largest utf8_columns(); 0 for an empty set. */
int label_set_columns(const struct label_set *);
/* Largest label_em(); 0 for an empty set. */
double label_set_em(const struct label_set *);
/* Whether more labels are right-to-left than left-to-right; names in angle brackets, like </s>, do
 * not count. */
bool label_set_right_to_left(const struct label_set *);
void label_set_release(struct label_set *);

#endif
