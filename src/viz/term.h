/* An attention matrix as lines of text, for a terminal or a file. Columns are headed by their
 * labels; where those are too wide, by numbers, and the labels follow below in full. */
#ifndef ATTEND_VIZ_TERM_H
#define ATTEND_VIZ_TERM_H

struct matrix_plot;
struct strbuf;

enum term_style {
    TERM_BLOCKS,    /* shades of block characters and every weight as .87: readable in any file */
    TERM_TRUECOLOR, /* 24-bit background colours and percent; numbers are left out if narrow */
};

/* Adds the title, if any, the matrix, the key of numbered columns and, in colour, the scale. Lines
 * leave no colour set at their end. */
void term_matrix(struct strbuf *out, const struct matrix_plot *, enum term_style);

#endif
