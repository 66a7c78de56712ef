/* Text that is drawn: labels made safe (tokens may hold any bytes), their size before any font is
 * known, and numbers that look the same in every locale. */
#ifndef ATTEND_VIZ_LABEL_H
#define ATTEND_VIZ_LABEL_H

#include <stdbool.h>

struct strbuf;

/* Add any bytes as safe text: valid UTF-8 (a wrong byte becomes U+FFFD) without control characters,
 * line separators, directional overrides and what XML forbids. */
void label_add(struct strbuf *, const char *raw);
/* Add safe text; if it is written from right to left, between isolates (U+2068, U+2069), which
 * have no width and keep its direction from reordering what stands around it. */
void label_add_isolated(struct strbuf *, const char *safe);
/* The way a text is written: that of its first character that has one. */
enum label_direction { LABEL_RIGHT_TO_LEFT = -1, LABEL_NEUTRAL, LABEL_LEFT_TO_RIGHT };
enum label_direction label_direction(const char *safe);
/* Add `value` with 0 to 9 decimals and a point. Values that are not finite, and those beyond 1e9,
 * read -, inf or -inf. */
void label_add_number(struct strbuf *, double value, int decimals);
/* Width in units of the font size that safe text takes in a usual sans-serif font; rather too
 * large than too small. */
double label_em(const char *safe);

/* Safe copies of `count` labels. */
struct label_set {
    char **text; /* (count) */
    int count;
    bool failed; /* out of memory: text is not complete and must not be used */
};
void label_set_init(struct label_set *, const char *const *raw, int count);
/* Largest utf8_width(); 0 for an empty set. */
int label_set_columns(const struct label_set *);
/* Largest label_em(); 0 for an empty set. */
double label_set_em(const struct label_set *);
/* Whether more labels are written from right to left than from left to right; names in angle
 * brackets, like </s>, do not count. */
bool label_set_right_to_left(const struct label_set *);
void label_set_release(struct label_set *);

#endif
