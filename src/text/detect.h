/* Language identification: naive Bayes over n-grams of letters, n = 1, 2, 3.
 *
 * A text is converted to lower case and framed by blanks; every run of other characters than
 * letters and marks becomes one blank. Every n-gram that is not all blanks is hashed into one of
 * the C cells of its order. With n_c n-grams of a training text in cell c and N in total,
 *
 *     cost_c  = -log2((n_c + 1/2) / (N + C/2))                  stored in eighths of a bit, one
 * byte bits(x) = 1/3 sum over orders, sum over the grams of x of their cell's cost P(l|x)  =
 * 2^-bits_l(x) / (sum_m 2^-bits_m(x) + 2^-bits_0(x))
 *
 * where bits_0 counts log2 C for every gram: a text that fits no language better than chance has a
 * small P in all of them. The factor 1/3 is there because the three orders carry nearly the same
 * information. Model files store these bytes, so hash, cells and costs must never change. */
#ifndef ATTEND_TEXT_DETECT_H
#define ATTEND_TEXT_DETECT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { DETECT_ORDERS = 3, DETECT_CELLS = 2048, DETECT_SIZE = DETECT_ORDERS * DETECT_CELLS };

/* The costs of a language. */
struct detect {
    unsigned char cost[DETECT_ORDERS][DETECT_CELLS];
};

/* Counts; all zero at the start. */
struct detect_counts {
    uint64_t cell[DETECT_ORDERS][DETECT_CELLS];
};

/* Count the grams of a valid text; false when memory ran out. */
bool detect_count(struct detect_counts *, const char *text);
void detect_make(struct detect *, const struct detect_counts *);

/* bits(x) under each of `count` languages, and bits_0 in out[count]; false when memory ran out. */
bool detect_bits(const struct detect *const *languages, int count, const char *text, double *out);
/* P(l|x) from the count + 1 numbers of detect_bits, in place. */
void detect_shares(double *bits, int count);

#endif
