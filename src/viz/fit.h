/* Texts that must fit a number of terminal columns. They are cut between grapheme clusters (base
 * letter and marks, emoji sequence) and measured in columns, of which an ideograph takes two. */
#ifndef ATTEND_VIZ_FIT_H
#define ATTEND_VIZ_FIT_H

struct label_set;
struct strbuf;

/* Add safe text; if it is wider than `columns`, its beginning and an ellipsis. */
void fit_add(struct strbuf *, const char *safe, int columns);
/* Cut every label of the set to `columns`. */
void fit_labels(struct label_set *, int columns);
/* Add safe text and break lines that are wider than `width` (0: none) at blanks and after bars, or
 * anywhere when there are none. What follows a break is indented by two more columns than the line. */
void fit_wrap(struct strbuf *, const char *safe, int width);

/* The first column after those from `from` that fit a block of a table: columns of the given widths
 * after a first column of `left`. It is at least from + 1; all fit when `width` is 0. */
int fit_block(const int *widths, int from, int count, int left, int width);

#endif
